import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KUBERNETES_MINOR } from '@keelson/kubernetes/version';

export interface StoreMachine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @defaultValue process.platform */
  readonly platform?: string;
  /** @defaultValue process.arch */
  readonly arch?: string;
}

/**
 * The folder of the newest control plane that Go's setup-envtest has downloaded on this machine: one of this package's minor version, else of any. Undefined
 * without one.
 *
 * Source: controller-runtime `tools/setup-envtest/store/helpers.go` and `versions/platform.go`: `k8s/<version>-<os>-<arch>`.
 */
export function newestOfStore({ environment, platform = process.platform, arch = process.arch }: StoreMachine): string | undefined {
  const store = join(storeFolder(environment, platform), 'k8s');
  const suffix = `-${platform === 'win32' ? 'windows' : platform}-${arch === 'x64' ? 'amd64' : arch}`;
  const versions = entriesOf(store)
    .filter((name) => /^\d+\.\d+\.\d+-/.test(name) && name.endsWith(suffix))
    .sort(byVersion);
  const name = versions.findLast((version) => version.startsWith(`${KUBERNETES_MINOR}.`)) ?? versions.at(-1);
  return name === undefined ? undefined : join(store, name);
}

function storeFolder(environment: StoreMachine['environment'], platform: string): string {
  const home = environment['HOME'] ?? homedir();
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'io.kubebuilder.envtest');
  if (platform === 'win32') return join(environment['LocalAppData'] ?? join(home, 'AppData', 'Local'), 'kubebuilder-envtest');
  return join(environment['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'kubebuilder-envtest');
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No setup-envtest has run on this machine.
    return [];
  }
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}
