// A sandbox for a test, with tap, vitest or node:test: createSandbox() makes one, `await using` drops it at the test's end.
import { mkdir, writeFile } from 'node:fs/promises';

const { API_URL = 'http://127.0.0.1:8000', API_ADMIN_TOKEN } = process.env;

export interface SandboxOptions {
  /** A shipped seed or another sandbox. */
  readonly from?: string;
  /** Or a seed itself. */
  readonly seed?: object;
  /** Asked at the end: where a test failed, what explains it is saved under `artifacts`. */
  readonly failed?: () => boolean;
}
export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

export async function createSandbox({ failed = () => false, ...body }: SandboxOptions = {}) {
  const made = JSON.parse(await ask('POST', '', body)) as Made;
  const own = `/${made.name}`;
  /** Back to how it was made, ids included. */
  const reset = () => ask('POST', `${own}/reset`);
  /** The requests that came, and what the sandbox holds. */
  async function save(folder = 'artifacts'): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}${own}.requests.json`, await ask('GET', `${own}/requests`));
    await writeFile(`${folder}${own}.seed.yaml`, await ask('GET', `${own}/seed`));
  }
  async function drop(): Promise<void> {
    if (failed()) await save();
    await ask('DELETE', own);
  }
  /** By username. Each chooses the sandbox by itself, for clients whose URL can't be changed. */
  const tokens = Object.fromEntries(made.users.map(({ username, token }) => [username, token]));
  return { name: made.name, base_url: made.base_url, tokens, reset, save, [Symbol.asyncDispose]: drop };
}

interface Made {
  readonly name: string;
  /** What the client under test is given: `{base_url}/api/users/…` */
  readonly base_url: string;
  readonly users: readonly { readonly username: string; readonly token: string }[];
}

async function ask(method: string, path: string, json?: object): Promise<string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (API_ADMIN_TOKEN) headers['authorization'] = `Bearer ${API_ADMIN_TOKEN}`;
  const body = json === undefined ? null : JSON.stringify(json);
  const answer = await fetch(`${API_URL}/_understudy/sandboxes${path}`, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.text();
}
