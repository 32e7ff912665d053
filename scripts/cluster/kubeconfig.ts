/** The server that a kubeconfig is for. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly url: string;
  /** PEM. */
  readonly authority: string;
}

/** A kubeconfig with one context for each user, named after the user. The first user is the current one. JSON is YAML: no serializer is needed. */
export function kubeconfigOf({ name: cluster, url, authority }: KubeconfigCluster, users: Readonly<Record<string, object>>): string {
  const names = Object.keys(users);
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server: url, 'certificate-authority-data': base64(authority) } }],
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: names.map((name) => ({ name, context: { cluster, user: name } })),
    'current-context': names[0],
  });
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
