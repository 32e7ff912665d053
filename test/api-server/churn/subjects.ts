import { apiVersionOf, groupVersionPath, type Json } from '../../../src/kubernetes/apimachinery/index.js';
import { objectOf, SAMPLES, type Sample } from '../fuzz/samples.js';

export const NAMESPACES = ['default', 'churn'] as const;

const KINDS = ['ConfigMap', 'Secret', 'Service', 'Pod', 'Deployment', 'Job', 'Lease', 'Role', 'Ingress', 'PersistentVolumeClaim'];

/** What is written and watched. */
export const SUBJECTS: readonly Sample[] = SAMPLES.filter(
  ({ kind, version }) => KINDS.includes(kind) || (kind === 'Widget' && version === 'v1'),
);

export function collectionOf({ group, version, plural }: Sample, namespace?: string): string {
  const root = groupVersionPath(apiVersionOf({ group, version }));
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plural}`;
}

/** With a label that watches select by, and one that differs each time. */
export function objectAt(
  of: Sample,
  at: { readonly name: string; readonly namespace: string; readonly color: string; readonly n: number },
): Json {
  const object = objectOf(of, at.name, at.namespace);
  return { ...object, metadata: { ...(object['metadata'] as object), labels: { color: at.color, n: `v${at.n}` } } };
}
