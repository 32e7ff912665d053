import { type Cluster, RequestRefused, type TestObject } from '../harness/index.js';

export interface ApplyOptions {
  /** Warnings that may come, each in full. Any other warning is a failure. */
  readonly expectedWarnings?: readonly string[];
  /** Name of the field manager; default `cluster-test`. */
  readonly fieldManager?: string;
}

export interface Applied {
  readonly object: TestObject;
  readonly warnings: readonly string[];
}

/**
 * Applies manifests in their order, as `kubectl apply --server-side` does: each first as a dry run, then for real, with unknown and duplicate fields
 * refused. A CustomResourceDefinition is awaited until it is established and served, so that its resources may follow.
 *
 * Errors: RequestRefused, or an Error that lists unexpected warnings; both name the object.
 */
export async function applyAll(cluster: Cluster, objects: readonly TestObject[], options: ApplyOptions = {}): Promise<Applied[]> {
  const results: Applied[] = [];
  for (const object of objects) {
    const warnings = new Set<string>();
    await applyOne(cluster, object, { dryRun: true, options, warnings });
    const applied = await applyOne(cluster, object, { dryRun: false, options, warnings });
    const unexpected = [...warnings].filter((text) => !options.expectedWarnings?.includes(text));
    if (unexpected.length > 0) throw new Error(`${titleOf(object)}: the API server warns:\n${unexpected.join('\n')}`);
    if (object.kind === 'CustomResourceDefinition') await cluster.untilServed(applied.metadata.name ?? '');
    results.push({ object: applied, warnings: [...warnings] });
  }
  return results;
}

async function applyOne(
  cluster: Cluster,
  object: TestObject,
  { dryRun, options, warnings }: { dryRun: boolean; options: ApplyOptions; warnings: Set<string> },
): Promise<TestObject> {
  const query = { fieldManager: options.fieldManager ?? 'cluster-test', fieldValidation: 'Strict', ...(dryRun ? { dryRun: 'All' } : {}) };
  const path = await cluster.paths.pathOf(object);
  const response = await cluster.request<TestObject>('PATCH', path, object, { contentType: 'application/apply-patch+yaml', query });
  for (const text of response.warnings) warnings.add(text);
  if (response.status >= 300) throw new RequestRefused(`${dryRun ? 'dry run of ' : ''}${titleOf(object)}`, response.status, response.body);
  return response.body;
}

function titleOf({ kind, metadata }: TestObject): string {
  return [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join(' ');
}
