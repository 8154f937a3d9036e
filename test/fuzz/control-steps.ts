// Requests to the control API, made from its declared operations. Bodies and queries mostly fit the schemas.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { monitoring } from '../../src/service/monitoring/operations.ts';
import { sandboxes as ofSandboxes } from '../../src/sandboxes/operations.ts';
import { traffic } from '../../src/traffic/operations.ts';
import type { Json } from '../transcripts/engine/raw-json.ts';
import type { Step } from '../generator/steps.ts';
import { asText, type Body, type Fields, noBody, rawBodies, recordOf, sent } from '../generator/bodies.ts';
import { anyValue } from '../generator/values.ts';
import { queriesOf } from '../generator/wire.ts';
import { weighted } from '../generator/weighted.ts';
import type { World } from '../generator/world.ts';
import { sandboxes, spare } from './sandboxes.ts';

const operations = [...ofSandboxes.operations, ...traffic.operations, ...monitoring.operations];
type Operation = (typeof operations)[number];

/** The name of a rule that delays a request, which is then answered as usual. */
export const slow = 'slow';

/** Few seeds, because each becomes a template in the database. */
const seeds: readonly Json[] = [
  { users: [{ username: 'alice', token: 'wlu_alice0000000000000000000000000000000', subscriptions: [] }] },
  { users: [{ username: 'admin', is_superuser: true }], projects: [{ slug: 'demo', name: 'Demo' }] },
  { groups: [{ name: 'Editors', permissions: ['user.edit'] }], users: [{ username: 'bob', groups: ['Editors'] }] },
];
const badSeeds: readonly Json[] = [{ users: [{ usernme: 'x' }] }, { users: [{ username: '.' }] }, { users: 1 }];

const slowly: Json = { name: slow, delay_ms: { min: 1, max: 9 }, next: 9 };
// Only connections of requests about bob are closed on purpose: any other closed connection is a fault.
const closing = fc.constantFrom<Json>('close', 'cut').map((connection): Json => ({
  match: { path: '/api/users/bob/**' },
  connection,
  next: 2,
}));

/** Values for the properties whose schemas tell too little, by name. */
const meant = ({ usernames }: World): Readonly<Record<string, Arbitrary<Json>>> => ({
  from: fc.constantFrom('documented', ...sandboxes, 'nothing'),
  username: fc.constantFrom(...usernames, 'nobody'),
  user: fc.constantFrom(...usernames, null),
  principal: fc.constantFrom(...usernames),
  method: fc.constantFrom('GET', 'POST', 'PATCH'),
  path: fc.constantFrom('/api/users/*/notifications/', '/api/**', '/api/users/bob/**'),
  name: fc.constantFrom('busy', 'down'),
  now: fc.constantFrom<Json>(null, '2026-01-02', '9999-12-31T23:59:59Z', 'never'),
  times: fc.constantFrom<Json>(0, 1, { min: 1 }, { min: 1, max: 3 }, { min: 2, max: 1 }),
  query: fc.constantFrom<Json>({ page: 2 }, { page: '1', format: 'json' }, 'page=1'),
  // Short waits, and a wait above the limit.
  within_ms: fc.constantFrom<Json>(0, 1, 20, 60_001),
  delay_ms: fc.constantFrom<Json>(1, { min: 1, max: 9 }),
  // Valid HTTP, because a rule may send these headers.
  headers: fc.constantFrom<Json>({ 'Retry-After': '1' }, { Accept: 'json' }),
});

function valuesOf(world: World, schema: TSchema, name = ''): Arbitrary<Json> {
  const known = meant(world)[name];
  const { type, anyOf, pattern, minimum, maximum, properties, items } = schema;
  if (schema['$id'] === 'Seed' || schema['$ref'] === 'Seed') return fc.constantFrom(...seeds, ...seeds, ...badSeeds);
  if (schema['$id'] === 'FaultRule')
    return weighted(
      [4, ofObject(world, Type.Omit(schema as TObject, ['connection']))],
      [1, closing],
      [1, fc.constant(slowly)],
    );
  if (known !== undefined) return known;
  if (anyOf !== undefined) return fc.oneof(...(anyOf as TSchema[]).map((member) => valuesOf(world, member)));
  if ('const' in schema) return fc.constant(schema['const'] as Json);
  if (type === 'object' && properties !== undefined) return ofObject(world, schema as TObject);
  if (type === 'array') return fc.array(valuesOf(world, items), { maxLength: 3 });
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.constantFrom(0.5, 1);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' });
  return type === 'string' ? fc.constantFrom('', 'users: []', 'page=1') : anyValue;
}

