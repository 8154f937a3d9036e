// Owns the embedded PostgreSQL: holds the lock on the data folder, runs initdb and the server, and ends them when the
// service is gone, however it went. It is plain JavaScript because it lives as long as the service: without the
// stripping of types it needs 43 MB instead of 60 and starts in half the time.
// The service asks over the channel, one request at a time; when the channel closes, everything ends.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const nagMs = 250;
const patienceMs = 20_000;

// Root hands over the account that the data folder belongs to. Root's rights are given up for good before any of its files is
// touched: what lies there may be links. They were needed to read this program.
const [, , , uid, gid] = process.argv;
if (uid !== undefined) {
  process.setgroups([]);
  process.setgid(Number(gid));
  process.setuid(Number(uid));
}

let lock;
let holder;
let child;
let ending = false;

/**
 * An SQLite file held exclusively is the one lock that Node offers which is the kernel's own: two starts can't both
 * get it, and no kill leaves it behind. It also holds between containers that share a volume.
 */
function takeLock({ file, holderFile, service }) {
  if (holder) return {};
  try {
    lock ??= new DatabaseSync(file);
    // Nothing is ever written, so no journal has to lie beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    if (error.errcode === SQLITE_BUSY) return { busy: true };
    throw error;
  }
  holder = { file: holderFile, service };
  noteHolder();
  return {};
}

function noteHolder() {
  if (!holder) return;
  const draft = `${holder.file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ service: holder.service, watchdog: process.pid, ending }), { mode: 0o644 });
  renameSync(draft, holder.file);
}

/** Runs a command to its end and keeps what it said. */
function run({ file, args, options }) {
  return new Promise((resolve, reject) => {
    let output = '';
    child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      child = undefined;
      resolve({ code, signal, output: output.slice(-4000) });
      if (ending) leave();
    });
  });
}

/** Starts the server, which writes straight into its log, so that nothing stands between the two. */
function serve({ file, args, options, log }) {
  return new Promise((resolve, reject) => {
    const logFile = openSync(log, 'w', 0o600);
    child = spawn(file, args, { ...options, stdio: ['ignore', logFile, logFile], windowsHide: true });
    closeSync(logFile);
    const { pid } = child;
    child.on('error', reject);
    child.on('spawn', () => resolve({ pid }));
    child.on('exit', (code, signal) => {
      child = undefined;
      send({ ended: pid, code, signal });
      if (ending) leave();
    });
  });
}

/** For the service that is root: to read it itself it would have to change its account each time, which every thread has to hear of. */
function read({ file }) {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch {
    return { text: '' };
  }
}

const tasks = { takeLock, run, serve, read };

function send(message) {
  // A service that has gone can't be told anything, and that is no fault of ours.
  if (process.connected) process.send(message, () => {});
}

/**
 * SIGINT is PostgreSQL's fast shutdown. One that arrives while the server is starting can get lost, so it is
 * repeated; a server that doesn't go in time is ended the hard way, and recovers at its next start.
 */
function end() {
  if (ending) return;
  ending = true;
  try {
    noteHolder();
  } catch {
    // A full disk must not keep the server from ending; the next start finds the lock all the same.
  }
  if (!child) return leave();
  const beganMs = Date.now();
  const nag = () => {
    const waitedMs = Date.now() - beganMs;
    child?.kill(waitedMs < patienceMs ? 'SIGINT' : waitedMs < patienceMs * 1.25 ? 'SIGQUIT' : 'SIGKILL');
  };
  nag();
  setInterval(nag, nagMs);
}

function leave() {
  try {
    if (holder) rmSync(holder.file, { force: true });
  } finally {
    process.exit(0);
  }
}

// Only the end of the service ends the server: a signal to the whole group must not take the database from a service
// that is still draining.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', end);
process.on('message', (message) => void answer(message));

async function answer({ task, ...input }) {
  try {
    send({ answer: await tasks[task](input) });
  } catch (error) {
    child = undefined;
    send({ fault: { message: error.message, code: error.code } });
    if (ending) leave();
  }
}
