import { ApiObject, App, Chart } from 'cdk8s';
import type { KubernetesObject } from '../../kubernetes/index.js';
import { isClusterScoped } from '../object/index.js';

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
 * Turns a function that builds constructs into one that returns the desired set of children: any construct library becomes a reconciler.
 *
 * ```ts
 * const children = composed((chart, web: Web) => { new kplus.Deployment(chart, 'server', { … }); });
 * // in reconcile: return done({ owned: children(object) });
 * ```
 *
 * Guarantees: nothing is read or written outside memory; the same object gives the same manifests; names that cdk8s generates begin with the
 * object's kind and name, so children of different objects do not collide; children live in the object's namespace; a cluster-scoped built-in kind carries none.
 * Errors: what the constructs throw and what their validations say, as `synth` would.
 */
export function composed<TObject extends ComposedObject>(
  build: (chart: Chart, object: TObject) => void,
  options: ComposedOptions = {},
): (object: TObject) => KubernetesObject[] {
  return (object) => {
    const app = new App();
    const { name, namespace } = object.metadata;
    const chart = new Chart(app, `${object.kind.toLowerCase()}-${name}`, {
      ...(namespace === undefined ? {} : { namespace }),
      ...(options.labels === undefined ? {} : { labels: { ...options.labels } }),
    });
    build(chart, object);
    const clusterScoped = new Set(
      chart.node
        .findAll()
        .filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && isClusterScoped(construct))
        .map((child) => `${child.apiVersion}/${child.kind}/${child.name}`),
    );
    return app.charts
      .flatMap((each) => each.toJson() as KubernetesObject[])
      .map((manifest) => {
        if (!clusterScoped.has(`${manifest.apiVersion}/${manifest.kind}/${manifest.metadata.name}`)) return manifest;
        const { namespace: _dropped, ...metadata } = manifest.metadata;
        return { ...manifest, metadata };
      });
  };
}
