// The Python client's types of rules and matches have the keys of the schemas.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { FaultInForce, FaultRule } from '../../src/traffic/fault-rules.ts';
import { ExchangeMatch, RequestMatch } from '../../src/traffic/request-match.ts';

const file = join(import.meta.dirname, '../../clients/python/src/weblate_understudy/types.py');

/** The keys of each class, those of the one that it extends before them. */
function readClasses(source: string): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, readonly string[]>();
  for (const [, name = '', base = '', body = ''] of source.matchAll(
    /^class (\w+)\((\w+)[^)]*\):\n((?:(?: {4}.*)?\n)*)/gm,
  )) {
    const own = [...body.matchAll(/^ {4}(\w+): /gm)].map(([, key = '']) => key);
    classes.set(name, [...(classes.get(base) ?? []), ...own]);
  }
  return classes;
}

await test('a type has the keys of its schema', async (t) => {
  const classes = readClasses(readFileSync(file, 'utf8'));
  for (const [name, { properties }] of Object.entries({ FaultInForce, FaultRule, ExchangeMatch, RequestMatch })) {
    // A rule in force says when it ends; the type that both share says how it is asked for.
    const ofType = (classes.get(name) ?? []).filter((key) => name !== 'FaultInForce' || key !== 'expires_in_seconds');
    t.same(ofType.toSorted(), Object.keys(properties).toSorted(), name);
  }
});
