// The files that pages load: our scripts and style, and those of libraries. A path holds the file's hash.
// A changed file has another path, so browsers may keep files for good.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Asset, assetFile, assets } from '../../base/files.ts';

const packed: Partial<Record<Asset, ReturnType<typeof pack>>> = {};

/** Reads a file when a page first needs it. In the package, the files are compressed. */
function pack(asset: Asset) {
  const file = assetFile(asset);
  const gzip = file.endsWith('.gz') ? readFileSync(file) : gzipSync(readFileSync(file));
  return { hash: hash('sha256', gzip, 'base64url').slice(0, 16), gzip };
}

const getPacked = (asset: Asset) => (packed[asset] ??= pack(asset));

/** `/assets/<hash>/<name>`, under the service's own root. */
export const assetPath = (asset: Asset) => `/assets/${getPacked(asset).hash}/${asset}`;

export function registerAssets(app: FastifyInstance) {
  type Route = { Params: { hash: string; name: Asset } };
  app.get<Route>('/assets/:hash/:name', { exposeHeadRoute: true }, async (request, reply) => {
    const { hash: given, name } = request.params;
    if (!Object.hasOwn(assets, name) || getPacked(name).hash !== given) return reply.callNotFound();
    reply.headers({
      // Every browser takes gzip. Brotli needs HTTPS.
      'content-encoding': 'gzip',
      'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    return reply.send(getPacked(name).gzip);
  });
}
