export default async function tearDown() {
  await Promise.all((globalThis.keelsonSharedClusters ?? []).map((cluster) => cluster.stop()));
}
