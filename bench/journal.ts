// Measures where a list's time goes, and what the journal adds to this time. Compares a plain program
// (programs/plain.ts), a service without a journal, and a service with a journal, all on one database. All
// requests are for one user's list.
import type { BenchServer } from './databases.ts';
import { fillDatabase, requestOf } from './fill.ts';
import { launchPlain, launchService } from './launch.ts';
import type { Options } from './options.ts';
import { findPostmaster } from './processes.ts';
import { printTable, whole } from './report.ts';
import { takeTurns } from './rounds.ts';

const users = 1000;
const next = () => ({ requests: [requestOf('GET', 1)], once: false });

export async function benchJournal(server: BenchServer, options: Options): Promise<void> {
  await using undo = new AsyncDisposableStack();
  const database = await server.createDatabase('journal');
  await fillDatabase(database, users);
  const postmaster = await findPostmaster(database);
  const programs = {
    pipelined: undo.use(await launchPlain('pipelined', database)),
    'service without journal': undo.use(await launchService(database, { UNDERSTUDY_JOURNAL_BYTES: '0' })),
    service: undo.use(await launchService(database)),
  };
  const subjects = Object.entries(programs).map(([name, { url, pid }]) => ({
    name,
    url,
    next,
    processes: { program: pid, database: postmaster },
  }));
  const results = await takeTurns('journal', subjects, options, [1, 8, 32, 128]);
  printTable(`One user's list, among ${whole(users)} users`, results, subjects.slice(0, 2));
}
