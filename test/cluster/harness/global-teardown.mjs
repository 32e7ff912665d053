export default async function tearDown() {
  await globalThis.keelsonSharedCluster?.stop();
}
