// Exports: a sandbox as a seed that recreates it with its ids and order. Columns of users with initial values are left
// out, and so are tokens, of which only hashes are stored. Memory holds one page of rows at a time.
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { apiError } from '../../base/errors.ts';
import { Undo } from '../../base/undo.ts';
import { createTurns } from '../turns.ts';
import { initialValues, type Kind, propertiesOf } from '../../model/kinds.ts';
import { beginSnapshot, listNamedGroups, readPages, type Snapshot } from './queries.ts';

export const tokensNote = 'Tokens are stored as hashes and can not be exported.';

// All exports together read ahead of their readers up to so many bytes. An export that fits is read from the database
// in a moment, however slowly its reader takes it.
const maxAhead = 2 ** 24;
// The least that a reader must take between two looks at its export: something, and more while others wait for a turn.
const minTaken = { alone: 1, wanted: 2 ** 20 };

/**
 * Each export has a connection and a snapshot of its own until the last row is read or the reader gives up.
 * @param lookMs closes an export whose reader takes too little in that time
 */
export function createExports(connect: () => Promise<Client>, lookMs = 5000) {
  const turns = createTurns({ atOnce: 4, ownAtOnce: 2, waiting: 64, ownWaiting: 32 }, 'export_limit');
  const streams = new Set<Readable>();
  const isAhead = (own: Readable) =>
    own.readableLength > 0 && [...streams].reduce((sum, one) => sum + one.readableLength, 0) > maxAhead;

  /** The text is read as fast as it is consumed, or faster. Throws an ApiError if there is no such sandbox. */
  return async (name: string, format: keyof typeof layouts, left?: AbortSignal) => {
    await using stack = new Undo();
    const turn = await turns.take(name, left);
    stack.defer(() => turn[Symbol.dispose]());
    const client = await connect();
    stack.defer(() => void client.end().catch(() => undefined));
    const snapshot = await beginSnapshot(client, name);
    if (snapshot === undefined) throw apiError('sandbox_not_found', name);
    const pieces = textOf(client, snapshot, layouts[format]);
    // Until the first rows are there, a failure can still become an error response.
    const first = await pieces.next();
    const release = stack.move();
    let [goOn, isReading, pushed, before] = [(): void => undefined, true, 0, 0];
    const stream = new Readable({ encoding: 'utf8', read: () => goOn() });
    streams.add(stream);

    // Releases as early as possible: an open snapshot keeps PostgreSQL from vacuuming.
    async function read() {
      for (let { value } = first; value !== undefined && !stream.destroyed; { value } = await pieces.next()) {
        stream.push(value);
        pushed += value.length;
        if (isAhead(stream)) await new Promise<void>((resolve) => (goOn = resolve));
      }
      isReading = false;
      await release();
      stream.push(null);
    }
    read().catch((error: unknown) => stream.destroy(error as Error));

    const look = () => {
      const taken = pushed - stream.readableLength;
      const min = isReading && turns.areWanted() ? minTaken.wanted : minTaken.alone;
      if (stream.readableLength > 0 && taken - before < min)
        stream.destroy(new Error(`of an export, fewer than ${min} characters were read in ${lookMs} ms`));
      before = taken;
    };
    const timer = setInterval(look, lookMs).unref();
    return stream.once('close', () => {
      clearInterval(timer);
      streams.delete(stream);
      goOn();
      void release();
    });
  };
}

type Entry = Readonly<Record<string, unknown>>;

/** The lists in the order of the text. A user's subscriptions are written with the user. */
export const lists = ['users', 'groups', 'projects', 'components'] as const;

