/** Labels of every pod that the operator runs; other memcached pods of the cluster lack the second one. */
export const managedLabels = {
  'app.kubernetes.io/name': 'memcached',
  'app.kubernetes.io/managed-by': 'memcached-operator',
};

/** Names the Memcached that a pod belongs to. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** Selects the pods of one Memcached. The version is not among them: a selector cannot be changed, an image can. */
export function selectorLabels(instance: string): Record<string, string> {
  return { ...managedLabels, [INSTANCE_LABEL]: instance };
}

/** The version in an image reference (`host:5000/memcached:1.6@sha256:...`) as a label value: the tag, else the head of the digest, else `latest`. */
export function versionOf(image: string): string {
  const [name = '', digest] = image.split('@');
  // A colon before the last slash belongs to the port of the registry.
  const tag = /:([^:/]+)$/.exec(name)?.[1];
  const version = tag ?? digest?.replace(/^.*:/, '').slice(0, 12) ?? '';
  const value = version.replace(/[^\w.-]/g, '-').slice(0, 63);
  return value.replace(/^[^a-z\d]+|[^a-z\d]+$/gi, '') || 'latest';
}
