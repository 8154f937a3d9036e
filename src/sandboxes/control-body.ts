// Reads bodies of the control API: JSON or YAML by their Content-Type, which http/control.ts has checked.
import type { Static, TSchema } from '@sinclair/typebox';
import { checkValue } from '../base/check-value.ts';
import type { Call } from '../http/call.ts';
import { ApiError, apiError } from '../base/errors.ts';
import { readYaml } from '../seeds/yaml/thread.ts';
import { checkDepth } from '../seeds/yaml/yaml-text.ts';

type Sent = Pick<Call<{ readonly name?: string }>, 'body' | 'contentType' | 'left' | 'params'>;

const isJson = ({ contentType = '' }: Sent) => /^application\/json\s*(?:;|$)/i.test(contentType);

function refuse(call: Sent, error: unknown): never {
  throw apiError(isJson(call) ? 'json_invalid' : 'yaml_invalid', (error as Error).message);
}

/** Undefined for an empty body. @throws ApiError 400 unless it is UTF-8 */
export function readText(call: Sent): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(call.body) || undefined;
  } catch (error) {
    return refuse(call, error);
  }
}

/** As readText. @throws ApiError 400 where it can't be parsed */
export async function readValue(call: Sent): Promise<unknown> {
  const text = readText(call);
  if (text === undefined) return undefined;
  try {
    if (!isJson(call)) return await readYaml(text, { sandbox: call.params.name ?? '', left: call.left });
    const value: unknown = JSON.parse(text);
    checkDepth(value);
    return value;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return refuse(call, error);
  }
}

/** @throws ApiError 400 with all errors of the body */
export const readControlBody = async <S extends TSchema>(schema: S, call: Sent): Promise<Static<S>> =>
  checkValue(schema, await readValue(call));
