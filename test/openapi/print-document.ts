// The API's document as JSON on standard output, without a database: what it says depends on none.
import { readDocument } from './read-document.ts';

process.stdout.write(`${JSON.stringify(await readDocument())}\n`);
