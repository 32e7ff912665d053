import { rmSync } from 'node:fs';

export default async function tearDown() {
  rmSync(process.env.KEELSON_BUNDLED_PROGRAMS, { recursive: true, force: true });
  await Promise.all((globalThis.keelsonSharedClusters ?? []).map((cluster) => cluster.stop()));
}
