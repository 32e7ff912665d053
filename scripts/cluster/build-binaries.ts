/**
 * Builds etcd, kube-apiserver, kube-controller-manager and kubectl from their Go modules into the cache, unless they are there already.
 *
 *     npx tsx scripts/cluster/build-binaries.ts [--if-possible]
 *
 * `KEELSON_KUBERNETES=1.35` builds an older release of binaries.ts instead of the pinned one.
 *
 * Guarantees: the cache folder appears complete (one rename) or not at all; two runs at once build once; each binary has printed its version.
 * Exit codes: 0 the binaries are there; 10 no Go; 11 Go too old; 12 modules cannot be fetched; 13 the compiler failed; 14 a binary prints a wrong
 * version; 15 `KUBEBUILDER_ASSETS` lacks a binary. `--if-possible` turns 10 to 12 into 0 (the suites then say "skipped"), except where CI is set.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BinaryName, BUILT_BINARIES, cacheDirectory, findBinaries, releaseOf } from './binaries.js';
import { BuildFailure } from './build-failure.js';
import { buildPrograms } from './go-build.js';
import { withProcessLock } from './process-lock.js';
import { controlPlane } from './programs.js';

const report = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

function versionOf(name: BinaryName, directory: string): string {
  const parameters = name === 'kubectl' ? ['version', '--client', '--output=json'] : ['--version'];
  const output = execFileSync(join(directory, name), parameters, { encoding: 'utf8' });
  if (name === 'kubectl') return (JSON.parse(output) as { clientVersion: { gitVersion: string } }).clientVersion.gitVersion;
  if (name === 'etcd') return `v${/^etcd Version: (\S+)/.exec(output)?.[1]}`;
  return /^Kubernetes (\S+)/.exec(output)?.[1] ?? output.trim();
}

function checkVersions(directory: string): void {
  const { etcd, kubernetes } = releaseOf();
  for (const name of BUILT_BINARIES) {
    const [found, expected] = [versionOf(name, directory), name === 'etcd' ? etcd : kubernetes];
    if (found !== expected) throw new BuildFailure('wrongVersion', `${name} in ${directory} says it is ${found}, expected ${expected}`);
  }
}

/** Under the lock: half-finished folders beside the target belong to no running build. */
async function buildIntoCache(target: string): Promise<void> {
  if (findBinaries().found) return; // another process built it while this one waited
  const [parent, name] = [dirname(target), basename(target)];
  for (const entry of readdirSync(parent)) {
    if (entry === name || entry.startsWith(`${name}.building-`)) rmSync(join(parent, entry), { recursive: true, force: true });
  }
  const started = Date.now();
  const work = mkdtempSync(`${target}.building-`);
  try {
    await buildPrograms(controlPlane(releaseOf()), work, join(work, 'bin'), report);
    checkVersions(join(work, 'bin'));
    renameSync(join(work, 'bin'), target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  report(`built in ${((Date.now() - started) / 1000).toFixed(0)} s: ${target}`);
}

async function provideBinaries(): Promise<void> {
  const search = findBinaries();
  if (search.found) return report(`binaries are there (${search.binaries.source}): ${search.binaries.directory}`);
  if (process.env['KUBEBUILDER_ASSETS']) throw new BuildFailure('assetsIncomplete', search.reason);
  const target = cacheDirectory();
  report('building etcd, kube-apiserver, kube-controller-manager and kubectl: about ten minutes on two cores, once');
  await withProcessLock(
    `${target}.lock`,
    (holder) => report(`process ${holder} is building already: waiting for it`),
    () => buildIntoCache(target),
  );
}

provideBinaries().catch((error: unknown) => {
  if (!(error instanceof BuildFailure)) throw error;
  report(error.message);
  const isTolerated = process.argv.includes('--if-possible') && error.isEnvironmental && !process.env['CI'];
  if (isTolerated) report('The suites that need a real API server will be skipped.');
  process.exitCode = isTolerated ? 0 : error.exitCode;
});
