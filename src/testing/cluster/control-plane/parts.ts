import { writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { join } from 'node:path';
import { AUDIT_POLICY } from '../../request-log/index.js';
import type { ComponentOptions } from './component.js';
import type { Credentials } from './credentials.js';

/** Where a control plane keeps its files and listens. */
export interface Site {
  readonly directory: string;
  readonly ports: {
    readonly etcdClient: number;
    readonly etcdPeer: number;
    readonly apiServer: number;
    readonly controllerManager: number;
  };
  readonly credentials: Credentials;
}

export const urlOf = ({ ports }: Site): string => `https://127.0.0.1:${ports.apiServer}`;
export const auditFileOf = ({ directory }: Site): string => join(directory, 'audit.log');

export function etcd({ directory, ports }: Pick<Site, 'directory' | 'ports'>, command: string): ComponentOptions {
  const [client, peer] = [`http://127.0.0.1:${ports.etcdClient}`, `http://127.0.0.1:${ports.etcdPeer}`];
  return {
    name: 'etcd',
    command,
    logFile: join(directory, 'etcd.log'),
    parameters: [
      `--data-dir=${join(directory, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // The data does not outlive the test.
      '--unsafe-no-fsync',
    ],
    isReady: async () => (await statusOf(`${client}/health`)) === 200,
  };
}

export interface ApiServerParts {
  readonly command: string;
  /** Whether a controller makes the default ServiceAccounts: without them the admission plugin would refuse every Pod. */
  readonly hasControllers: boolean;
  readonly flags: readonly string[];
}

export function kubeApiServer(site: Site, { command, hasControllers, flags }: ApiServerParts): ComponentOptions {
  const { directory, ports, credentials } = site;
  const policy = join(directory, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(AUDIT_POLICY));
  return {
    name: 'kube-apiserver',
    command,
    logFile: join(directory, 'kube-apiserver.log'),
    parameters: [
      `--etcd-servers=http://127.0.0.1:${ports.etcdClient}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${ports.apiServer}`,
      `--cert-dir=${directory}`,
      `--tls-cert-file=${credentials.certificateFile}`,
      `--tls-private-key-file=${credentials.keyFile}`,
      `--client-ca-file=${credentials.authorityFile}`,
      '--authorization-mode=RBAC',
      '--allow-privileged=true',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${credentials.serviceAccountKeyFile}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKeyFile}`,
      ...(hasControllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditFileOf(site)}`,
      // A request that is answered is in the log.
      '--audit-log-mode=blocking-strict',
      ...flags,
    ],
    isReady: async () => (await statusOf(`${urlOf(site)}/readyz`, credentials)) === 200,
  };
}

export function controllerManager(
  site: Site,
  { command, kubeconfig }: { readonly command: string; readonly kubeconfig: string },
): ComponentOptions {
  const { directory, ports, credentials } = site;
  return {
    name: 'kube-controller-manager',
    command,
    logFile: join(directory, 'kube-controller-manager.log'),
    parameters: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${credentials.serviceAccountKeyFile}`,
      `--root-ca-file=${credentials.authorityFile}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${ports.controllerManager}`,
      `--tls-cert-file=${credentials.certificateFile}`,
      `--tls-private-key-file=${credentials.keyFile}`,
    ],
    isReady: async () => (await statusOf(`https://127.0.0.1:${ports.controllerManager}/healthz`, credentials)) === 200,
  };
}

const ANSWER_WITHIN_MS = 5_000;

/** Status code of a GET, on a connection of its own; over TLS in the name of an administrator. */
function statusOf(url: string, credentials?: Credentials): Promise<number | undefined> {
  const options = { agent: false as const, timeout: ANSWER_WITHIN_MS };
  return new Promise((resolve, reject) => {
    const request =
      credentials === undefined
        ? httpGet(url, options, (response) => resolve(response.resume().statusCode))
        : httpsGet(url, { ...options, ...adminOf(credentials) }, (response) => resolve(response.resume().statusCode));
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
    request.on('error', reject);
  });
}

function adminOf({ certificates }: Credentials): { readonly ca: string; readonly cert: string; readonly key: string } {
  const { certificate, privateKey } = certificates.issueClient({ username: 'keelson-probe', groups: ['system:masters'] });
  return { ca: certificates.authority, cert: certificate, key: privateKey };
}
