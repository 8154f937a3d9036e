// The files that pages load: our own scripts and those of libraries. A path holds its content's hash, so that browsers
// keep a file for good and still get a changed one.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Asset, assetFile, assets } from '../../base/files.ts';

const hashes = new Map<Asset, string>();

/** Hashed at the first page that needs it: not at start. */
function hashOf(asset: Asset): string {
  let found = hashes.get(asset);
  if (found === undefined) {
    found = createHash('sha256')
      .update(readFileSync(assetFile(asset)))
      .digest('base64url')
      .slice(0, 16);
    hashes.set(asset, found);
  }
  return found;
}

/** `/assets/<hash>/<name>`, under the service's own root. */
export const assetPath = (asset: Asset): string => `/assets/${hashOf(asset)}/${asset}`;

/** The asset of a name, if the hash is its own. */
export function findAsset(hash: string, name: string): Asset | undefined {
  const asset = name as Asset;
  return Object.hasOwn(assets, name) && hashOf(asset) === hash ? asset : undefined;
}
