// Tokens: what is stored, and what a wrong token reveals. test/edge/log.test.ts tests that none is logged.
import { test } from 'tap';
import { sql } from 'kysely';
import { hashToken } from '../../src/access/credentials.ts';
import { startService } from '../support/service.ts';

const list = '/api/users/alice/notifications/';
const right = 'wlu_alice_public_sample_token_0000000000';

await test('guesses of a token are refused', async (t) => {
  const service = await startService(t);
  const guesses = [
    right.slice(0, -1),
    `${right}0`,
    right.toUpperCase(),
    right.replace('0', '1'),
    'x',
    'x'.repeat(8000),
    hashToken(right).toString('hex'),
  ];
  const answers = await Promise.all(guesses.map((token) => service.request('GET', list, { token })));
  const [first] = answers;
  for (const [i, answer] of answers.entries()) {
    t.equal(answer.status, 401, `${guesses[i]?.slice(0, 50)}`);
    t.equal(answer.text, first?.text, 'a near miss gets the same answer as any other');
  }
  t.equal((await service.request('GET', list, { token: right })).status, 200);
});

await test('only hashes of tokens are stored, and compared', async (t) => {
  const service = await startService(t);
  const { rows } = await sql<{ hash: Buffer }>`select hash from understudy.tokens`.execute(service.database.load);
  t.ok(rows.length > 0);
  // The time of a comparison reveals only parts of a hash, and no client can find a token with a given hash.
  t.ok(rows.every(({ hash }) => hash.length === 32));
  t.ok(rows.some(({ hash }) => hash.equals(hashToken(right))));
  const columns = await sql<{ column: string }>`select column_name as column from information_schema.columns
    where table_schema = 'understudy' and table_name in ('tokens', 'sandbox_tokens')`.execute(service.database.load);
  t.same(
    new Set(columns.rows.map(({ column }) => column)),
    new Set(['sandbox_id', 'hash', 'user_id', 'username_key', 'created_at']),
    'no column could hold the text of a token',
  );
});

await test('generated tokens can not be guessed', async (t) => {
  const service = await startService(t);
  await service.request('PUT', '/_understudy/sandboxes/tokens-a', { json: {} });
  const made = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.request('POST', '/_understudy/sandboxes/tokens-a/tokens', { json: { username: 'alice' } }),
    ),
  );
  const tokens = made.map(({ json }) => (json as { token: string }).token);
  t.equal(new Set(tokens).size, tokens.length, 'no token occurs twice');
  for (const token of tokens) t.match(token, /^wlu_sandbox_tokens-a_[0-9a-f]{32}$/, 'with 122 random bits');
});
