import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority, type KeyPair } from '../../../src/kubernetes/certificates/index.js';
import { serviceAccountTokenKey } from '../../../src/testing/cluster/control-plane/index.js';
import { base64, kubeconfigOf } from '../kubeconfig.js';
import { byToken, type TokenUsers, tokensFor } from '../token-users.js';
import { NODE_NAME, type Site, urlOf } from './site.js';

/** Clients of the API server that a kubeconfig is written for, with the groups of their certificates. */
const COMPONENTS = {
  'kube-controller-manager': { user: 'system:kube-controller-manager', groups: [] },
  'kube-proxy': { user: 'system:kube-proxy', groups: [] },
  'kube-scheduler': { user: 'system:kube-scheduler', groups: [] },
  kubelet: { user: `system:node:${NODE_NAME}`, groups: ['system:nodes'] },
} as const;

export type ComponentName = keyof typeof COMPONENTS;

export interface NodeCredentials {
  /** PEM. */
  readonly authority: string;
  readonly authorityFile: string;
  readonly authorityKeyFile: string;
  /** One certificate for all servers of the node. */
  readonly servingFile: string;
  readonly servingKeyFile: string;
  /** As which the API server reaches the kubelet, for logs and exec. */
  readonly kubeletClientFile: string;
  readonly kubeletClientKeyFile: string;
  readonly serviceAccountKeyFile: string;
  readonly tokenFile: string;
  /** Bearer tokens by user. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The administrator's; a context for each user of the token file. */
  readonly kubeconfig: string;
  readonly kubeconfigOf: (component: ComponentName) => string;
}

const PRIVATE = { mode: 0o600 };

/** Writes what the parts of a cluster need to know each other. */
export function writeCredentials(site: Site, users: TokenUsers): NodeCredentials {
  const directory = join(site.directory, 'credentials');
  mkdirSync(directory, { mode: 0o700 });
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, PRIVATE);
    return join(directory, name);
  };
  const writePair = (name: string, { certificate, privateKey }: KeyPair): [file: string, keyFile: string] => [
    write(`${name}.crt`, certificate),
    write(`${name}.key`, privateKey),
  ];
  const authority = CertificateAuthority.create({ commonName: `keelson node ${site.slot}` });
  const cluster = { name: NODE_NAME, url: urlOf(site), authority: authority.certificate };
  const client = (user: string, groups: readonly string[]): KeyPair =>
    authority.issueClient({ subject: [...groups.map((group) => ['O', group] as const), ['CN', user]] });
  const [authorityFile, authorityKeyFile] = writePair('authority', authority.toKeyPair());
  const [servingFile, servingKeyFile] = writePair('serving', authority.issueServing(servingNames(site)));
  const [kubeletClientFile, kubeletClientKeyFile] = writePair(
    'kubelet-client',
    client('kube-apiserver-kubelet-client', ['system:masters']),
  );
  for (const [name, { user, groups }] of Object.entries(COMPONENTS)) {
    const { certificate, privateKey } = client(user, groups);
    const credentials = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(privateKey) };
    write(`${name}.kubeconfig`, kubeconfigOf(cluster, { [name]: credentials }));
  }
  const { tokens, file } = tokensFor({ admin: ['system:masters'], ...users });
  const kubeconfig = join(site.directory, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(cluster, byToken(tokens)), PRIVATE);
  return {
    authority: authority.certificate,
    authorityFile,
    authorityKeyFile,
    servingFile,
    servingKeyFile,
    kubeletClientFile,
    kubeletClientKeyFile,
    serviceAccountKeyFile: write('service-accounts.key', serviceAccountTokenKey()),
    tokenFile: write('tokens.csv', file),
    tokens,
    kubeconfig,
    kubeconfigOf: (component) => join(directory, `${component}.kubeconfig`),
  };
}

function servingNames(site: Site): { readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] } {
  const service = 'kubernetes.default.svc.cluster.local'.split('.');
  return {
    dnsNames: [NODE_NAME, 'localhost', ...[1, 2, 3, 5].map((parts) => service.slice(0, parts).join('.'))],
    ipAddresses: ['127.0.0.1', site.nodeAddress, site.apiServiceAddress],
  };
}
