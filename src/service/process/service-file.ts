// `service.json` in the data folder names the service that runs there, for the commands that speak to it. A service
// with DATABASE_URL writes it where its data folder is named. Without the file a service works as well, so failures
// to write it are ignored.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, hostname as ownName } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { asAccount, findDefaultFolder, findOwner } from '../../postgres/account.ts';
import { attempt } from '../../base/attempt.ts';
import { folderAt, openFolder } from '../../postgres/folder.ts';
import { isRunning } from '../../postgres/server/postmaster.ts';
import { isLoopback } from '../../access/gate.ts';
import type { Configuration } from '../config/config.ts';

interface NamedService {
  readonly url: string;
  readonly pid: number;
}

type Place = Pick<Configuration, 'UNDERSTUDY_DATA_DIR'>;

const pathOf = ({ UNDERSTUDY_DATA_DIR }: Place): string => resolve(UNDERSTUDY_DATA_DIR ?? findDefaultFolder());

/** The service that started last replaces one that started before. Returns what removes the file again. */
export function publishService(place: Place, service: NamedService): (() => void) | undefined {
  const text = `${JSON.stringify(service)}\n`;
  return attempt(() => {
    const { account, service: file } = openFolder(pathOf(place));
    asAccount(account, () => writeFileSync(file, text, { mode: 0o600 }));
    return () => void attempt(() => asAccount(account, () => readFileSync(file, 'utf8') === text && rmSync(file)));
  });
}

/** The service that the data folder's file names; undefined if there is no file, or it names none that runs here. */
export function findService(place: Place) {
  const path = pathOf(place);
  const read = attempt(() => {
    const { account, service: file } = folderAt(path);
    return JSON.parse(asAccount(account, () => readFileSync(file, 'utf8'))) as Partial<NamedService> | null;
  });
  const { url, pid } = read ?? {};
  const isWhole = typeof url === 'string' && typeof pid === 'number' && isOwnAddress(url);
  const isLive = isWhole && isRunning(pid) && listens(url, [0, process.getuid?.(), findOwner(dirname(path))]);
  const service: NamedService | undefined = isLive ? { url, pid } : undefined;
  return { file: join(path, 'service.json'), isThere: read !== undefined, service };
}

// A file that came with somebody's folder must not direct the admin token to another machine.
function isOwnAddress(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
  return isLoopback(host) || [...addresses, ownName().toLowerCase()].includes(host);
}

/**
 * Whether only these accounts listen on the URL's port: the file of a killed service must not direct the admin token
 * to a program that has the port since. True without /proc.
 */
function listens(url: string, accounts: readonly (number | undefined)[]): boolean {
  if (!existsSync('/proc/net/tcp')) return true;
  const port = Number(new URL(url).port || '80')
    .toString(16)
    .toUpperCase()
    .padStart(4, '0');
  const listeners = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => (attempt(() => readFileSync(file, 'utf8')) ?? '').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(`:${port}`) && state === '0A');
  return listeners.length > 0 && listeners.every(({ [7]: uid }) => accounts.includes(Number(uid)));
}
