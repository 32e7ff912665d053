import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock/index.js';
import { type Connection, connectionOf } from './connection.js';
import { ConnectionSettingsError, textOf } from './errors.js';

/** Where the kubelet puts what a Pod's service account needs. */
const SERVICE_ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Options of {@link inClusterConnection}. */
export interface InClusterOptions {
  /** Variables of the environment: `KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT`. @defaultValue process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The directory with the token, the authority and the namespace of the service account. @defaultValue `/var/run/secrets/kubernetes.io/serviceaccount` */
  readonly directory?: string | undefined;
  /** Decides when the token is read again. @defaultValue the system's */
  readonly clock?: Clock | undefined;
}

/** Whether the variables that the kubelet gives every container are there. */
export function isInCluster(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return (environment['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (environment['KUBERNETES_SERVICE_PORT'] ?? '') !== '';
}

/**
 * The connection of a Pod by its service account. Token and authority are read again as the kubelet renews them.
 *
 * @example
 * ```ts
 * const client = createClient({ connection: inClusterConnection() });
 * ```
 *
 * @throws ConnectionSettingsError outside of a cluster, or when the service account's files are not mounted
 */
export function inClusterConnection({
  environment = process.env,
  directory = SERVICE_ACCOUNT_DIRECTORY,
  clock,
}: InClusterOptions = {}): Connection {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (!isInCluster(environment) || host === undefined)
    throw new ConnectionSettingsError(
      'in-cluster configuration: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: this is not a Pod',
    );
  return connectionOf({
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: namespaceIn(directory),
    ca: { file: join(directory, 'ca.crt') },
    token: { file: join(directory, 'token') },
    origin: `in-cluster configuration (${directory})`,
    clock,
  });
}

function namespaceIn(directory: string): string {
  const path = join(directory, 'namespace');
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const hint = 'does the Pod have automountServiceAccountToken: false?';
    throw new ConnectionSettingsError(`in-cluster configuration: cannot read ${path}: ${textOf(error)}; ${hint}`, { cause: error });
  }
}
