// The client of a running service: makes, opens and lists sandboxes.
import { openSandbox, type Sandbox } from './sandbox-client.ts';
import { refuseUnknown } from '../../base/nearest.ts';
import { type ConnectOptions, createTransport, jsonBody, pathOf, type Transport } from './transport.ts';
import { type TestConditions, testInSandbox } from './test-in-sandbox.ts';
import type { CreatedSandbox, SandboxDescription, SandboxWithUsers, Seed } from './wire-types.ts';

export interface SandboxOptions {
  /** 1 to 63 of a to z, 0 to 9 and -. Generated if left out; a sandbox of that name is replaced. */
  readonly name?: string | undefined;
  /** A seed that ships, such as `documented`, or another sandbox. Default: the last complete seed of `default`. */
  readonly from?: string | undefined;
  /** Instead of `from`: a seed as an object, or as YAML or JSON text. */
  readonly seed?: string | Seed | undefined;
  /** How long the sandbox stays without being used, in seconds; a day if left out. */
  readonly expiresInSeconds?: number | undefined;
}

export type TestOptions = SandboxOptions & TestConditions;

const sandboxOptions = ['name', 'from', 'seed', 'expiresInSeconds'] satisfies (keyof SandboxOptions)[];
const testOptions = [...sandboxOptions, 'allowUnmatched', 'failed', 'signal'] satisfies (keyof TestOptions)[];

export interface Client extends Readonly<ReturnType<typeof clientOf>> {}

/**
 * The client of a running service. Nothing is sent until the first call.
 * @param url of the service, such as `http://staging:8000`. If left out: UNDERSTUDY_URL, which the package's set-up
 * sets, and UNDERSTUDY_ADMIN_TOKEN if `adminToken` is left out too
 * @throws TypeError for a text that is no HTTP URL
 */
export function connect(url?: string, options: ConnectOptions = {}): Client {
  refuseUnknown('connect', options, ['adminToken', 'signal']);
  const { UNDERSTUDY_URL: ofRun, UNDERSTUDY_ADMIN_TOKEN: tokenOfRun } = process.env;
  const text = url ?? ofRun;
  if (!text)
    throw new TypeError(
      "no service is known: make 'weblate-understudy/setup' the global set-up of your test runner, or set UNDERSTUDY_URL",
    );
  // The text is not repeated: it may hold a password.
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
    /** Of the service, without a final slash: `http://127.0.0.1:8000`. */
    url: transport.url,
    /**
     * Makes a sandbox of its own, whose users have tokens.
     * @throws UnderstudyError `refused` with all errors of the options or of the seed; TypeError for an unknown option
     */
    async sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
      refuseUnknown('sandbox', options, sandboxOptions);
      return make(options);
    },
    /**
     * A sandbox that exists, such as `default`. Its users get tokens by `token(username)`.
     * @throws UnderstudyError `refused`, status 404
     */
    open: async (name: string): Promise<Sandbox> =>
      openSandbox(transport, await transport.read<SandboxWithUsers>('GET', `/sandboxes${pathOf(name)}`)),
    /**
     * Runs a test in a sandbox of its own, which is dropped afterwards. Where it fails, the requests that the sandbox
     * received are printed on standard error.
     * @throws what the test throws; an Error if it requested paths that aren't served, unless `allowUnmatched` is set
     */
    async withSandbox<T>(test: (box: Sandbox) => T | Promise<T>, options: TestOptions = {}): Promise<T> {
      refuseUnknown('withSandbox', options, testOptions);
      return testInSandbox(await make(options), test, options);
    },
    /** All sandboxes, `default` included. */
    sandboxes: (): Promise<SandboxDescription[]> => transport.read('GET', '/sandboxes'),
  };
}
