// Lists the operations of a document, and the routes that Fastify really serves.
import type { OpenApiDocument } from '../../src/openapi/documents.ts';
import type { Service } from '../support/service.ts';

/** `GET /api/users/{username}/` for every operation. */
export const listDescribed = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted();

/**
 * The same for every route whose path matches: the methods in the Allow header of OPTIONS, or GET without
 * this header. HEAD and OPTIONS are left out, because the document doesn't list them.
 */
export async function listRoutes(service: Service, fits: RegExp): Promise<string[]> {
  const parents: string[] = [];
  const paths = service.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      // `│   └── users/ (GET, HEAD)`, below the part that it continues.
      const [, indent = '', part = '', methods] = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \((.*)\))?/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = (depth === 0 ? '' : (parents[depth - 1] ?? '')) + part;
      parents[depth] = path;
      return methods !== undefined && fits.test(path) ? [path] : [];
    });
  const routes = [...new Set(paths)].map(async (path) => {
    const { headers } = await service.request(
      'OPTIONS',
      path.replaceAll(/:(?:id|part)\b/g, '1').replaceAll(/:\w+/g, 'x'),
    );
    const methods = headers['allow']?.split(', ') ?? ['GET'];
    return methods
      .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      .map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
  return (await Promise.all(routes)).flat().toSorted();
}
