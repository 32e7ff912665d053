import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComponentOptions } from './component.js';
import { freePorts } from './free-ports.js';
import { type Asker, statusOf } from './status-of.js';

/** Where a control plane keeps its files and listens. */
export interface Site {
  readonly directory: string;
  readonly ports: {
    readonly etcdClient: number;
    readonly etcdPeer: number;
    readonly apiServer: number;
    readonly controllerManager: number;
  };
}

/** @param directory where it keeps its files */
export async function freeSite(directory: string): Promise<Site> {
  const [etcdClient = 0, etcdPeer = 0, apiServer = 0, manager = 0] = await freePorts(4);
  return { directory, ports: { etcdClient, etcdPeer, apiServer, controllerManager: manager } };
}

export const urlOf = ({ ports }: Site): string => `https://127.0.0.1:${ports.apiServer}`;
export const auditFileOf = ({ directory }: Site): string => join(directory, 'audit.log');

export function etcd({ directory, ports }: Site, command: string): ComponentOptions {
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

/** A server with TLS: its program, and in which way it is reached. */
interface ServerParts {
  readonly command: string;
  readonly serviceAccountKeyFile: string;
  /** Flags of its own, its certificates and users among them. They come last. */
  readonly flags: readonly string[];
  /** As whom it is asked whether it is ready; read when it runs. */
  readonly asker: () => Asker;
}

export interface ApiServerParts extends ServerParts {
  /** Whether a controller makes the default ServiceAccounts: without them the admission plugin would refuse every Pod. */
  readonly hasControllers: boolean;
  readonly auditPolicy: object;
}

export function kubeApiServer(site: Site, parts: ApiServerParts): ComponentOptions {
  const { directory, ports } = site;
  const policy = join(directory, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(parts.auditPolicy));
  return {
    name: 'kube-apiserver',
    command: parts.command,
    logFile: join(directory, 'kube-apiserver.log'),
    parameters: [
      `--etcd-servers=http://127.0.0.1:${ports.etcdClient}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      // Since 1.37 a kube-apiserver does not start that would write a loopback address into the endpoints of the Service `kubernetes`. Nothing in a control plane without nodes reads them.
      '--endpoint-reconciler-type=none',
      `--secure-port=${ports.apiServer}`,
      '--authorization-mode=RBAC',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${parts.serviceAccountKeyFile}`,
      `--service-account-signing-key-file=${parts.serviceAccountKeyFile}`,
      ...(parts.hasControllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${auditFileOf(site)}`,
      // A request that is answered is in the log.
      '--audit-log-mode=blocking-strict',
      ...parts.flags,
    ],
    isReady: async () => {
      if ((await statusOf(`${urlOf(site)}/readyz`, parts.asker())) !== 200) return false;
      return !parts.hasControllers || (await mayManagerStart(urlOf(site), parts.asker()));
    },
  };
}

/**
 * The controller manager ends if it is refused one of these: the first is granted by a Role, the second by a ClusterRole, which the authorizer learns of by another watch.
 * The API server is ready when its own roles are stored; its authorizer knows them a moment later.
 */
const FIRST_READS_BY_MANAGER = [
  '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
  '/api/v1/namespaces/kube-system/serviceaccounts/pv-protection-controller',
];

async function mayManagerStart(url: string, asker: Asker): Promise<boolean> {
  const statuses = await Promise.all(FIRST_READS_BY_MANAGER.map((path) => statusOf(`${url}${path}`, asManager(asker))));
  return statuses.every((status) => status !== 403);
}

/** By its agent too: the log of a test's requests leaves it out, as all that the control plane asks. */
function asManager(asker: Asker): Asker {
  const manager = { 'impersonate-user': 'system:kube-controller-manager', 'user-agent': 'kube-controller-manager/ (until it starts)' };
  return { ...asker, headers: { ...asker.headers, ...manager } };
}

export interface ControllerManagerParts extends ServerParts {
  readonly kubeconfig: string;
  /** The API server's authority, which comes into the volumes of Pods. */
  readonly authorityFile: string;
}

export function controllerManager({ directory, ports }: Site, parts: ControllerManagerParts): ComponentOptions {
  const { command, kubeconfig } = parts;
  return {
    name: 'kube-controller-manager',
    command,
    logFile: join(directory, 'kube-controller-manager.log'),
    parameters: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${parts.serviceAccountKeyFile}`,
      `--root-ca-file=${parts.authorityFile}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${ports.controllerManager}`,
      ...parts.flags,
    ],
    isReady: async () => (await statusOf(`https://127.0.0.1:${ports.controllerManager}/healthz`, parts.asker())) === 200,
  };
}