async function* textOf(client: Client, snapshot: Snapshot, layout: Layout): AsyncGenerator<string> {
  const { id: sandboxId, now, next_id } = snapshot;
  const { first, next, close, empty } = layout.list;
  const groupNames = new Map((await listNamedGroups(client, sandboxId)).map(({ id, name }) => [id, name]));
  // Yielded only with the first rows: until then a failure can still become an error response.
  let text = layout.begin + (now === null ? '' : layout.key('now') + layout.text(now));
  for (const list of lists) {
    text += layout.key(list);
    let isEmpty = true;
    for await (const rows of readPages(client, list, sandboxId)) {
      const entries = rows.map((row) => entryText(list, row, groupNames, layout));
      yield text + (isEmpty ? first : next) + entries.join(next);
      text = '';
      isEmpty = false;
    }
    text += isEmpty ? empty : close;
  }
  yield text + layout.key('next_id') + layout.last(next_id);
}

/** A row's text in a seed. @param groupNames by id, of groups that users refer to by name; others they name by id */
export function entryText(kind: Kind, row: Entry, groupNames: ReadonlyMap<number, string>, layout: Layout): string {
  if (kind !== 'users') return layout.entry(entryOf(kind, row));
  const defaults = initialValues('users', String(row['username']));
  const groups = (row['groups'] as number[]).map((group) => groupNames.get(group) ?? group);
  const all = Object.entries(entryOf('users', { ...row, groups }));
  const changed = all.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key]));
  const subscriptions = (row['subscriptions'] as Entry[]).map((one) => entryOf('subscriptions', one));
  return layout.user(Object.fromEntries(changed), subscriptions);
}

/** The id and the properties of the kind, without those that are null. */
function entryOf(kind: Kind, row: Entry): object {
  const entry: Record<string, unknown> = {};
  for (const [name, { codes = {} }] of [['id', {}] as const, ...propertiesOf(kind)]) {
    const value = row[name] ?? undefined;
    const wordFor = (code: unknown) => Object.keys(codes).find((word) => codes[word] === code) ?? code;
    if (value !== undefined) entry[name] = Array.isArray(value) ? value.map(wordFor) : wordFor(value);
  }
  return entry;
}

/** YAML as people write it. */
const yaml = {
  begin: `# Exported by Understudy. ${tokensNote}\n`,
  key: (key: string) => `\n${key}:`,
  /** The value of a key that is no list. */
  text: (text: string) => ` ${flow(text)}\n`,
  /** Before the first entry, before others, after the last; `empty` because groups left out mean the real system's. */
  list: { first: '\n  - ', next: '\n  - ', close: '\n', empty: ' []\n' },
  entry: (entry: object) => flow(entry),
  user: (user: object, subscriptions: readonly object[]) =>
    [...pairs(user), ...subscriptions.map((one, i) => `${i === 0 ? 'subscriptions:\n    ' : ''}  - ${flow(one)}`)].join(
      '\n    ',
    ),
  /** The value of the last key, and the end of the text. */
  last: (value: object) => ` ${flow(value)}\n`,
};
type Layout = typeof yaml;

const json: Layout = {
  begin: '{\n',
  key: (key) => `  ${JSON.stringify(key)}: `,
  text: (text) => `${JSON.stringify(text)},\n`,
  list: { first: '[\n    ', next: ',\n    ', close: '\n  ],\n', empty: '[],\n' },
  entry: (entry) => JSON.stringify(entry),
  user: (user, subscriptions) => JSON.stringify(subscriptions.length === 0 ? user : { ...user, subscriptions }),
  last: (value) => `${JSON.stringify(value)}\n}\n`,
};

export const layouts = { yaml, json };

/** A list that is written at once. */
export const listText = ({ first, next, close, empty }: Layout['list'], entries: readonly string[]) =>
  entries.length === 0 ? empty : first + entries.join(next) + close;

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = pairs(value);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  return isPlain(value) ? value : JSON.stringify(value).replace(unprintable, escape);
}

// Characters that YAML forbids and JSON doesn't escape, and those that change the direction or hide in an editor.
const unprintable = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;
const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const pairs = (value: object) => Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);

// Quotes everything that isn't plain, and words that some version of YAML reads as something other than text.
const isPlain = (text: string) =>
  /^[A-Za-z_](?:[A-Za-z0-9_./@ -]*[A-Za-z0-9_])?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
