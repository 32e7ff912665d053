import { apiVersionOf, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { ApiObject, App, Chart } from 'cdk8s';
import { type Owned, type OwnModel, type OwnsMap, own } from '../../definition/index.js';
import { ConstructError, isClusterScoped } from '../object/index.js';

export interface ComposedOptions {
  /**
   * Labels for everything that is built.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** An object that was read from the API: it has a name. */
export interface ComposedObject extends KubernetesObject {
  readonly metadata: KubernetesObject['metadata'] & { readonly name: string };
}

/**
 * Turns a function that builds constructs into one that returns the desired children by handle: any construct library becomes a reconciler.
 *
 * Guarantees: nothing is read or written outside memory; the same object gives the same manifests; names that cdk8s generates begin with the
 * object's kind and name, so children of different objects do not collide; children live in the object's namespace; a cluster-scoped built-in kind carries none.
 * Every handle that `owns` declares as desired state is there, with an empty list where nothing was built.
 *
 * @example
 * ```ts
 * const owns = { configs: ConfigMap };
 * const children = composed(owns, (chart, memcached: Memcached) => {
 *   new ManifestObject(chart, 'config', { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced', body: { data: { size: `${memcached.spec.size}` } } });
 * });
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   owns,
 *   reconcile: async ({ object, done }) => done({ owned: children(object) }),
 * });
 * ```
 *
 * @param owns what the controller owns; an object that belongs under no handle is an error
 * @throws what the constructs throw and what their validations say, as `synth` would
 */
export function composed<TObject extends ComposedObject, const TOwns extends OwnsMap>(
  owns: TOwns,
  build: (chart: Chart, object: TObject) => void,
  options: ComposedOptions = {},
): (object: TObject) => Owned<TOwns> {
  const handles = Object.entries(owns).flatMap(([handle, declared]) => {
    const { kind, policy }: OwnModel = 'policy' in declared ? (declared as OwnModel) : own(declared as KindInfo<KubernetesObject>);
    return policy.desired ? [{ handle, kind }] : [];
  });
  return (object) => {
    const { chart, manifests } = manifestsOf(build, object, options);
    const children = new Map<string, KubernetesObject[]>(handles.map(({ handle }) => [handle, []]));
    for (const manifest of manifests) {
      const found = handles.find(({ kind }) => kind.kind === manifest.kind && apiVersionOf(kind) === manifest.apiVersion);
      if (found === undefined) {
        const known = handles.map(({ handle, kind }) => `${handle} (${kind.kind} ${apiVersionOf(kind)})`).join(', ') || 'none';
        throw new ConstructError(
          chart,
          `${manifest.kind} ${manifest.metadata.name} (${manifest.apiVersion}) belongs under no handle; declare its kind in owns, which has ${known}`,
        );
      }
      children.get(found.handle)?.push(manifest);
    }
    return Object.fromEntries(children) as Owned<TOwns>;
  };
}

function manifestsOf<TObject extends ComposedObject>(
  build: (chart: Chart, object: TObject) => void,
  object: TObject,
  { labels }: ComposedOptions,
): { readonly chart: Chart; readonly manifests: readonly KubernetesObject[] } {
  const app = new App();
  const { name, namespace } = object.metadata;
  const chart = new Chart(app, `${object.kind.toLowerCase()}-${name}`, {
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels: { ...labels } }),
  });
  build(chart, object);
  const clusterScoped = new Set(
    chart.node
      .findAll()
      .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && isClusterScoped(construct))
      .map((child) => `${child.apiVersion}/${child.kind}/${child.name}`),
  );
  const manifests = app.charts
    .flatMap((each) => each.toJson() as KubernetesObject[])
    .map((manifest) => {
      if (!clusterScoped.has(`${manifest.apiVersion}/${manifest.kind}/${manifest.metadata.name}`)) return manifest;
      const { namespace: _dropped, ...metadata } = manifest.metadata;
      return { ...manifest, metadata };
    });
  return { chart, manifests };
}
