// The document as the service would serve it, and the digest by which the generated types know theirs.
import { hash } from 'node:crypto';
import { buildApp } from '../../src/app.ts';
import type { OpenApiDocument } from '../../src/openapi/types.ts';
import { appOptions, openForTest } from '../support/service.ts';
import { readConfiguration } from '../../src/config.ts';

export async function readDocument(): Promise<OpenApiDocument> {
  // Connections are opened when a statement is sent, and none is.
  const database = openForTest('postgres://nowhere.invalid/none');
  const app = await buildApp({ ...appOptions(readConfiguration({})), samples: [], database });
  try {
    return (await app.inject({ url: '/api/schema/' })).json();
  } finally {
    await app.close();
    await database.close();
  }
}

/** Of what types are made from: a new version number alone needs no new ones. */
export const digestOf = ({ paths, components }: OpenApiDocument): string =>
  hash('sha256', JSON.stringify({ paths, components }));
