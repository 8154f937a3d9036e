// One service for all workers of a test run: the global set-up of vitest, Jest, Playwright and node:test.
// UNDERSTUDY_URL tells the workers the service's URL: every runner passes the environment on.
import { dirname } from 'node:path';
import { connect } from '../client/client.ts';
import type { Service } from './service.ts';
import { start } from './start.ts';
import { resolvePaths, type StartOptions, variables } from './start-options.ts';

/** A runner's `provide`, `globals` or `metadata`, with options of `start`. */
interface Holder {
  readonly understudy?: StartOptions;
}

/** What a runner passes to the set-up: vitest's project, or Playwright's configuration. */
interface RunConfiguration {
  readonly config?: { readonly provide?: Holder };
  readonly vite?: { readonly config: { readonly configFile?: string | undefined } };
  readonly metadata?: Holder;
  readonly configFile?: string;
}

let service: Service | undefined;
let formerAdminToken: string | undefined;

/**
 * Starts a service. By default it is strict, as Weblate is: a request without a token gets no data. vitest's
 * `provide`, Jest's `globals` or Playwright's `metadata` may have options of `start`, as `understudy: { … }`.
 * Their paths are relative to the configuration's folder. Variables UNDERSTUDY_… win over options.
 * If UNDERSTUDY_URL names a service, none is started.
 * @param project Jest's second argument
 * @returns a function that ends the service, which otherwise ends with the run
 */
export default async function setup(
  run: RunConfiguration = {},
  project: { readonly globals?: Holder; readonly rootDir?: string } = {},
): Promise<(() => Promise<void>) | undefined> {
  if (process.env['UNDERSTUDY_URL']) {
    const { url } = connect();
    // With several projects, an earlier call may have set the variable.
    if (url !== service?.url)
      process.stderr.write(`Understudy: UNDERSTUDY_URL is set: all tests use ${url}; no service is started.\n`);
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

/** node:test calls this function and the next by their names: `node --test --test-global-setup=…`. */
export const globalSetup = async (): Promise<void> => void (await setup());

export async function globalTeardown(): Promise<void> {
  if (service === undefined) return;
  delete process.env['UNDERSTUDY_URL'];
  delete process.env['UNDERSTUDY_ADMIN_TOKEN'];
  if (formerAdminToken !== undefined) process.env['UNDERSTUDY_ADMIN_TOKEN'] = formerAdminToken;
  await service.close();
  service = undefined;
}

/** A variable of the environment wins over a configuration file. */
function withEnvironment({ env, ...options }: StartOptions): StartOptions {
  const set = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => name.startsWith('UNDERSTUDY_') && value),
  ) as Record<string, string>;
  const variableOf: Readonly<Record<string, string>> = variables;
  const others = Object.entries(options).filter(([name]) => set[variableOf[name] ?? ''] === undefined);
  return { ...Object.fromEntries(others), env: { UNDERSTUDY_ANONYMOUS: 'strict', ...env, ...set } };
}
