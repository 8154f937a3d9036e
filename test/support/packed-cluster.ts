// Makes the cluster that services unpack, when a test needs it and the checkout has none or an outdated one.
import { packedCluster } from '../../src/base/files.ts';
import { findVersion } from '../../src/postgres/binaries.ts';
import { readPacked } from '../../src/postgres/cluster.ts';
import { describeContents } from '../../src/service/process/provide-database.ts';

const fastQuality = 4;
let provided: Promise<void> | undefined;

export const providePackedCluster = (): Promise<void> => (provided ??= provide());

async function provide(): Promise<void> {
  const packed = await readPacked({ file: packedCluster, key: describeContents() }, findVersion());
  if (typeof packed === 'object') return;
  const { packCluster } = await import('../../packaging/pack-cluster.ts');
  await packCluster(fastQuality);
}
