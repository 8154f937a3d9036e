// The client of a running service: makes, opens and lists sandboxes.
import { openSandbox, type Sandbox } from './sandbox-client.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { type ConnectOptions, createTransport, jsonBody, pathOf, type Transport } from './transport.ts';
import { type TestConditions, testInSandbox } from './test-in-sandbox.ts';
import type { CreatedSandbox, SandboxDescription, SandboxWithUsers, Seed } from './wire-types.ts';

export interface SandboxOptions {
  /** 1 to 63 characters: a-z, 0-9, -. Default: a generated name. A sandbox of this name is replaced. */
  readonly name?: string | undefined;
  /** A shipped seed, such as `documented`, or another sandbox. Default: what `default` resets to. */
  readonly from?: string | undefined;
  /** Instead of `from`: a seed as an object, or as YAML or JSON text. */
  readonly seed?: string | Seed | undefined;
  /** Seconds without use after which the sandbox is deleted. Default: a day. */
  readonly expiresInSeconds?: number | undefined;
}

export type TestOptions = SandboxOptions & TestConditions;

const sandboxOptions = ['name', 'from', 'seed', 'expiresInSeconds'] satisfies (keyof SandboxOptions)[];
const testOptions = [...sandboxOptions, 'allowUnmatched', 'failed', 'signal'] satisfies (keyof TestOptions)[];

export interface Client extends Readonly<ReturnType<typeof clientOf>> {}

/**
 * The client of a running service. Nothing is sent until the first call.
 * @param url the service's URL, such as `http://staging:8000`. Default: UNDERSTUDY_URL, which the package's
 * set-up sets. With that URL, the default of `adminToken` is UNDERSTUDY_ADMIN_TOKEN.
 * @throws TypeError for a missing URL, one that isn't HTTP, or an unknown option
 */
export function connect(url?: string, options: ConnectOptions = {}): Client {
  refuseUnknown('connect', options, ['adminToken', 'signal']);
  const { UNDERSTUDY_URL: ofRun, UNDERSTUDY_ADMIN_TOKEN: tokenOfRun } = process.env;
  const text = url ?? ofRun;
  if (!text)
    throw new TypeError(
      'no service is known: make weblate-understudy/setup the global set-up of the tests, or set UNDERSTUDY_URL',
    );
  // The message omits the URL, which may hold a password.
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw new TypeError(`${text === ofRun ? 'UNDERSTUDY_URL' : 'the URL'} must begin with http:// or https://`);
  const base = text.replace(/\/+$/, '');
  const adminToken = (text === ofRun && tokenOfRun) || undefined;
  return clientOf(createTransport(base, { adminToken, ...options }));
}

export function clientOf(transport: Transport) {
  async function make({ name, from, seed, expiresInSeconds }: SandboxOptions) {
    const body = jsonBody({ from, seed, expires_in_seconds: expiresInSeconds });
    const [method, path] = name === undefined ? ['POST', ''] : ['PUT', pathOf(name)];
    return openSandbox(transport, await transport.read<CreatedSandbox>(method, `/sandboxes${path}`, body));
  }

  return {
    /** The service's URL, without a final slash: `http://127.0.0.1:8000`. */
    url: transport.url,
    /**
     * Makes a sandbox, whose users have tokens.
     * @throws UnderstudyError `refused` with all errors of options or seed; TypeError for an unknown option
     */
    async sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
      refuseUnknown('sandbox', options, sandboxOptions);
      return make(options);
    },
    /**
     * Opens an existing sandbox, such as `default`. `token(username)` makes tokens for its users.
     * @throws UnderstudyError `refused`, with status 404 if there is none
     */
    open: async (name: string): Promise<Sandbox> =>
      openSandbox(transport, await transport.read<SandboxWithUsers>('GET', `/sandboxes${pathOf(name)}`)),
    /**
     * Runs a test in a new sandbox, and drops the sandbox. If the test throws, the requests that reached
     * the sandbox are printed on standard error.
     * @throws what the test throws; an Error if it requested unserved paths without `allowUnmatched`
     */
    async withSandbox<T>(test: (box: Sandbox) => T | Promise<T>, options: TestOptions = {}): Promise<T> {
      refuseUnknown('withSandbox', options, testOptions);
      return testInSandbox(await make(options), test, options);
    },
    /** All sandboxes, including `default`. */
    sandboxes: (): Promise<SandboxDescription[]> => transport.read('GET', '/sandboxes'),
  };
}
