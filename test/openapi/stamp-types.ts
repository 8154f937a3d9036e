// Puts the digest of the document at the head of the types that were just made from it.
import { readFile, writeFile } from 'node:fs/promises';
import { digestOf, readDocument } from './read-document.ts';

const file = new URL('api-types.ts', import.meta.url);
const types = await readFile(file, 'utf8');
const head = `/* oxlint-disable */\n// Made by: npm --prefix test/openapi/generator ci && npm --prefix test/openapi/generator run generate\n// Document: ${digestOf(await readDocument())}\n`;
await writeFile(file, head + types);
