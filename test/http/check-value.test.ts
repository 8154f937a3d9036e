// What clients send to our own API, checked against a schema: every fault at once, each with its place.
import { Type } from '@sinclair/typebox';
import { test } from 'tap';
import { across, checkValue, must } from '../../src/base/check-value.ts';
import { ApiError } from '../../src/base/errors.ts';

const Item = Type.Object(
  {
    size: Type.Integer({ minimum: 1, maximum: 9 }),
    range: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Object({ min: Type.Integer({ minimum: 0, maximum: 9 }) })]),
    ),
  },
  { [across]: ({ size }) => (size === 3 ? [{ code: 'same', detail: 'They differ.', attr: 'range' }] : []) },
);
const Whole = Type.Object({
  name: Type.Optional(Type.String({ [must]: 'be a name' })),
  shape: Type.Optional(Type.Object({ colour: Type.Optional(Type.String()) })),
  items: Type.Array(Item, { maxItems: 2 }),
});

function faultsOf(value: unknown): string[] {
  try {
    checkValue(Whole, value);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.lines.map(({ attr, code, detail }) => `${attr} ${code}: ${detail}`);
  }
}

await test('all faults of a value are reported at once, each with its place', async (t) => {
  const right = { name: 'a', items: [{ size: 1 }, { size: 2, range: { min: 1 } }] };
  t.equal(checkValue(Whole, right), right);
  t.strictSame(faultsOf(undefined), ['null invalid: Must be an object.']);
  t.strictSame(faultsOf([]), ['null invalid: Must be an object.']);
  t.strictSame(faultsOf({}), ['items required: This field is required.']);
  t.strictSame(faultsOf({ items: [], colour: 'red' }), ['colour unknown: Not a known key; did you mean shape.colour?']);
  t.strictSame(faultsOf({ nam: 1, name: 1, items: [5, { sizes: 1 }, 7] }), [
    'nam unknown: Not a known key; did you mean name?',
    'name invalid: Must be a name.',
    'items invalid: Must have at most 2 entries.',
  ]);
  t.strictSame(faultsOf({ items: [5, { zzz: 1, size: 0, range: 'x' }] }), [
    'items[0] invalid: Must be an object.',
    'items[1].zzz unknown: Not a known key; known keys: size, range.',
    'items[1].size invalid: Must be a whole number from 1 to 9, not 0.',
    'items[1].range invalid: Must be all or an object, not the text "x".',
  ]);
  t.strictSame(faultsOf({ items: [{ size: 1, range: { min: 10 } }] }), [
    'items[0].range.min invalid: Must be a whole number from 0 to 9, not 10.',
  ]);
  t.strictSame(faultsOf({ items: [{ size: 3, range: 'all' }] }), ['items[0].range same: They differ.']);
  t.strictSame(faultsOf({ items: [], constructor: 1 }).length, 1, 'what every object inherits is no known key');
});

await test('faults beyond a hundred are counted', async (t) => {
  const unknown = Object.fromEntries(Array.from({ length: 105 }, (_, n) => [`k${n}`, n]));
  const faults = faultsOf({ items: [], ...unknown });
  t.equal(faults.length, 101);
  t.equal(faults.at(-1), 'null invalid: and 5 more errors');
});
