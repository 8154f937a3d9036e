// The configuration: the environment, read and checked into one frozen object. All faults are reported at once, each
// with its variable.
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isLoopback } from '../../access/gate.ts';
import { UserError } from '../../base/errors.ts';
import { didYouMean } from '../../base/nearest.ts';
import { Environment } from './variables.ts';

export type Configuration = Readonly<Static<typeof Environment>>;

/** The address by which clients reach the port. The host of a container is no one's but its own. */
export const reachableAt = ({ UNDERSTUDY_BIND, UNDERSTUDY_HOST }: Configuration): string =>
  UNDERSTUDY_BIND ?? UNDERSTUDY_HOST;

type Given = Readonly<Record<string, string | undefined>>;

/** The names in errors for variables that the user gave in another way, such as `--port` for PORT. */
export type Aliases = Readonly<Record<string, string>>;

const schemas: Readonly<Record<string, TSchema>> = Environment.properties;

/** An empty variable counts as unset, as in a compose file's `${NAME:-}`. Throws UserError. */
export function readConfiguration(env: Given, aliases: Aliases = {}): Configuration {
  const converted = Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => (env[name] ? [[name, convert(schema, env[name])]] : [])),
  );
  const values = Value.Default(Environment, converted) as Configuration;
  const faults = [...listUnknown(env), ...listInvalid(values, env, aliases), ...listContradictions(values, aliases)];
  if (faults.length > 0) throw new UserError(faults.join('\n'));
  return Object.freeze(values);
}

function convert(schema: TSchema & { form?: RegExp }, text: string): unknown {
  // Value.Convert takes the 1 of 1e2, 1.5 or 0x10 for the number: what isn't only digits stays a text, and so an error.
  const { type, form = /^\d+$/ } = schema;
  return type === 'integer' && !form.test(text) ? text : Value.Convert(schema, text);
}

// Kubernetes sets these in every container if a Service is named understudy.
const ofKubernetes = /^UNDERSTUDY_(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT(?:_\d+_\w+)?)$/;

function listUnknown(env: Given): string[] {
  // The last is for clients: the service that they use. A runner may hand it to the service as well.
  const known = [...Object.keys(schemas), 'UNDERSTUDY_URL'];
  const otherwise = ' (`weblate-understudy serve --help` lists them all): remove it';
  return Object.keys(env)
    .filter((name) => name.startsWith('UNDERSTUDY_') && !known.includes(name) && !ofKubernetes.test(name))
    .map((name) => `${name} is not a variable of this version${didYouMean(name, known, otherwise)}`);
}

function listInvalid(values: Configuration, given: Given, aliases: Aliases): string[] {
  const names = new Set([...Value.Errors(Environment, values)].map((error) => error.path.split('/')[1] as string));
  return [...names].map((name) => {
    const { expects, secret } = schemas[name] as TSchema & { expects: string; secret?: boolean };
    return `${aliases[name] ?? name} must be ${expects}${secret === true ? '' : `, not "${given[name]}"`}`;
  });
}

function listContradictions(values: Configuration, aliases: Aliases): string[] {
  const kept = (['DATABASE_URL', 'UNDERSTUDY_DATA_DIR'] as const).filter((name) => values[name] !== undefined);
  const isOpen = values.UNDERSTUDY_ANONYMOUS === 'write';
  const address = values.UNDERSTUDY_BIND === undefined ? 'UNDERSTUDY_HOST' : 'UNDERSTUDY_BIND';
  const faults: [isFault: boolean, text: string][] = [
    [
      values.UNDERSTUDY_TEMPORARY && kept.length > 0,
      `UNDERSTUDY_TEMPORARY makes a database of its own; it needs ${kept.join(' and ')} to be unset`,
    ],
    [
      isOpen && !isLoopback(reachableAt(values)),
      `UNDERSTUDY_ANONYMOUS=write lets anonymous clients change everything; it needs a loopback ${aliases[address] ?? address}, not "${values[address]}"`,
    ],
    [
      isOpen && values.UNDERSTUDY_CORS_ORIGINS === '*',
      'UNDERSTUDY_CORS_ORIGINS=* lets every web page change everything with UNDERSTUDY_ANONYMOUS=write; list the origins of yours instead',
    ],
  ];
  return faults.flatMap(([isFault, text]) => (isFault ? [text] : []));
}