function ofObject(world: World, { properties, required = [] }: TObject): Arbitrary<Fields> {
  // Each rule has `next`, so that it ends: without an end, it would leave no usual answer to judge.
  return recordOf({ properties, required: [...required, 'next'] }, (name, property) =>
    name === 'next' ? fc.integer({ min: 1, max: 3 }) : valuesOf(world, property, name),
  );
}

const oddNames = `all none documented ${'x'.repeat(70)} - %2f %65ne .. %00 '`.split(' ');
const brokenYaml = ['users: [', 'a: &a [*a]', '\0', '{"rules": {'];

function bodiesOf(world: World, schema: TObject): Arbitrary<Body> {
  const right = valuesOf(world, schema) as Arbitrary<Fields>;
  const wrong = fc
    .tuple(right, fc.constantFrom(...Object.keys(schema.properties), 'nope'), anyValue)
    .map(([body, name, value]): Fields => ({ ...body, [name]: value }));
  const fields = weighted([10, right], [2, wrong]);
  const yaml = weighted([8, fields.map((json) => JSON.stringify(json))], [1, fc.constantFrom(...brokenYaml)]);
  const yamlTypes = fc.constantFrom('application/yaml', 'text/x-yaml');
  return weighted(
    [15, fields.map((json) => ({ json }))],
    [9, fc.tuple(yamlTypes, yaml).map(([type, raw]) => sent(type, raw))],
    [2, rawBodies(fields)],
    [1, noBody],
  );
}

function stepsOf(world: World, { method, url, querystring, body: declared }: Operation): Arbitrary<Step> {
  // Requests that replace or delete a sandbox mostly name `spare`: all other requests need the other sandboxes.
  const isDrastic = url.endsWith('/seed') ? method === 'PUT' : url.endsWith('/:name') && method !== 'GET';
  const three = fc.constantFrom<string>(...sandboxes);
  const names = weighted(
    [isDrastic ? 1 : 16, isDrastic && url.endsWith('/seed') ? fc.constantFrom('one', 'two') : three],
    [isDrastic ? 16 : 2, fc.constant(spare)],
    [1, fc.constantFrom(...oddNames)],
  );
  const snapshots = weighted(
    [30, fc.constantFrom('s0', 's1')],
    // More snapshots than a sandbox may have.
    [method === 'PUT' ? 60 : 2, fc.nat({ max: 400 }).map((number) => `s${number}`)],
    [1, fc.constantFrom(...oddNames)],
  );
  return fc
    .record({
      name: names,
      snapshot: snapshots,
      query: queriesOf(querystring, (key, property) =>
        valuesOf(world, property, key).map((value) => encodeURIComponent(asText(value).toWellFormed())),
      ),
      body: declared === undefined ? noBody : bodiesOf(world, declared),
      as: weighted(
        [method === 'GET' ? 8 : 30, fc.constant<string>(method)],
        [1, fc.constantFrom('HEAD', 'OPTIONS', 'POST', 'PATCH')],
      ),
    })
    .map(({ name, snapshot, query, body, as }) => ({
      operation: `${as} ${url}`,
      request: {
        method: as,
        path: `${url.replace(':name', () => name).replace(':snapshot', () => snapshot)}?${query.join('&')}`.replace(
          /\?$/u,
          '',
        ),
        ...(as === method && body),
      },
    }));
}

export const controlSteps = (world: World): Arbitrary<Step> =>
  fc.oneof(...operations.map((operation) => stepsOf(world, operation)));
