// biome-ignore lint/style/noDefaultExport: jest takes the default export of this file
export default async function tearDown() {
  await globalThis.keelsonSharedCluster?.stop();
}
