import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Binaries, findBinaries } from '../binaries.js';
import { installationObstacle, packageState } from '../debian-packages.js';
import { findTool } from '../go-tool.js';

/** Programs that a node is made of, by absolute path. Those of Debian's packages are on the PATH. */
export type NodeTools = Readonly<
  Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-proxy' | 'kube-scheduler' | 'kubectl' | 'kubelet', string>
>;

export type NodeToolSearch = { readonly found: true; readonly tools: NodeTools } | { readonly found: false; readonly reason: string };

const ON_PATH = ['containerd', 'ctr', 'flock', 'ip', 'iptables', 'nsenter', 'runc', 'setpriv', 'sysctl', 'unshare'] as const;

/** Looks for all that a node needs; installs, builds and starts nothing. */
export function findNodeTools(): NodeToolSearch {
  const missing = (reason: string): NodeToolSearch => ({ found: false, reason });
  const obstacle = installationObstacle();
  if (obstacle !== undefined) return missing(obstacle);
  const binaries = findBinaries();
  if (!binaries.found) return missing(binaries.reason);
  const manager = managerOf(binaries.binaries);
  if (manager === undefined) return missing(`no kube-controller-manager in ${binaries.binaries.directory}`);
  const found = { kubelet: findTool('kubelet'), proxy: findTool('kube-proxy'), scheduler: findTool('kube-scheduler') };
  for (const tool of Object.values(found)) if (!tool.found) return missing(tool.reason);
  const packages = packageState();
  if (!packages.installed) return missing(`packages are missing: ${packages.missing.join(', ')} (install them with: ${INSTALL})`);
  const absent = ON_PATH.filter((name) => !isOnPath(name));
  if (absent.length > 0) return missing(`not on the PATH: ${absent.join(', ')}`);
  const path = (search: { readonly found: boolean; readonly path?: string }): string => search.path as string;
  const { paths } = binaries.binaries;
  return {
    found: true,
    tools: {
      etcd: paths.etcd as string,
      'kube-apiserver': paths['kube-apiserver'] as string,
      'kube-controller-manager': manager,
      kubectl: paths.kubectl as string,
      kubelet: path(found.kubelet),
      'kube-proxy': path(found.proxy),
      'kube-scheduler': path(found.scheduler),
    },
  };
}

const INSTALL = 'npx tsx scripts/cluster/prepare-node.ts';

const managerOf = ({ paths }: Binaries): string | undefined => paths['kube-controller-manager'];

const isOnPath = (name: string): boolean => (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)));
