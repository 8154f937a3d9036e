// A sandbox for a test with tap, vitest or node:test. `await using` deletes it at the end of the test (Node 24).
import { mkdir, writeFile } from 'node:fs/promises';

const { API_URL = 'http://127.0.0.1:8000', API_ADMIN_TOKEN } = process.env;

export interface SandboxOptions {
  /** A shipped seed or another sandbox. */
  readonly from?: string;
  /** A seed instead of `from`. */
  readonly seed?: object;
  /** Called at the end. If it returns true, the journal and the content are saved under `artifacts`. */
  readonly failed?: () => boolean;
}
export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

export async function createSandbox({ failed = () => false, ...body }: SandboxOptions = {}) {
  const made = JSON.parse(await request('POST', '', body)) as Made;
  const own = `/${made.name}`;
  /** Restores the state at creation, including ids. */
  const reset = () => request('POST', `${own}/reset`);
  /** Saves the requests that were received, and the content. */
  async function save(folder = 'artifacts'): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}${own}.requests.json`, await request('GET', `${own}/requests`));
    await writeFile(`${folder}${own}.seed.yaml`, await request('GET', `${own}/seed`));
  }
  async function drop(): Promise<void> {
    if (failed()) await save();
    await request('DELETE', own);
  }
  /** By username. Each selects the sandbox by itself, for clients whose URL can't be changed. */
  const tokens = Object.fromEntries(made.users.map(({ username, token }) => [username, token]));
  return { name: made.name, base_url: made.base_url, tokens, reset, save, [Symbol.asyncDispose]: drop };
}

interface Made {
  readonly name: string;
  /** The base URL for the client under test: `{base_url}/api/users/…` */
  readonly base_url: string;
  readonly users: readonly { readonly username: string; readonly token: string }[];
}

async function request(method: string, path: string, json?: object): Promise<string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (API_ADMIN_TOKEN) headers['authorization'] = `Bearer ${API_ADMIN_TOKEN}`;
  const body = json === undefined ? null : JSON.stringify(json);
  const response = await fetch(`${API_URL}/_understudy/sandboxes${path}`, { method, headers, body });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.text();
}
