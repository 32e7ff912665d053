/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

export default async function setUp({ maxWorkers }) {
  const { startSharedClusters } = await tsImport('./shared-cluster.ts', import.meta.url);
  globalThis.keelsonSharedClusters = await startSharedClusters(maxWorkers);
}
