// Bodies of our own API: JSON or YAML, and by their type. What a form on a page can send without being asked is neither.
import type { FastifyRequest } from 'fastify';
import { apiError } from '../../errors.ts';
import { readYaml } from '../../yaml/read-yaml.ts';

const types: Readonly<Record<string, 'json' | 'yaml'>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'text/x-yaml': 'yaml',
};

/** Throws 415 where the request has a body, or says that it has one, of another type. */
export function checkType(request: FastifyRequest): void {
  const written = request.headers['content-type'];
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  if ((written !== undefined || hasBody) && typeOf(written) === undefined)
    throw apiError('unsupported_admin_type', written ?? '');
}

const typeOf = (written = '') => types[written.split(';', 1)[0]?.trim().toLowerCase() ?? ''];

export interface AdminBody {
  /** Undefined where there is none. */
  readonly text: string | undefined;
  /** The value; undefined where there is none. Throws 400 for what can't be read. */
  value(): Promise<unknown>;
}

/** Throws 400 for what isn't UTF-8. */
export function readBody(request: FastifyRequest): AdminBody {
  const bytes = request.body as Buffer | undefined;
  const isJson = typeOf(request.headers['content-type']) === 'json';
  const name = isJson ? 'json_invalid' : 'yaml_invalid';
  const fail = (error: unknown): never => {
    throw apiError(name, error instanceof Error ? error.message : String(error));
  };
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return fail(error);
    }
  };
  const text =
    bytes === undefined || bytes.length === 0
      ? undefined
      : attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  return {
    text,
    async value() {
      if (text === undefined) return undefined;
      return isJson ? attempt(() => JSON.parse(text) as unknown) : await readYaml(text).catch(fail);
    },
  };
}
