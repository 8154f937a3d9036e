// Files that tell commands which services run here: `service.json` in the data folder; with DATABASE_URL, a
// file in the user's cache folder, named after the port. Commands use only files that name the database of
// their settings. They don't ask databases for URLs: a database could misdirect the admin token.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, hostname as ownName } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from 'pg';
import { asAccount, findDefaultFolder, findOwner } from '../../postgres/account.ts';
import { attempt } from '../../base/failure.ts';
import { userCacheFolder } from '../../base/cache-folder.ts';
import { type Folder, folderAt, openFolder } from '../../postgres/folder.ts';
import { isRunning } from '../../postgres/server/postmaster.ts';
import { isLoopback } from '../../access/gate.ts';
import type { Configuration } from '../config/config.ts';

type Place = Partial<Pick<Configuration, 'DATABASE_URL' | 'UNDERSTUDY_DATA_DIR' | 'UNDERSTUDY_TEMPORARY'>>;

/** The data folder of the embedded server; undefined with DATABASE_URL, or for a temporary server. */
export const embeddedDirOf = (place: Place) =>
  place.DATABASE_URL === undefined && !place.UNDERSTUDY_TEMPORARY
    ? (place.UNDERSTUDY_DATA_DIR ?? findDefaultFolder())
    : undefined;

/** Identifies a database: `db.example.com:5432/understudy`, or a socket's folder in place of the host. */
export function databaseOf({ DATABASE_URL }: Place) {
  if (DATABASE_URL === undefined) return undefined;
  const { host, port, database } = new Client({ connectionString: DATABASE_URL });
  return `${host.startsWith('/') ? host : host.toLowerCase()}:${port}/${database}`;
}

type ServiceFile = Partial<Pick<Folder, 'account'>> & Pick<Folder, 'service'>;

/** The folder for `service.json`. With DATABASE_URL, only one that UNDERSTUDY_DATA_DIR names. */
const folderOf = (place: Place) => embeddedDirOf(place) ?? place.UNDERSTUDY_DATA_DIR;

/** Writes files that a later service on the folder or port replaces. Returns a function to remove them. */
export function publishService(place: Place, service: { url: string; pid: number }) {
  const database = databaseOf(place);
  const folder = folderOf(place);
  const text = `${JSON.stringify({ ...service, database })}\n`;
  const removals = [
    folder !== undefined && attempt(() => write(openFolder(resolve(folder)), text)),
    database !== undefined && attempt(() => write(openInCache(service.url), text)),
  ];
  return () => removals.forEach((remove) => remove && attempt(remove));
}

function write({ account, service: file }: ServiceFile, text: string): () => void {
  asAccount(account, () => writeFileSync(file, text, { mode: 0o600 }));
  return () => asAccount(account, () => readFileSync(file, 'utf8') === text && rmSync(file));
}

export function findServices(place: Place) {
  const database = databaseOf(place);
  const folder = folderOf(place);
  const files = [
    ...(folder === undefined ? [] : [folderAt(resolve(folder))]),
    ...(database === undefined ? [] : listInCache()),
  ];
  const found = files.flatMap((file) => attempt(() => read(file)) ?? []);
  const urls = found.filter((one) => one.database === database).map(({ url }) => url);
  const where = database === undefined ? `the data folder ${folder}` : `the database ${database}`;
  return { where, urls: [...new Set(urls)] };
}

/** Undefined if the file names no service that runs here. */
function read({ account, service: file }: ServiceFile) {
  const named = JSON.parse(asAccount(account, () => readFileSync(file, 'utf8'))) as Record<string, unknown>;
  const { url, pid, database } = named;
  if (typeof url !== 'string' || typeof pid !== 'number' || !isOwnAddress(url) || !isRunning(pid)) return undefined;
  const accounts = [0, process.getuid?.(), findOwner(dirname(dirname(file)))];
  return listens(url, accounts) ? { url, database } : undefined;
}

/** No other account can write into this folder. Throws if there is no cache folder. */
const servicesFolder = () => join(userCacheFolder() as string, 'services');

/** Each port has one file: a service replaces a killed service's file. Removes files of ended services. */
function openInCache(url: string): ServiceFile {
  const folder = servicesFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of listInCache()) if (attempt(() => read(file)) === undefined) rmSync(file.service);
  return { service: join(folder, `${new URL(url).port || '80'}.json`) };
}

const listInCache = () =>
  (attempt(() => readdirSync(servicesFolder())) ?? []).map((name) => ({ service: join(servicesFolder(), name) }));

// If the data folder came from elsewhere, its file must not direct the admin token to another machine.
function isOwnAddress(url: string) {
  const host = URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return isLoopback(host) || [...addresses, ownName().toLowerCase()].includes(host);
}

// Whether only these accounts listen on the URL's port. If another program took the port of a killed
// service, the file must not direct the admin token to that program. True without /proc.
function listens(url: string, accounts: readonly (number | undefined)[]) {
  if (!existsSync('/proc/net/tcp')) return true;
  const port = Number(new URL(url).port || '80');
  const listeners = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => (attempt(() => readFileSync(file, 'utf8')) ?? '').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => Number(`0x${address?.split(':')[1]}`) === port && state === '0A');
  return listeners.length > 0 && listeners.every(({ [7]: uid }) => accounts.includes(Number(uid)));
}
