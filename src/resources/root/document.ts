// What the API's document says of its root.
import { Type } from '@sinclair/typebox';
import type { ResourceDocument } from '../../api/operation.ts';

/** @param names the collections that the root links to */
export function rootDocument(names: readonly string[]): ResourceDocument {
  const url = Type.String({ format: 'uri' });
  return {
    tag: 'Root',
    description: 'Where one begins.',
    operations: {
      'GET /api/': {
        id: 'root_read',
        summary: 'Read the links to what is served',
        answer: Type.Object(Object.fromEntries(names.map((name) => [name, url])), { $id: 'Root' }),
      },
    },
  };
}
