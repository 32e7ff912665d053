import { join } from 'node:path';
import type { ComponentOptions } from '../../../src/testing/cluster/control-plane/index.js';
import type { Configuration } from './configuration.js';
import type { NodeCredentials } from './credentials.js';
import { containerdClient, enterNode, runInNode } from './in-node.js';
import type { NodeTools } from './node-tools.js';
import { type JsonRequest, requestJson } from './request-json.js';
import { API_SERVER_PORT, auditFileOf, NODE_NAME, type Site, urlOf } from './site.js';

/** All that the programs of a node are started with. */
export interface NodeParts {
  readonly site: Site;
  readonly tools: NodeTools;
  readonly credentials: NodeCredentials;
  readonly configuration: Configuration;
  /** The process whose namespaces they run in. */
  readonly initPid: number;
}

export type PartName =
  | 'containerd'
  | 'containerd-without-cri'
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-proxy'
  | 'kube-scheduler'
  | 'kubelet';

type Program = Pick<ComponentOptions, 'command' | 'isReady' | 'parameters'>;

/** A program in the namespaces of the node. */
export function part(name: PartName, parts: NodeParts): ComponentOptions {
  const { command, parameters, isReady } = PROGRAMS[name](parts);
  return {
    name,
    command: 'nsenter',
    parameters: [...enterNode(parts.initPid), command, ...parameters],
    logFile: join(parts.site.directory, `${name}.log`),
    isReady,
  };
}

const PROGRAMS: Readonly<Record<PartName, (parts: NodeParts) => Program>> = {
  etcd: ({ site, tools }) => ({
    command: tools.etcd,
    parameters: [
      `--data-dir=${join(site.directory, 'etcd')}`,
      '--listen-client-urls=http://127.0.0.1:2379',
      '--advertise-client-urls=http://127.0.0.1:2379',
      '--listen-peer-urls=http://127.0.0.1:2380',
      '--initial-advertise-peer-urls=http://127.0.0.1:2380',
      '--initial-cluster=default=http://127.0.0.1:2380',
      // The data does not outlive the cluster.
      '--unsafe-no-fsync',
    ],
    // The API server waits for it.
    isReady: () => Promise.resolve(true),
  }),
  containerd: (parts) => containerd(parts, parts.configuration.containerd),
  'containerd-without-cri': (parts) => containerd(parts, parts.configuration.containerdWithoutCri),
  'kube-apiserver': kubeApiServer,
  kubelet: ({ tools, credentials, configuration, site }) => ({
    command: tools.kubelet,
    parameters: [
      `--config=${configuration.kubelet}`,
      `--kubeconfig=${credentials.kubeconfigOf('kubelet')}`,
      `--hostname-override=${NODE_NAME}`,
      `--node-ip=${site.nodeAddress}`,
      '--root-dir=/var/lib/kubelet',
    ],
    isReady: () => Promise.resolve(true),
  }),
  'kube-controller-manager': ({ tools, credentials, site }) => ({
    command: tools['kube-controller-manager'],
    parameters: [
      ...asClient(credentials.kubeconfigOf('kube-controller-manager')),
      ...asServer(site, credentials),
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${credentials.serviceAccountKeyFile}`,
      `--root-ca-file=${credentials.authorityFile}`,
      `--cluster-signing-cert-file=${credentials.authorityFile}`,
      `--cluster-signing-key-file=${credentials.authorityKeyFile}`,
    ],
    isReady: () => isServed({ url: `https://${site.nodeAddress}:10257/healthz`, credentials }),
  }),
  'kube-scheduler': ({ tools, credentials, site }) => ({
    command: tools['kube-scheduler'],
    parameters: [...asClient(credentials.kubeconfigOf('kube-scheduler')), ...asServer(site, credentials)],
    isReady: () => isServed({ url: `https://${site.nodeAddress}:10259/healthz`, credentials }),
  }),
  'kube-proxy': ({ tools, configuration }) => ({
    command: tools['kube-proxy'],
    parameters: [`--config=${configuration.kubeProxy}`, `--hostname-override=${NODE_NAME}`],
    isReady: () => Promise.resolve(true),
  }),
};

const containerd = ({ initPid }: NodeParts, configuration: string): Program => ({
  command: 'containerd',
  parameters: ['--config', configuration],
  isReady: () => runInNode(initPid, containerdClient('version')).then(() => true),
});

const asClient = (kubeconfig: string): readonly string[] => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  '--leader-elect=false',
];

const asServer = (site: Site, { servingFile, servingKeyFile }: NodeCredentials): readonly string[] => [
  `--bind-address=${site.nodeAddress}`,
  `--tls-cert-file=${servingFile}`,
  `--tls-private-key-file=${servingKeyFile}`,
];

function kubeApiServer({ site, tools, credentials, configuration }: NodeParts): Program {
  return {
    command: tools['kube-apiserver'],
    parameters: [
      '--etcd-servers=http://127.0.0.1:2379',
      '--bind-address=0.0.0.0',
      `--advertise-address=${site.nodeAddress}`,
      `--secure-port=${API_SERVER_PORT}`,
      `--tls-cert-file=${credentials.servingFile}`,
      `--tls-private-key-file=${credentials.servingKeyFile}`,
      `--client-ca-file=${credentials.authorityFile}`,
      `--token-auth-file=${credentials.tokenFile}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      '--allow-privileged=true',
      `--service-cluster-ip-range=${site.serviceRange}`,
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      `--service-account-key-file=${credentials.serviceAccountKeyFile}`,
      `--service-account-signing-key-file=${credentials.serviceAccountKeyFile}`,
      `--kubelet-client-certificate=${credentials.kubeletClientFile}`,
      `--kubelet-client-key=${credentials.kubeletClientKeyFile}`,
      `--kubelet-certificate-authority=${credentials.authorityFile}`,
      '--kubelet-preferred-address-types=InternalIP',
      `--audit-policy-file=${configuration.auditPolicy}`,
      `--audit-log-path=${auditFileOf(site)}`,
      // A request that is answered is in the log.
      '--audit-log-mode=blocking-strict',
    ],
    isReady: () => isServed({ url: `${urlOf(site)}/readyz`, credentials }),
  };
}

const isServed = (request: JsonRequest): Promise<boolean> => requestJson(request).then(() => true);
