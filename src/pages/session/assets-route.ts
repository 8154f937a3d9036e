// Serves the files that pages load. They are read for each request, which browsers send once: nothing stays in memory.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { assetFile } from '../../base/files.ts';
import { findAsset } from '../frame/assets.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

export function registerAssets(app: FastifyInstance): void {
  app.route<{ Params: { hash: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/:hash/:name',
    handler: async (request, reply) => {
      const asset = findAsset(request.params.hash, request.params.name);
      if (asset === undefined) return reply.callNotFound();
      const file = assetFile(asset);
      reply.headers({
        'content-type': types[asset.split('.').at(-1) ?? ''],
        'content-length': (await stat(file)).size,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(file));
    },
  });
}
