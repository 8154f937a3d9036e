// One service for all workers of a test run: the global set-up of vitest, Jest, Playwright and node:test. It passes
// the URL on in UNDERSTUDY_URL, because every runner gives its workers the environment.
import { dirname } from 'node:path';
import { connect } from '../client/client.ts';
import type { Service } from './service.ts';
import { start } from './start.ts';
import { resolvePaths, type StartOptions, variables } from './start-options.ts';

/** Options of `start`, under our name in the part of a runner's configuration that is free for others. */
interface Holder {
  readonly understudy?: StartOptions;
}

/** A runner's argument for its set-up: vitest's project, or Playwright's configuration. */
interface RunConfiguration {
  readonly config?: { readonly provide?: Holder };
  readonly vite?: { readonly config: { readonly configFile?: string | undefined } };
  readonly metadata?: Holder;
  readonly configFile?: string;
}

let service: Service | undefined;
let formerAdminToken: string | undefined;

/**
 * Starts a service that is strict as Weblate is: without its token, a request fails. Options are those of `start`,
 * in vitest's `provide`, Jest's `globals` or Playwright's `metadata`, as `understudy: { … }`; their paths are relative
 * to the configuration's folder. A variable UNDERSTUDY_… wins over the option that stands for it. Starts nothing where
 * UNDERSTUDY_URL names a service.
 * @param project Jest's second argument
 * @returns what ends the service, which otherwise ends with the run
 */
export default async function setup(
  run: RunConfiguration = {},
  project: { readonly globals?: Holder; readonly rootDir?: string } = {},
): Promise<(() => Promise<void>) | undefined> {
  if (process.env['UNDERSTUDY_URL']) {
    const { url } = connect();
    // Our own value, if several projects of one run have this set-up.
    if (url !== service?.url)
      process.stderr.write(`Understudy: all tests use ${url}, for UNDERSTUDY_URL is set; no service is started.\n`);
    return undefined;
  }
  const holder = run.config?.provide ?? project.globals ?? run.metadata;
  const file = run.vite?.config.configFile ?? run.configFile;
  const folder = file === undefined ? project.rootDir : dirname(file);
  const options = withEnvironment(resolvePaths(holder?.understudy ?? {}, folder));
  service = await start(options);
  process.env['UNDERSTUDY_URL'] = service.url;
  const adminToken = options.adminToken ?? options.env?.['UNDERSTUDY_ADMIN_TOKEN'];
  formerAdminToken = process.env['UNDERSTUDY_ADMIN_TOKEN'];
  if (adminToken !== undefined) process.env['UNDERSTUDY_ADMIN_TOKEN'] = adminToken;
  return globalTeardown;
}

/** For node:test, which calls both by these names: `node --test --test-global-setup=…`. */
export const globalSetup = async (): Promise<void> => void (await setup());

export async function globalTeardown(): Promise<void> {
  if (service === undefined) return;
  delete process.env['UNDERSTUDY_URL'];
  delete process.env['UNDERSTUDY_ADMIN_TOKEN'];
  if (formerAdminToken !== undefined) process.env['UNDERSTUDY_ADMIN_TOKEN'] = formerAdminToken;
  await service.close();
  service = undefined;
}

/** A variable that is set for a run wins over what a file says. */
function withEnvironment({ env, ...options }: StartOptions): StartOptions {
  const set = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => name.startsWith('UNDERSTUDY_') && value),
  ) as Record<string, string>;
  const variableOf: Readonly<Record<string, string>> = variables;
  const others = Object.entries(options).filter(([name]) => set[variableOf[name] ?? ''] === undefined);
  return { ...Object.fromEntries(others), env: { UNDERSTUDY_ANONYMOUS: 'strict', ...env, ...set } };
}
