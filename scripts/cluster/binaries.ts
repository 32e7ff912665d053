import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Release {
  /** `major.minor`. */
  readonly minor: string;
  readonly kubernetes: string;
  readonly etcd: string;
}

const release = (kubernetes: string, etcd: string): Release => ({ minor: kubernetes.replace(/^v(\d+\.\d+)\..*/, '$1'), kubernetes, etcd });

/**
 * The release that `imports/` is generated from and that the in-process server is compared with. Its etcd is that of the etcd example, whose suites upgrade
 * members from 3.5: etcd skips no minor.
 */
const PINNED = release('v1.37.2', 'v3.6.16');

/** The releases that keelson supports: the four newest minors, newest first. Cache folders, version checks and staging modules follow from this list. */
export const RELEASES: readonly Release[] = [
  PINNED,
  release('v1.36.3', 'v3.6.16'),
  release('v1.35.4', 'v3.6.16'),
  release('v1.34.4', 'v3.6.16'),
];

export const KUBERNETES_VERSION = PINNED.kubernetes;
export const ETCD_VERSION = PINNED.etcd;

/** The release that `KEELSON_KUBERNETES` names by its minor (`1.35`); else the pinned one. Throws an Error for a minor that is not supported. */
export function releaseOf(environment: Environment = process.env): Release {
  const minor = environment['KEELSON_KUBERNETES'] ?? '';
  const found = minor === '' ? PINNED : RELEASES.find((one) => one.minor === minor);
  if (found !== undefined) return found;
  throw new Error(`KEELSON_KUBERNETES is "${minor}": it names one of the minors ${RELEASES.map((one) => one.minor).join(', ')}`);
}

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

/** Where the built binaries of the release are kept that {@link releaseOf} names. */
export function cacheDirectory(environment: Environment = process.env): string {
  const { kubernetes, etcd } = releaseOf(environment);
  return join(cacheRoot(environment), `kubernetes-${kubernetes}-etcd-${etcd}-${process.platform}-${process.arch}`);
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
  return { found: false, reason: `no ${missing.join(', ')} in ${directory} (${remedy(source, environment)})` };
}

function remedy(source: Binaries['source'], environment: Environment): string {
  if (source !== 'cache') return 'named by KUBEBUILDER_ASSETS';
  const { minor } = releaseOf(environment);
  const prefix = minor === PINNED.minor ? '' : `KEELSON_KUBERNETES=${minor} `;
  return `build them with: ${prefix}npx tsx scripts/cluster/build-binaries.ts`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
