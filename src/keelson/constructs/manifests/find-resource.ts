import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';

/** A manifest, as far as it is looked at here. */
interface ManifestLike {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown } | undefined;
}

/**
 * Finds one manifest in what `Testing.synth(chart)` or `chart.toJson()` returned: for assertions in tests.
 *
 * With a kind of `keelson/kinds` or a definition instead of the kind's name, the result is typed as that object.
 *
 * @example
 * ```ts
 * const deployment = findResource(Testing.synth(chart), Deployment, 'memcached-operator');
 * expect(deployment.spec?.replicas).toBe(2);
 * ```
 *
 * @throws Error naming what is there, when there is no such manifest or, without a name, more than one
 */
export function findResource<TObject>(manifests: readonly unknown[], kind: KindInfo<TObject>, name?: string): TObject;
// biome-ignore lint/suspicious/noExplicitAny: what Testing.synth returns; a test looks into it freely.
export function findResource(manifests: readonly unknown[], kind: string, name?: string): any;
export function findResource(manifests: readonly unknown[], kind: KindInfo | string, name?: string): unknown {
  const all = manifests as readonly ManifestLike[];
  const found = all.filter((manifest) => isOfKind(manifest, kind) && (name === undefined || manifest.metadata?.name === name));
  const [first, second] = found;
  const wanted = `${typeof kind === 'string' ? kind : kind.kind}${name === undefined ? '' : ` '${name}'`}`;
  if (first === undefined) throw new Error(`there is no ${wanted} among ${all.map(title).join(', ') || 'no manifests'}`);
  if (second !== undefined)
    throw new Error(`there are ${found.length} of ${wanted}: ${found.map(title).join(', ')}; give a name that is there once`);
  return first;
}

function isOfKind(manifest: ManifestLike, kind: KindInfo | string): boolean {
  if (typeof kind === 'string') return manifest.kind === kind;
  return manifest.kind === kind.kind && manifest.apiVersion === apiVersionOf(kind);
}

function title({ kind, metadata }: ManifestLike): string {
  const namespace = typeof metadata?.namespace === 'string' ? `${metadata.namespace}/` : '';
  return `${String(kind)} ${namespace}${String(metadata?.name)}`;
}
