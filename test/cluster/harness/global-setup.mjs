/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

export default async function setUp() {
  const { startSharedCluster } = await tsImport('./shared-cluster.ts', import.meta.url);
  globalThis.keelsonSharedCluster = await startSharedCluster();
}
