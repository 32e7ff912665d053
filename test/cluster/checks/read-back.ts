import type { Cluster, TestObject } from '../harness/index.js';

/** Written by the server, and different in each run. */
const SERVER_MADE = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'] as const;

/**
 * Creates the object, reads it from the store and deletes it: what comes back is defaulted and pruned. Unknown fields are dropped silently, as for a
 * client that asks for no field validation.
 */
export async function readBack(cluster: Cluster, object: TestObject): Promise<TestObject> {
  const collection = await cluster.paths.collectionOf(object);
  const { metadata } = await cluster.must('POST', collection, object, { query: { fieldValidation: 'Ignore' } });
  const path = `${collection}/${metadata.name}`;
  const stored = await cluster.must('GET', path);
  await cluster.must('DELETE', path);
  return withoutServerMade(stored);
}

function withoutServerMade(object: TestObject): TestObject {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([name]) => !(SERVER_MADE as readonly string[]).includes(name)),
  );
  return { ...object, metadata };
}
