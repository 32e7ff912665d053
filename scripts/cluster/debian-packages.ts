import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BuildFailure } from './build-failure.js';

/** Programs of the one-node cluster that come from Debian, by the package that has them. */
const NODE_PACKAGES: readonly string[] = [
  'busybox-static',
  'conntrack',
  'containerd',
  'containernetworking-plugins',
  'iproute2',
  'iptables',
  'memcached',
  'nftables',
  'runc',
];

/** Programs that suites drive: a browser that needs no screen, letters for it to draw, and shells that complete command lines. */
export const DRIVEN_PACKAGES: readonly string[] = ['chromium', 'fish', 'fonts-dejavu-core', 'zsh'];

export type PackageState = { readonly installed: true } | { readonly installed: false; readonly missing: readonly string[] };

/** Asks dpkg; installs nothing. */
export function packageState(names: readonly string[] = NODE_PACKAGES): PackageState {
  const { stdout, error } = spawnSync('dpkg-query', ['--show', `--showformat=${INSTALLED_FORMAT}`, ...names], { encoding: 'utf8' });
  const lines = new Set(error === undefined ? stdout.split('\n') : []);
  const missing = names.filter((name) => !lines.has(`${name} installed`));
  return missing.length === 0 ? { installed: true } : { installed: false, missing };
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own placeholders
const INSTALLED_FORMAT = '${Package} ${db:Status-Status}\\n';

/**
 * Why packages cannot be installed on this machine; `undefined` if they can.
 *
 * @param who what the packages are for, as the sentence begins
 */
export function installationObstacle(who = 'the one-node cluster'): string | undefined {
  if (process.platform !== 'linux') return `${who} needs Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return `${who} needs root`;
  return existsSync('/usr/bin/apt-get') ? undefined : 'there is no apt-get';
}

/** Installs what is missing. Errors: {@link BuildFailure} with the end of apt's output. */
export function installPackages(names: readonly string[], report: (line: string) => void): void {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...parameters: string[]): { readonly status: number | null; readonly output: string } => {
    const { status, stdout, stderr, error } = spawnSync('apt-get', parameters, { env: environment, encoding: 'utf8' });
    return { status, output: error === undefined ? `${stdout}${stderr}` : error.message };
  };
  const install = () => apt('install', '--yes', '--no-install-recommends', ...names);
  report(`installing ${names.join(', ')}`);
  let { status, output } = install();
  if (status !== 0) {
    // Lists of packages that are missing or old: a fresh image has none.
    report('apt-get install failed: trying again with fresh lists');
    apt('update');
    ({ status, output } = install());
  }
  if (status === 0) return;
  const end = output.trimEnd().split('\n').slice(-20).join('\n');
  throw new BuildFailure('nodeImpossible', `apt-get install ended with code ${status}:\n${end}`);
}
