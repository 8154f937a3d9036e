// Lists packages whose code is in the bundles, as CycloneDX 1.6, a format that vulnerability scanners read.
import manifest from '../package.json' with { type: 'json' };
import type { Bundled } from './notices.ts';

const describe = ({ name, version, license }: Pick<Bundled, 'name' | 'version' | 'license'>) => {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { 'bom-ref': purl, name, version, licenses: [{ license: { id: license } }], purl };
};

export function makeBillOfMaterials(bundled: readonly Bundled[]): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...describe(manifest) } },
    components: bundled.map((one) => ({ type: 'library', ...describe(one) })),
  };
}
