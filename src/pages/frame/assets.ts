// The files that pages load: our own scripts and style, and those of libraries. A path holds its content's hash, so that
// browsers keep a file for good and still get a changed one.
import { hash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Asset, assetFile, assets } from '../../base/files.ts';

const hashes = new Map<Asset, string>();

/** Hashed at the first page that needs it: not at start. */
function hashOf(asset: Asset): string {
  const found = hashes.get(asset) ?? hash('sha256', readFileSync(assetFile(asset)), 'base64url').slice(0, 16);
  hashes.set(asset, found);
  return found;
}

/** `/assets/<hash>/<name>`, under the service's own root. */
export const assetPath = (asset: Asset): string => `/assets/${hashOf(asset)}/${asset}`;

/** They are read for each request, which browsers send once: nothing stays in memory. */
export function registerAssets(app: FastifyInstance): void {
  app.route<{ Params: { hash: string; name: Asset } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:hash/:name',
    handler: async ({ method, params: { hash: given, name } }, reply) => {
      if (!Object.hasOwn(assets, name) || hashOf(name) !== given) return reply.callNotFound();
      const file = assetFile(name);
      reply.headers({
        'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
        'content-length': statSync(file).size,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      return method === 'HEAD' ? reply.send() : reply.send(createReadStream(file));
    },
  });
}
