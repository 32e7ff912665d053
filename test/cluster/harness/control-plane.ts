import { readFileSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import type { ComponentOptions } from '../../../src/testing/cluster/control-plane/index.js';
import type { Credentials } from './credentials.js';

/** Where one cluster keeps its files and listens. */
export interface Site {
  readonly directory: string;
  readonly ports: {
    readonly etcdClient: number;
    readonly etcdPeer: number;
    readonly apiServer: number;
    readonly controllerManager: number;
  };
}

export const urlOf = (site: Site): string => `https://127.0.0.1:${site.ports.apiServer}`;
/** Certificate and issuer in one file, written by the API server at its first start. */
export const caFileOf = (site: Site): string => join(site.directory, 'apiserver', 'apiserver.crt');
export const auditFileOf = (site: Site): string => join(site.directory, 'audit.log');

export interface ApiServerOptions {
  readonly command: string;
  readonly credentials: Credentials;
  /** Whether somebody makes the default ServiceAccounts: without them the admission plugin would refuse every Pod. */
  readonly serviceAccounts: boolean;
  readonly extraFlags: readonly string[];
}

export function apiServer(site: Site, options: ApiServerOptions): ComponentOptions {
  const { credentials } = options;
  const policy = join(site.directory, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(AUDIT_POLICY));
  return {
    name: 'kube-apiserver',
    command: options.command,
    logFile: join(site.directory, 'kube-apiserver.log'),
    parameters: [
      `--etcd-servers=http://127.0.0.1:${site.ports.etcdClient}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${site.ports.apiServer}`,
      `--cert-dir=${join(site.directory, 'apiserver')}`,
      `--token-auth-file=${credentials.tokenFile}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
      ...(options.serviceAccounts ? [] : ['--disable-admission-plugins=ServiceAccount']),
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditFileOf(site)}`,
      '--audit-log-mode=blocking-strict', // an answered request is in the log
      '--shutdown-delay-duration=0s',
      ...options.extraFlags,
    ],
    isReady: async () => (await statusOf(`${urlOf(site)}/readyz`, { caFile: caFileOf(site), token: credentials.tokens['admin'] })) === 200,
  };
}

/** Who asked for what, without bodies but for those that say who leads. Probes are left out: they would be most of the log. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [
    { level: 'None', nonResourceURLs: ['/readyz*', '/livez*', '/healthz*'] },
    { level: 'Request', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'Metadata' },
  ],
};

export function controllerManager(
  site: Site,
  options: { command: string; kubeconfig: string; credentials: Credentials },
): ComponentOptions {
  const certificates = join(site.directory, 'controller-manager');
  const url = `https://127.0.0.1:${site.ports.controllerManager}/healthz`;
  return {
    name: 'kube-controller-manager',
    command: options.command,
    logFile: join(site.directory, 'kube-controller-manager.log'),
    parameters: [
      `--kubeconfig=${options.kubeconfig}`,
      `--authentication-kubeconfig=${options.kubeconfig}`,
      `--authorization-kubeconfig=${options.kubeconfig}`,
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${options.credentials.serviceAccountKey}`,
      `--root-ca-file=${caFileOf(site)}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${site.ports.controllerManager}`,
      `--cert-dir=${certificates}`,
    ],
    isReady: async () => (await statusOf(url, { caFile: join(certificates, 'kube-controller-manager.crt') })) === 200,
  };
}

/** Status code of a GET, on a connection of its own. */
function statusOf(url: string, secure?: { caFile: string; token?: string | undefined }): Promise<number | undefined> {
  const headers = secure?.token === undefined ? {} : { authorization: `Bearer ${secure.token}` };
  const options = { agent: false as const, headers, timeout: 5_000 };
  return new Promise((resolve, reject) => {
    const request =
      secure === undefined
        ? httpGet(url, options, (response) => resolve(response.resume().statusCode))
        : httpsGet(url, { ...options, ca: readFileSync(secure.caFile) }, (response) => resolve(response.resume().statusCode));
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
    request.on('error', reject);
  });
}
