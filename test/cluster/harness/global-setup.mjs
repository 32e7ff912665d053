import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

export default async function setUp({ maxWorkers }) {
  process.env.KEELSON_BUNDLED_PROGRAMS = mkdtempSync(join(tmpdir(), 'keelson-programs-'));
  const { startSharedClusters } = await tsImport('./shared-cluster.ts', import.meta.url);
  globalThis.keelsonSharedClusters = await startSharedClusters(maxWorkers);
}
