// Writes a sandbox as a seed that makes the sandbox again, with ids and order. Leaves out what a new user has
// anyway, and all tokens, of which only hashes are stored.
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { apiError } from '../../base/errors.ts';
import { Undo } from '../../base/undo.ts';
import { createTurns } from '../turns.ts';
import { initialValues, type Kind, propertiesOf } from '../../model/kinds.ts';
import { beginSnapshot, listNamedGroups, readPages, type Snapshot } from './queries.ts';

export const tokensNote = 'Tokens are stored as hashes and can not be exported.';

// All exports together read about this many characters ahead of their readers. A shorter export
// soon ends its database connection, however slow its reader is.
const maxAhead = 2 ** 24;
// A reader must take this many characters between two looks at it: more if other exports wait.
const minTaken = { alone: 1, wanted: 2 ** 20 };

/**
 * Each export has its own connection and snapshot until its last row is read or its reader leaves.
 * @param lookMs if a reader takes too little in this time, its export is closed
 */
export function createExports(connect: () => Promise<Client>, lookMs = 5000) {
  const turns = createTurns({ atOnce: 4, ownAtOnce: 2, waiting: 64, ownWaiting: 32 }, 'export_limit');
  const streams = new Set<Readable>();
  const isAhead = (own: Readable) =>
    own.readableLength > 0 && [...streams].reduce((sum, one) => sum + one.readableLength, 0) > maxAhead;

  /** Throws ApiError if the sandbox is unknown, or too many exports wait. */
  return async (name: string, format: keyof typeof layouts, left?: AbortSignal) => {
    await using stack = new Undo();
    const turn = await turns.take(name, left);
    stack.defer(() => turn[Symbol.dispose]());
    const client = await connect();
    stack.defer(() => void client.end().catch(() => undefined));
    const snapshot = await beginSnapshot(client, name);
    if (snapshot === undefined) throw apiError('sandbox_not_found', name);
    const pieces = textOf(client, snapshot, layouts[format]);
    // A failure before the first rows can become an error response.
    const first = await pieces.next();
    const release = stack.move();
    let [goOn, isReading, pushed, before] = [(): void => undefined, true, 0, 0];
    const stream = new Readable({ encoding: 'utf8', read: () => goOn() });
    streams.add(stream);

    // Ends the snapshot after the last row: an open one keeps PostgreSQL from vacuuming.
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
        stream.destroy(new Error(`an export's reader took fewer than ${min} characters in ${lookMs} ms`));
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

/** The lists in the text's order. Users contain their subscriptions. */
export const lists = ['users', 'groups', 'projects', 'components'] as const;

async function* textOf(client: Client, snapshot: Snapshot, layout: Layout): AsyncGenerator<string> {
  const { id: sandboxId, now, next_id } = snapshot;
  const { first, next, close, empty } = layout.list;
  const groupNames = new Map((await listNamedGroups(client, sandboxId)).map(({ id, name }) => [id, name]));
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

/** A row's text in a seed. @param groupNames names by id; other groups stay ids */
export function entryText(kind: Kind, row: Entry, groupNames: ReadonlyMap<number, string>, layout: Layout) {
  if (kind !== 'users') return layout.entry(entryOf(kind, row));
  const defaults = initialValues('users', String(row['username']));
  const groups = (row['groups'] as number[]).map((group) => groupNames.get(group) ?? group);
  const all = Object.entries(entryOf('users', { ...row, groups }));
  const changed = all.filter(([key, value]) => !isDeepStrictEqual(value, defaults[key]));
  const subscriptions = (row['subscriptions'] as Entry[]).map((one) => entryOf('subscriptions', one));
  return layout.user(Object.fromEntries(changed), subscriptions);
}

/** The id and the kind's properties, except nulls. */
function entryOf(kind: Kind, row: Entry): object {
  const entry: Record<string, unknown> = {};
  for (const [name, { codes = {} }] of [['id', {}] as const, ...propertiesOf(kind)]) {
    const value = row[name] ?? undefined;
    const wordFor = (code: unknown) => Object.keys(codes).find((word) => codes[word] === code) ?? code;
    if (value !== undefined) entry[name] = Array.isArray(value) ? value.map(wordFor) : wordFor(value);
  }
  return entry;
}

const yaml = {
  begin: `# Exported by Understudy. ${tokensNote}\n`,
  key: (key: string) => `\n${key}:`,
  /** The value of a key without a list. */
  text: (text: string) => ` ${flow(text)}\n`,
  /** Empty lists are written: a seed without `groups` gets the automatic groups. */
  list: { first: '\n  - ', next: '\n  - ', close: '\n', empty: ' []\n' },
  entry: (entry: object) => flow(entry),
  user: (user: object, subscriptions: readonly object[]) => {
    const key = subscriptions.length === 0 ? [] : ['subscriptions:'];
    return [...pairs(user), ...key, ...subscriptions.map((one) => `  - ${flow(one)}`)].join('\n    ');
  },
  /** The value of the last key, with the text's end. */
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

/** The text of a whole list. */
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

// Characters that YAML forbids and JSON doesn't escape, that editors hide, or that reverse text.
const unprintable = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g;
const escape = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const pairs = (value: object) => Object.entries(value).map(([key, item]) => `${flow(key)}: ${flow(item)}`);

// Texts that need no quotes: no version of YAML reads them as another type.
const isPlain = (text: string) =>
  /^[A-Za-z_](?:[A-Za-z0-9_./@ -]*[A-Za-z0-9_])?$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
