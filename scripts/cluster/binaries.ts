import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Versions that the cluster suites run against. Everything else (cache folder, version checks, staging modules) follows from these two. */
export const KUBERNETES_VERSION = 'v1.37.2';
export const ETCD_VERSION = 'v3.7.3';

export type BinaryName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kubectl';

export const BUILT_BINARIES: readonly BinaryName[] = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'];
/** Go's envtest ships these three: a folder without a controller manager is still good for most suites. */
const REQUIRED_BINARIES: readonly BinaryName[] = ['etcd', 'kube-apiserver', 'kubectl'];

export interface Binaries {
  readonly directory: string;
  /** Absolute paths; `kube-controller-manager` may be absent under `KUBEBUILDER_ASSETS`. */
  readonly paths: Readonly<Partial<Record<BinaryName, string>>>;
  readonly source: 'KUBEBUILDER_ASSETS' | 'cache';
}

export type BinarySearch = { readonly found: true; readonly binaries: Binaries } | { readonly found: false; readonly reason: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where built things are kept: outside the tree, so that a clean checkout does not cost a build. */
export function cacheRoot(environment: Environment = process.env): string {
  return environment['KEELSON_CACHE_DIR'] ?? join(environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'keelson');
}

/** Where the built binaries of these versions are kept. */
export function cacheDirectory(environment: Environment = process.env): string {
  return join(cacheRoot(environment), `kubernetes-${KUBERNETES_VERSION}-etcd-${ETCD_VERSION}-${process.platform}-${process.arch}`);
}

/** Looks for the binaries; starts nothing. A folder of the user's own (`KUBEBUILDER_ASSETS`) wins over the cache and is never mixed with it. */
export function findBinaries(environment: Environment = process.env): BinarySearch {
  const assets = environment['KUBEBUILDER_ASSETS'];
  const source = assets === undefined || assets === '' ? 'cache' : 'KUBEBUILDER_ASSETS';
  const directory = source === 'cache' ? cacheDirectory(environment) : (assets as string);
  const paths: Partial<Record<BinaryName, string>> = {};
  for (const name of BUILT_BINARIES) {
    const path = join(directory, name);
    if (isExecutable(path)) paths[name] = path;
  }
  const missing = REQUIRED_BINARIES.filter((name) => paths[name] === undefined);
  if (missing.length === 0) return { found: true, binaries: { directory, paths, source } };
  return { found: false, reason: `no ${missing.join(', ')} in ${directory} (${remedy(source)})` };
}

function remedy(source: Binaries['source']): string {
  return source === 'cache' ? 'build them with: npx tsx scripts/cluster/build-binaries.ts' : 'named by KUBEBUILDER_ASSETS';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
