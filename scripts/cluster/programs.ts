import { ETCD_VERSION, KUBERNETES_VERSION, type Release } from './binaries.js';
import type { Program } from './go-build.js';

const stamp = (key: string, value: string): string => `-X k8s.io/component-base/version.${key}=${value}`;
/** Programs of the Kubernetes repository. They read their own version from stamps, and `/version` and feature gates follow from it. */
function kubernetesProgram(version: string, ...names: readonly string[]): Program {
  const [, minor = ''] = version.split('.');
  const linkerFlags = ['-s -w', stamp('gitVersion', version), stamp('gitMajor', '1'), stamp('gitMinor', minor)].join(' ');
  const packages = Object.fromEntries(names.map((name) => [`k8s.io/kubernetes/cmd/${name}`, name]));
  return { module: 'k8s.io/kubernetes', version, packages, goVersion: '1.24.0', linkerFlags };
}

/** The server of etcd, built under a name. */
function etcdProgram(version: string, name: string): Program {
  const module = 'go.etcd.io/etcd/server/v3';
  return { module, version, packages: { [module]: name }, goVersion: '1.26.0', linkerFlags: '-s -w' };
}

/**
 * The control plane that the cluster suites run against.
 *
 * Two modules, not one: etcd's server and the API server's etcd client pin different versions of shared dependencies.
 */
export const controlPlane = ({ kubernetes, etcd }: Release): readonly Program[] => [
  kubernetesProgram(kubernetes, 'kube-apiserver', 'kube-controller-manager', 'kubectl'),
  etcdProgram(etcd, 'etcd'),
];

/** A program that is one package of its module. */
function tool(name: string, { module, path = '', version, linkerFlags = '-s -w', tags }: ToolSource): Program {
  return { module, version, packages: { [`${module}${path}`]: name }, goVersion: '1.26.0', linkerFlags, tags };
}

interface ToolSource {
  readonly module: string;
  /** The folder of the package in its module. */
  readonly path?: string;
  readonly version: string;
  readonly linkerFlags?: string;
  readonly tags?: string;
}

/** The program of Helm. Versions 3 and 4 are both in use, and read the same charts. */
function helmProgram(major: 'v3' | 'v4', name: string, version: string): Program {
  const module = `helm.sh/helm/${major}`;
  return tool(name, { module, path: '/cmd/helm', version, linkerFlags: `-s -w -X ${module}/internal/version.version=${version}` });
}

/** A program of Prometheus 3.14, which discovers its targets in Kubernetes, DNS and files: the clients of all clouds would make up most of the build. */
function prometheusProgram(name: string): Program {
  const tags = 'remove_all_sd,enable_dns_sd,enable_kubernetes_sd';
  return tool(name, { module: 'github.com/prometheus/prometheus', path: `/cmd/${name}`, version: 'v0.314.0', tags });
}

/** Programs that single suites need, each of one binary with the name of the row. Each is built and kept by itself. */
export const TOOLS = {
  'etcd-3.5': etcdProgram('v3.5.35', 'etcd-3.5'),
  etcdutl: tool('etcdutl', { module: 'go.etcd.io/etcd/etcdutl/v3', version: ETCD_VERSION }),
  helm: helmProgram('v3', 'helm', 'v3.21.3'),
  'helm-4': helmProgram('v4', 'helm-4', 'v4.3.1'),
  kustomize: tool('kustomize', { module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.8.2' }),
  // The rest of a node, for the cluster of `make cluster`.
  kubelet: kubernetesProgram(KUBERNETES_VERSION, 'kubelet'),
  'kube-proxy': kubernetesProgram(KUBERNETES_VERSION, 'kube-proxy'),
  'kube-scheduler': kubernetesProgram(KUBERNETES_VERSION, 'kube-scheduler'),
  // Neither registries' storage drivers nor signatures: catalogs and bundles are folders here. Without cgo the older database of catalogs cannot be opened.
  opm: tool('opm', {
    module: 'github.com/operator-framework/operator-registry',
    path: '/cmd/opm',
    version: 'v1.55.0',
    tags: 'containers_image_openpgp,exclude_graphdriver_btrfs,exclude_graphdriver_devicemapper,json1',
  }),
  actionlint: tool('actionlint', { module: 'github.com/rhysd/actionlint', path: '/cmd/actionlint', version: 'v1.7.12' }),
  kubeconform: tool('kubeconform', { module: 'github.com/yannh/kubeconform', path: '/cmd/kubeconform', version: 'v0.8.0' }),
  prometheus: prometheusProgram('prometheus'),
  promtool: prometheusProgram('promtool'),
} as const satisfies Record<string, Program>;

export type ToolName = keyof typeof TOOLS;
