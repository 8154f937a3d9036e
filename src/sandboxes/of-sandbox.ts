// Declares an operation on one sandbox: under that sandbox's path, behind the gate, and 404 for a name that no sandbox
// has.
import { Type } from '@sinclair/typebox';
import type { Operation, OperationConfig } from '../http/operation.ts';

type Declared = Omit<OperationConfig, 'access'> & Operation<never>['schema'];

export const SandboxPath = Type.Object({ name: Type.String({ examples: ['ci'] }) });

/** @param path what follows the sandbox's name */
export const ofSandbox = <S>(
  method: Operation<S>['method'],
  path: string,
  handler: Operation<S>['handler'],
  { params = SandboxPath, querystring, response, errors = [], ...config }: Declared,
): Operation<S> => ({
  method,
  url: `/_understudy/sandboxes/:name${path}`,
  schema: { params, response, ...(querystring && { querystring }) },
  config: { ...config, access: 'admin', errors: ['sandbox_not_found', ...errors] },
  handler,
});
