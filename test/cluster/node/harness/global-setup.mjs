/** jest resolves no `.js` to `.ts` in its setup files; tsx does. */
import { tsImport } from 'tsx/esm/api';

export default async function setUp({ maxWorkers }) {
  const { startSharedNodes } = await tsImport('./shared-node.ts', import.meta.url);
  globalThis.keelsonSharedNodes = await startSharedNodes(maxWorkers);
}
