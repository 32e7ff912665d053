import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pod } from '@keelson/kubernetes/kinds';
import { stringify } from 'yaml';
import { ProcessesError } from '../errors.js';
import { localPath, type Mount } from './local-text.js';

/** Where a Pod has the files of its ServiceAccount. */
const ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface AccountKubeconfig {
  readonly pod: Pod;
  readonly mounts: readonly Mount[];
  /** URL of the API server. */
  readonly server: string;
  /** Where it is written. */
  readonly file: string;
}

/**
 * Writes a kubeconfig that names the files of the Pod's ServiceAccount: the token in them is renewed, the kubeconfig stays as it is.
 *
 * @returns its path
 * @throws ProcessesError if the container mounts no token
 */
export function writeAccountKubeconfig({ pod, mounts, server, file }: AccountKubeconfig): string {
  const directory = localPath(mounts, ACCOUNT_DIRECTORY);
  const { name, namespace = 'default' } = pod.metadata;
  if (directory === undefined)
    throw new ProcessesError(
      `Pod ${namespace}/${name}: no ServiceAccount token is mounted at ${ACCOUNT_DIRECTORY}, so there is no kubeconfig: ` +
        'set automountServiceAccountToken: true in the Pod and its ServiceAccount, and do not start the server in mode envtest',
    );
  const user = pod.spec.serviceAccountName ?? 'default';
  const authority = server.startsWith('https:') ? { 'certificate-authority': `${directory}/ca.crt` } : {};
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'keelson', cluster: { server, ...authority } }],
    contexts: [{ name: 'keelson', context: { cluster: 'keelson', user, namespace } }],
    'current-context': 'keelson',
    users: [{ name: user, user: { tokenFile: `${directory}/token` } }],
  };
  mkdirSync(dirname(file), { recursive: true });
  // A folded path would not be read by every client.
  writeFileSync(file, stringify(config, { lineWidth: 0 }), { mode: 0o600 });
  return file;
}
