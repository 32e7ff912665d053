import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';
import { TestClusterError } from '../errors.js';
import { newestOfStore } from './envtest-store.js';

export type AssetName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Go's envtest looks if no variable names a place. */
const INSTALLED = '/usr/local/kubebuilder/bin';

export interface AssetOptions {
  /** A folder that is looked in instead of all others. */
  readonly binaries?: string | undefined;
  /** @defaultValue process.env */
  readonly environment?: Environment;
}

/**
 * Paths of the binaries, found as Go's envtest finds them: a variable for each (`TEST_ASSET_KUBE_APISERVER`), else the folder that `KUBEBUILDER_ASSETS` names,
 * else /usr/local/kubebuilder/bin; then the newest release that setup-envtest has downloaded. Nothing is downloaded here.
 *
 * @throws TestClusterError naming each binary that is not there, where it was looked for, and how to get it
 */
export function findAssets<TName extends AssetName>(names: readonly TName[], options: AssetOptions = {}): Readonly<Record<TName, string>> {
  const paths = names.map((name) => [name, placeOf(name, options)] as const);
  const missing = paths.filter(([, { path }]) => !isExecutable(path));
  if (missing.length > 0) throw new TestClusterError(absence(missing.map(([name, place]) => ({ name, ...place }))));
  return Object.fromEntries(paths.map(([name, { path }]) => [name, path])) as Record<TName, string>;
}

interface Place {
  readonly path: string;
  /** The setting that names the folder. */
  readonly because: string;
}

function placeOf(name: AssetName, { binaries, environment = process.env }: AssetOptions): Place {
  if (binaries !== undefined) return { path: join(binaries, name), because: 'the option binaries' };
  const variable = `TEST_ASSET_${name.toUpperCase().replaceAll('-', '_')}`;
  const own = environment[variable];
  if (own) return { path: own, because: variable };
  const folder = environment['KUBEBUILDER_ASSETS'];
  if (folder) return { path: join(folder, name), because: 'KUBEBUILDER_ASSETS' };
  const unset = `neither ${variable} nor KUBEBUILDER_ASSETS is set`;
  const stored = isExecutable(join(INSTALLED, name)) ? undefined : newestOfStore({ environment });
  if (stored === undefined) return { path: join(INSTALLED, name), because: `${unset}, and setup-envtest has downloaded nothing` };
  return { path: join(stored, name), because: `${unset}, and this is what setup-envtest has downloaded` };
}

function absence(missing: readonly (Place & { readonly name: AssetName })[]): string {
  const lines = missing.map(({ name, path, because }) => `  ${name}: no executable ${path} (${because})`);
  const isManager = missing.every(({ name }) => name === 'kube-controller-manager');
  const advice = isManager
    ? "Go's envtest does not bring kube-controller-manager: put it beside the others, or take mode: 'envtest'."
    : `Get them with \`setup-envtest use ${KUBERNETES_MINOR}.x\`, which the releases of github.com/kubernetes-sigs/controller-runtime have as a program, or ` +
      `\`go run sigs.k8s.io/controller-runtime/tools/setup-envtest@latest use ${KUBERNETES_MINOR}.x\`: keelson finds what it downloads. ` +
      "Or take server: 'in-process', which needs none.";
  return `server 'kube-apiserver': binaries are missing:\n${lines.join('\n')}\n${advice}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
