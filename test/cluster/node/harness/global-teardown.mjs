export default async function tearDown() {
  await Promise.all((globalThis.keelsonSharedNodes ?? []).map((node) => node.stop()));
}
