import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './binaries.js';
import { BuildFailure } from './build-failure.js';
import { installationObstacle } from './debian-packages.js';
import { withProcessLock } from './process-lock.js';

/** buildah, the libraries that it loads beside those of every Debian, and the list of system calls that containers may make. */
const PACKAGES = ['buildah', 'golang-github-containers-common', 'libassuan0', 'libdevmapper1.02.1', 'libgpgme11', 'libseccomp2'] as const;

export type BuilderSearch = { readonly found: true; readonly folder: string } | { readonly found: false; readonly reason: string };

/**
 * The folder of the cache that holds a builder of Dockerfiles as its packages would lie below `/`. It downloads and starts nothing: suites must know whether
 * there is one when they are declared.
 */
export function findImageBuilder(environment: NodeJS.ProcessEnv = process.env): BuilderSearch {
  const obstacle = installationObstacle('the builder of images');
  if (obstacle !== undefined) return { found: false, reason: obstacle };
  const folder = folderOf(environment);
  if (existsSync(folder)) return { found: true, folder };
  return { found: false, reason: `no ${folder} (download it with: npx tsx scripts/cluster/prepare-node.ts)` };
}

/**
 * Downloads the builder unless it is there, where {@link installationObstacle} has no objection. Nothing is installed: apt would replace `login` and `passwd` of the machine for it.
 * Errors: {@link BuildFailure} with the end of a program's output.
 */
export async function provideImageBuilder(report: (line: string) => void): Promise<void> {
  const search = findImageBuilder();
  if (search.found) return report(`the builder of images is there: ${search.folder}`);
  const target = folderOf(process.env);
  await withProcessLock(
    `${target}.lock`,
    (holder) => report(`process ${holder} is downloading the builder of images already: waiting for it`),
    async () => {
      if (existsSync(target)) return; // another process downloaded it while this one waited
      report(`downloading ${PACKAGES.join(', ')}`);
      mkdirSync(join(target, '..'), { recursive: true });
      const work = mkdtempSync(`${target}.building-`);
      try {
        downloadPackages(work, report);
        unpack(work);
        renameSync(work, target);
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  );
}

/** A release of its own for each release of Debian: the others have other libraries. */
function folderOf(environment: NodeJS.ProcessEnv): string {
  const [, release = 'debian'] = /^VERSION_CODENAME="?(\w+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  return join(cacheRoot(environment), `image-builder-${release}-${process.arch}`);
}

function downloadPackages(folder: string, report: (line: string) => void): void {
  const command = ['apt-get', 'download', ...PACKAGES];
  if (run(folder, command).succeeded) return;
  // Lists of packages that are missing or old: a fresh image has none.
  report('apt-get download failed: trying again with fresh lists');
  run(folder, ['apt-get', 'update']);
  must(folder, command);
}

function unpack(folder: string): void {
  for (const archive of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    must(folder, ['dpkg-deb', '--extract', archive, '.']);
    rmSync(join(folder, archive));
  }
}

function must(folder: string, command: readonly string[]): void {
  const { succeeded, end } = run(folder, command);
  if (!succeeded) throw new BuildFailure('nodeImpossible', `${command.join(' ')} failed:\n${end}`);
}

function run(folder: string, [program = '', ...parameters]: readonly string[]): { readonly succeeded: boolean; readonly end: string } {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { cwd: folder, encoding: 'utf8' });
  const output = error === undefined ? `${stdout}${stderr}` : error.message;
  return { succeeded: status === 0, end: output.trimEnd().split('\n').slice(-20).join('\n') };
}
