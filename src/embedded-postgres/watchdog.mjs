// Owns the embedded PostgreSQL: holds the lock on the data folder, runs initdb and the server, and ends them when the
// service ends, however it ends (docs/decisions/0011). It makes and removes a temporary folder (0019). It is plain
// JavaScript because it lives as long as the service: without type stripping it needs 43 MB instead of 60 and starts in
// half the time. The service sends one request at a time over the channel; when the channel closes, everything ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

const SQLITE_BUSY = 5;
const lockPollMs = 25;
// A service that has just taken the lock may not have written its name yet, and one that was killed may not have been
// noticed.
const heldMs = 1000;
const shutdownMs = 20_000;
const quitMs = 5000;
const repeatMs = 250;

// Root passes the data folder's account. The watchdog gives root's rights up for good before it touches a file of the
// folder, which may be a link; it needed them to read this program.
const [, , , uid, gid] = process.argv;
if (uid !== undefined) {
  process.setgroups([]);
  process.setgid(Number(gid));
  process.setuid(Number(uid));
}

let lock;
let shared;
let holder;
let child;
let ending = false;
/** The folder that is removed at the end. */
let temporary;

/**
 * Makes a temporary folder in the first place that takes one. No other account knows its name before, and it is never a
 * folder that was there already. This process removes it: a service that is killed before leaves none behind.
 */
async function makeFolder({ places: [place, ...others] }) {
  try {
    temporary = mkdtempSync(join(place, 'understudy-'));
    return { path: temporary };
  } catch (error) {
    if (others.length === 0) throw error;
    return makeFolder({ places: others });
  }
}

/** Takes over the folder of a watchdog that was killed. One that was removed meanwhile may be another account's by now. */
function adopt(path) {
  const status = lstatSync(path);
  if (!status.isDirectory() || status.uid !== process.geteuid() || (status.mode & 0o077) !== 0)
    throw new Error(`the temporary folder ${path} isn't this account's any more`);
  temporary = path;
}

/** Waits for a predecessor that is ending; returns the holder's process id where another service keeps the lock. */
async function takeLock({ file, holderFile, service, isTemporary }) {
  if (holder) return {};
  if (isTemporary) adopt(dirname(file));
  lock ??= new DatabaseSync(file);
  for (const beganMs = Date.now(); !tryBegin(lock); await sleep(lockPollMs)) {
    const other = readHolder(holderFile);
    if (Date.now() - beganMs > (other.ending ? shutdownMs * 1.5 : heldMs))
      return { heldBy: other.service ?? 'unknown' };
  }
  holder = { file: holderFile, service };
  writeHolder();
  return {};
}

/** The kernel's own lock, by SQLite: two starts can't both get it, and no kill leaves it behind. */
function tryBegin(database) {
  try {
    // Nothing is ever written, so SQLite needs no journal beside it.
    database.exec('pragma journal_mode = memory; begin exclusive');
    return true;
  } catch (error) {
    if (error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

/** A further lock, until it is released. Not taken where another process has it for longer than that. */
async function takeShared({ file, waitMs }) {
  shared = new DatabaseSync(file);
  for (const beganMs = Date.now(); !tryBegin(shared); await sleep(lockPollMs))
    if (Date.now() - beganMs > waitMs) return { taken: false };
  return { taken: true };
}

async function releaseShared() {
  shared?.close();
  shared = undefined;
  return {};
}

function writeHolder() {
  if (!holder) return;
  const draft = `${holder.file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ service: holder.service, watchdog: process.pid, ending }), { mode: 0o644 });
  renameSync(draft, holder.file);
}

function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** The child is forgotten when it has ended, and for no other reason: what isn't known isn't ended. */
function launch(file, args, options) {
  child = spawn(file, args, options);
  child.once('exit', () => (child = undefined));
  // One that could not be spawned doesn't exit.
  child.on('error', () => (child = child?.pid && child));
}

/** Runs a command to its end and keeps its output. */
async function run({ file, args, cwd }) {
  let output = '';
  launch(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const [code, signal] = await once(child, 'close');
  if (ending) leave();
  return { code, signal, output: output.slice(-4000) };
}

/**
 * Starts the server, which writes to its log directly.
 * @param input.copy a cluster that is copied first, unless it was
 */
async function serve({ file, args, cwd, log, copy }) {
  if (copy && !existsSync(copy.to) && copyFolder(copy.from, copy.to) !== copy.checksum)
    throw new Error('its files have changed');
  // Never through a link.
  rmSync(log, { force: true });
  const logFile = openSync(log, 'wx', 0o600);
  launch(file, args, { cwd, stdio: ['ignore', logFile, logFile] });
  closeSync(logFile);
  child.on('exit', () => {
    send({ ended: true });
    if (ending) leave();
  });
  await once(child, 'spawn');
  return { pid: child.pid };
}

/** Returns a checksum of the files' names and contents, whatever their order. */
function copyFolder(from, to) {
  mkdirSync(to, { mode: 0o700 });
  let checksum = 0;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) checksum += copyFolder(source, target);
    else {
      const content = readFileSync(source);
      writeFileSync(target, content, { mode: 0o600 });
      checksum += crc32(content, crc32(entry.name));
    }
  }
  return checksum;
}

/** Ends the server, so that its cluster can be copied or started again. */
async function stop() {
  if (!child) return {};
  const exited = once(child, 'exit');
  const repeat = setInterval(() => child?.kill('SIGINT'), repeatMs);
  child.kill('SIGINT');
  await exited;
  clearInterval(repeat);
  return {};
}

/** Copies a cluster whose server has ended. */
const copy = async ({ from, to }) => ({ checksum: copyFolder(from, to) });

const tasks = { makeFolder, takeLock, takeShared, releaseShared, copy, run, serve, stop };

function send(message) {
  // The service may have ended; the callback takes the error.
  if (process.connected) process.send(message, () => {});
}

/**
 * SIGINT is PostgreSQL's fast shutdown. One that arrives while the server is starting can get lost, so it is repeated;
 * a server that doesn't end in time is killed, and recovers at its next start. SIGQUIT ends it at once, and leaves a
 * cluster that would have to recover: the way for one that is removed.
 */
function end() {
  if (ending) return;
  ending = true;
  try {
    writeHolder();
  } catch {
    // A full disk must not keep the server from ending; the next start waits for the lock all the same.
  }
  if (!child) return leave();
  const beganMs = Date.now();
  const endServer = () => {
    const waitedMs = Date.now() - beganMs;
    const limitMs = temporary ? 0 : shutdownMs;
    child?.kill(waitedMs < limitMs ? 'SIGINT' : waitedMs < limitMs + quitMs ? 'SIGQUIT' : 'SIGKILL');
  };
  endServer();
  setInterval(endServer, repeatMs);
}

function leave() {
  try {
    if (holder) rmSync(holder.file, { force: true });
    // A killed server's processes may still be ending.
    if (temporary) rmSync(temporary, { recursive: true, force: true, maxRetries: 20 });
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
    send({ error: { message: error.message, code: error.code } });
    if (ending && !child) leave();
  }
}
