// Temporary folders.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when the bench ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  // If root runs the bench, PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
