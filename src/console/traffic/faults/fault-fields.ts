// A fault rule as the texts of a form's fields, and back.
import type { FaultInForce, FaultRule } from '../../../traffic/fault-rules.ts';

export type Texts = Readonly<Record<string, string>>;

/** A rule in force as a client would send it. */
export function ruleOf({ struck: _struck, expires, delay_ms: delay, ...same }: FaultInForce): FaultRule {
  return {
    ...same,
    ...(delay !== undefined && { delay_ms: delay.min === delay.max ? delay.min : delay }),
    expires_in_seconds: Math.max(1, Math.ceil((Date.parse(expires) - Date.now()) / 1000)),
  };
}

export function textsOf(rule: FaultRule): Texts {
  const { delay_ms: delay, headers = {}, body, expires_in_seconds: seconds = 300, ...plain } = rule;
  const { min, max } = typeof delay === 'number' ? { min: delay, max: undefined } : (delay ?? {});
  const texts = {
    ...plain,
    delay_min: min,
    delay_max: max,
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: textOfBody(body),
    expires_in_seconds: seconds,
  };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value ?? '')]));
}

/** The rule that a form describes, to be checked. What is no number stays a text, which the check names. */
export function ruleIn(form: Texts): Readonly<Record<string, unknown>> {
  const text = (name: string) => form[name]?.trim() || undefined;
  const number = (name: string) => {
    const given = text(name);
    return given === undefined || Number.isNaN(Number(given)) ? given : Number(given);
  };
  const [min, max] = [number('delay_min'), number('delay_max')];
  const rule = {
    name: text('name'),
    method: text('method'),
    path: text('path'),
    user: text('user'),
    status: number('status'),
    body: bodyIn(form['body'] ?? ''),
    headers: headersIn(form['headers'] ?? ''),
    connection: text('connection'),
    next: number('next'),
    delay_ms: max === undefined ? min : { min: min ?? 0, max },
    expires_in_seconds: number('expires_in_seconds'),
  };
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
}

/** JSON where it can be read as that, else a text. */
function bodyIn(text: string): unknown {
  if (text.trim() === '') return undefined;
  const json = readJson(text);
  return json === undefined ? text : json.value;
}

function textOfBody(body: unknown): string {
  if (body === undefined) return '';
  const isPlain = typeof body === 'string' && body.trim() !== '' && readJson(body) === undefined;
  return isPlain ? body : JSON.stringify(body, null, 2);
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

// A line without a colon stays whole, and is no name of a header.
function headersIn(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = line, value = ''] = /^([^:]*?)\s*:\s*(.*)$/.exec(line) ?? [];
      return [name, value];
    }),
  );
}
