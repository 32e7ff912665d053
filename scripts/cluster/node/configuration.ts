import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUDIT_POLICY } from '../../../src/testing/request-log/index.js';
import type { NodeCredentials } from './credentials.js';
import { CONTAINERD_SOCKET } from './in-node.js';
import type { Site } from './site.js';
import { PAUSE_IMAGE } from './system-images.js';

/** Paths of the configuration files of a node. */
export interface Configuration {
  readonly auditPolicy: string;
  readonly containerd: string;
  /** Without the plugin that serves the kubelet: for the time in which the containers of an earlier cluster are removed. */
  readonly containerdWithoutCri: string;
  readonly kubelet: string;
  readonly kubeProxy: string;
}

/** Writes them. Numbers and switches that look odd are explained in docs/decisions/035-one-node-cluster.md. */
export function writeConfiguration(site: Site, credentials: NodeCredentials): Configuration {
  const directory = join(site.directory, 'configuration');
  mkdirSync(join(directory, 'cni'), { recursive: true });
  const write = (name: string, content: object | string): string => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    return path;
  };
  write('cni/10-bridge.conflist', podNetwork(site));
  const cni = join(directory, 'cni');
  return {
    auditPolicy: write('audit-policy.json', AUDIT_POLICY),
    containerd: write('containerd.toml', containerd(site, { cni, disabled: [] })),
    containerdWithoutCri: write('containerd-without-cri.toml', containerd(site, { cni, disabled: ['io.containerd.grpc.v1.cri'] })),
    kubelet: write('kubelet.json', kubelet(site, credentials, write('resolv.conf', ''))),
    kubeProxy: write('kube-proxy.json', kubeProxy(site, credentials)),
  };
}

/** Pods on one bridge, with a port of the node led to a Pod where it asks for that. Nothing is translated on its way out: there is no way out. */
function podNetwork({ podRange }: Site): object {
  return {
    cniVersion: '1.0.0',
    name: 'keelson',
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isGateway: true,
        isDefaultGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: { type: 'host-local', dataDir: '/var/lib/cni/networks', ranges: [[{ subnet: podRange }]] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}

const UNUSED_PLUGINS = ['aufs', 'btrfs', 'devmapper', 'zfs'].map((name) => `io.containerd.snapshotter.v1.${name}`);

function containerd({ imageStore }: Site, { cni, disabled }: { readonly cni: string; readonly disabled: readonly string[] }): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = ${JSON.stringify(imageStore)}
state = "/run/containerd"
disabled_plugins = ${JSON.stringify([...UNUSED_PLUGINS, 'io.containerd.internal.v1.restart', ...disabled])}
[grpc]
address = "${CONTAINERD_SOCKET}"
[${cri}]
sandbox_image = "${PAUSE_IMAGE}"
disable_apparmor = true
# Where the machine withholds CAP_SYS_RESOURCE, runc cannot lower a score, and would fail without a word.
restrict_oom_score_adj = true
[${cri}.cni]
bin_dir = "/usr/lib/cni"
conf_dir = ${JSON.stringify(cni)}
[${cri}.containerd]
snapshotter = "overlayfs"
[${cri}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${cri}.containerd.runtimes.runc.options]
SystemdCgroup = false
`;
}

function kubelet(site: Site, credentials: NodeCredentials, resolvConf: string): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: site.nodeAddress,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: credentials.authorityFile } },
    authorization: { mode: 'Webhook' },
    tlsCertFile: credentials.servingFile,
    tlsPrivateKeyFile: credentials.servingKeyFile,
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    cgroupDriver: 'cgroupfs',
    // All cgroups below one that can be removed.
    cgroupRoot: `/${site.cgroup}`,
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [site.dnsAddress],
    clusterDomain: 'cluster.local',
    // Empty: CoreDNS itself would ask itself.
    resolvConf,
    volumePluginDir: '/run/kubelet-volume-plugins',
    healthzBindAddress: site.nodeAddress,
    // A developer's disk may be nearly full; and nothing could pull an image again.
    evictionHard: Object.fromEntries(
      ['memory.available', 'nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree'].map((signal) => [
        signal,
        '0%',
      ]),
    ),
    imageGCHighThresholdPercent: 100,
    imageMinimumGCAge: '24h',
    nodeStatusUpdateFrequency: '5s',
    shutdownGracePeriod: '0s',
    maxPods: 110,
    // A test that kills a container need not wait minutes for the next one.
    featureGates: { KubeletCrashLoopBackOffMax: true },
    crashLoopBackOff: { maxContainerRestartPeriod: '5s' },
  };
}

function kubeProxy(site: Site, credentials: NodeCredentials): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    clientConnection: { kubeconfig: credentials.kubeconfigOf('kube-proxy') },
    clusterCIDR: site.podRange,
    bindAddress: site.nodeAddress,
    healthzBindAddress: `${site.nodeAddress}:10256`,
    metricsBindAddress: '127.0.0.1:10249',
    // The kernel lets only the machine's own network namespace set them.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    iptables: { minSyncPeriod: '0s' },
  };
}
