// The document as the service would serve it, and the digest by which the generated types know theirs.
import { hash } from 'node:crypto';
import { type AppOptions, buildApp } from '../../src/app.ts';
import type { OpenApiDocument } from '../../src/openapi/types.ts';
import { appOptions, openForTest } from '../support/service.ts';
import { readConfiguration } from '../../src/process/config.ts';

/** The app's answer to a GET that needs no database. */
export async function readWithoutDatabase(
  url: string,
  options: Partial<AppOptions> = {},
): Promise<{ status: number; document: OpenApiDocument }> {
  // Connections are opened when a statement is sent, and none is.
  const database = openForTest('postgres://nowhere.invalid/none');
  const app = await buildApp({ ...appOptions(readConfiguration({})), samples: [], ...options, database });
  try {
    const answer = await app.inject({ url });
    return { status: answer.statusCode, document: answer.json() };
  } finally {
    await app.close();
    await database.close();
  }
}

export const readDocument = async (): Promise<OpenApiDocument> => (await readWithoutDatabase('/api/schema/')).document;

/** Of what types are made from: a new version number alone needs no new ones. */
export const digestOf = ({ paths, components }: OpenApiDocument): string =>
  hash('sha256', JSON.stringify({ paths, components }));
