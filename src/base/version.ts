// The program's version, and the release of Weblate that it mirrors.
import { readFileSync } from 'node:fs';
import { manifestFile } from './files.ts';

export const { version } = JSON.parse(readFileSync(manifestFile, 'utf8')) as { version: string };

/** The release that the transcripts were recorded from. */
export const mirrors = 'Weblate 2026.10.1';
