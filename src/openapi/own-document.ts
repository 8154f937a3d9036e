// The document of our own API, what stands under /_understudy/.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { ErrorLine, ErrorName } from '../errors.ts';
import type { Operation } from '../api/operation.ts';
import { version } from '../version.ts';
import { buildDocument } from './document.ts';
import type { Documented } from './describe-operation.ts';
import * as schemas from './own-schemas.ts';
import type { OpenApiDocument } from './types.ts';

const description = `What Understudy adds to the API that it mirrors: sandboxes, faults on purpose, the journal, health and figures.

Open on loopback; elsewhere UNDERSTUDY_ADMIN and UNDERSTUDY_ADMIN_TOKEN say who may use it. The Host must be loopback, a name without a
dot or one that UNDERSTUDY_ALLOWED_HOSTS lists, and bodies must be JSON or YAML by their type.`;

const name = Type.Object({ name: Type.String({ pattern: '^[a-z0-9-]{1,63}$' }) });
const nameAndSnapshot = Type.Object({ ...name.properties, snapshot: Type.String() });

interface Line extends Operation {
  readonly tag: string;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly bodyExample?: unknown;
}

const unknownSandbox: readonly ErrorName[] = ['sandbox_not_found'];
const noSeconds: ErrorLine = {
  code: 'invalid',
  detail: 'Must be a whole number from 60 to 2592000.',
  attr: 'expires_in_seconds',
};
const reserved: ErrorLine = { code: 'reserved', detail: 'The name all is reserved.', attr: 'name' };
const noUsername: ErrorLine = { code: 'required', detail: 'Whose token? A username.', attr: 'username' };
const badSnapshot: ErrorLine = {
  code: 'invalid',
  detail: 'A snapshot is named as a sandbox: a to z, 0 to 9 and -.',
  attr: 'snapshot',
};
const badSeed: ErrorLine = {
  code: 'invalid_seed',
  detail: 'Not a known key; did you mean username? (line 2, column 5)',
  attr: 'users[0].usernme',
};
const idleRule: ErrorLine = {
  code: 'invalid',
  detail: 'Does nothing: it needs delay_ms, status or connection.',
  attr: 'rules[0]',
};
const badLimit: ErrorLine = { code: 'invalid', detail: 'Must be a number.', attr: 'limit' };

const sandboxes = (operation: Omit<Line, 'tag'>): Line => ({ tag: 'Sandboxes', ...operation });
const ofSandbox = (operation: Omit<Line, 'tag' | 'params'>): Line =>
  sandboxes({ params: name, ...operation, errors: [...unknownSandbox, ...(operation.errors ?? [])] });
const ofSnapshot = (operation: Omit<Line, 'tag' | 'params'>): Line => ({
  ...ofSandbox(operation),
  params: nameAndSnapshot,
});
const traffic = (operation: Omit<Line, 'tag' | 'params'>): Line => ({
  ...ofSandbox(operation),
  tag: 'Faults and journal',
});
const sight = (operation: Omit<Line, 'tag'>): Line => ({ tag: 'Health and figures', isPlain: true, ...operation });

const create: { body: TObject; status: number; answer: TSchema; errors: readonly ErrorName[]; bodyExample: unknown } = {
  body: schemas.SandboxRequest,
  status: 201,
  answer: schemas.NewSandbox,
  errors: ['sandbox_source_unknown', 'sandbox_limit'],
  bodyExample: { from: 'documented', expires_in_seconds: 3600 },
};
const nothing = { status: 204, answer: null };

const lines: Readonly<Record<string, Line>> = {
  'GET /sandboxes': sandboxes({ id: 'sandboxes_list', summary: 'List sandboxes', answer: Type.Array(schemas.Sandbox) }),
  'POST /sandboxes': sandboxes({
    id: 'sandboxes_create',
    summary: 'Create a sandbox, its name picked',
    ...create,
    faults: [noSeconds],
  }),
  'GET /sandboxes/:name': ofSandbox({ id: 'sandboxes_read', summary: 'Read a sandbox', answer: schemas.SandboxDetail }),
  'PUT /sandboxes/:name': sandboxes({
    id: 'sandboxes_put',
    summary: 'Create a sandbox, or make it anew',
    params: name,
    ...create,
    errors: [...create.errors, 'sandbox_not_found'],
    faults: [reserved, noSeconds],
  }),
  'DELETE /sandboxes/:name': ofSandbox({
    id: 'sandboxes_delete',
    summary: 'Drop a sandbox',
    ...nothing,
    errors: ['sandbox_permanent'],
  }),
  'POST /sandboxes/:name/reset': ofSandbox({
    id: 'sandboxes_reset',
    summary: 'Put a sandbox back to what it was made from',
    ...nothing,
    errors: ['sandbox_without_baseline'],
  }),
  'GET /sandboxes/:name/seed': ofSandbox({
    id: 'sandboxes_seed_read',
    summary: 'Export a sandbox as a seed',
    querystring: schemas.SeedQuery,
    answer: schemas.Seed,
    alsoAs: ['application/yaml'],
    errors: ['not_found', 'export_limit'],
  }),
  'PUT /sandboxes/:name/seed': ofSandbox({
    id: 'sandboxes_seed_put',
    summary: 'Load a seed into a sandbox, which then holds exactly that',
    body: schemas.Seed,
    answer: schemas.SeedSummary,
    faults: [badSeed],
    bodyExample: { users: [{ username: 'alice' }] },
  }),
  'PUT /sandboxes/:name/snapshots/:snapshot': ofSnapshot({
    id: 'sandboxes_snapshot_put',
    summary: 'Keep a sandbox as it is now',
    ...nothing,
    errors: ['snapshot_limit'],
    faults: [badSnapshot],
  }),
  'POST /sandboxes/:name/snapshots/:snapshot/restore': ofSnapshot({
    id: 'sandboxes_snapshot_restore',
    summary: 'Put a sandbox back to a snapshot',
    ...nothing,
    errors: ['snapshot_not_found'],
  }),
  'POST /sandboxes/:name/tokens': ofSandbox({
    id: 'sandboxes_tokens_create',
    summary: 'Make a token that chooses the sandbox by itself',
    body: schemas.TokenRequest,
    status: 201,
    answer: schemas.UserToken,
    errors: ['user_not_found'],
    faults: [noUsername],
    bodyExample: { username: 'alice' },
  }),
  'GET /sandboxes/:name/faults': traffic({
    id: 'faults_list',
    summary: 'List the faults in force',
    answer: schemas.FaultsInForce,
  }),
  'PUT /sandboxes/:name/faults': traffic({
    id: 'faults_put',
    summary: 'Set the faults, in place of the former ones',
    body: schemas.FaultRules,
    answer: schemas.FaultsInForce,
    faults: [idleRule],
    bodyExample: { rules: [{ method: 'GET', path: '/api/users/**', status: 503, next: 2 }] },
  }),
  'DELETE /sandboxes/:name/faults': traffic({ id: 'faults_clear', summary: 'Clear the faults', ...nothing }),
  'GET /sandboxes/:name/requests': traffic({
    id: 'journal_list',
    summary: 'List the last requests, oldest first',
    querystring: schemas.JournalQuery,
    answer: Type.Array(schemas.JournalEntry),
    faults: [badLimit],
  }),
  'DELETE /sandboxes/:name/requests': traffic({ id: 'journal_clear', summary: 'Empty the journal', ...nothing }),
  'GET /health/live': sight({ id: 'health_live', summary: 'Whether the process lives', answer: schemas.Health }),
  'GET /health/ready': sight({
    id: 'health_ready',
    summary: 'Whether it can answer: migrated, seeded and connected',
    answer: schemas.Health,
    others: { 503: schemas.Health },
  }),
  'GET /metrics': sight({
    isPlain: false,
    id: 'metrics_read',
    summary: 'Figures for Prometheus',
    answer: null,
    alsoAs: ['text/plain'],
  }),
};

export function describeOwn(): OpenApiDocument {
  const operations = Object.entries(lines).map(([line, { tag, params, querystring, bodyExample, ...operation }]) => {
    const [method = '', path = ''] = line.split(' ');
    return {
      method,
      path: `/_understudy${path}`,
      params,
      querystring,
      tag,
      operation,
      bodyExample,
    } satisfies Documented;
  });
  return buildDocument({
    title: 'Understudy: its own API',
    version,
    description,
    tags: [
      { name: 'Sandboxes', description: 'Isolated places with users, subscriptions and ids of their own.' },
      { name: 'Faults and journal', description: 'What goes wrong on purpose in a sandbox, and what was asked there.' },
      { name: 'Health and figures', description: 'For whoever operates the service. Health is open to everybody.' },
    ],
    operations,
    customs: {
      bodyTypes: ['application/json', 'application/yaml'],
      otherAnswers: [],
      commonParameters: [],
      commonErrors: ['invalid_host', 'admin_closed', 'server_error', 'service_unavailable'],
      writeErrors: [],
      bodyErrors: ['json_invalid', 'yaml_invalid', 'body_too_large', 'unsupported_admin_type'],
      answerHeaders: ['X-Understudy'],
      isOpen: () => true,
      securitySchemes: ['AdminToken'],
    },
    parameters: {},
    headers: {
      'X-Understudy': { description: 'The version that answers, and what it mirrors.', schema: { type: 'string' } },
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
    },
    securitySchemes: {
      AdminToken: { type: 'http', scheme: 'bearer', description: 'The value of UNDERSTUDY_ADMIN_TOKEN.' },
    },
  });
}
