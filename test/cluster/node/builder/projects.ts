import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testedVersions } from '../../../../scripts/build/pack.js';
import { keelson } from '../../../cli/scaffolded.js';

const ROOT = process.cwd();

/** Packages that the operators of the examples load and a new project does not. */
const EXAMPLE_PACKAGES = ['@lezer/highlight', '@lezer/lr', '@prometheus-io/lezer-promql', 'aws4fetch', 'croner'];

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

interface LockedPackage extends Manifest {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  readonly packages: Record<string, LockedPackage>;
}

/**
 * A project of `keelson init`, with the lock file that its README asks for. It depends on the packages of the examples as well, so that one `npm ci` serves all
 * images: what a bundle does not import is not in it.
 */
export async function newProject(
  folder: string,
  { name, tarballs, format = 'esm' }: { readonly name: string; readonly tarballs: string; readonly format?: 'esm' | 'commonjs' },
): Promise<string> {
  const command = `init ${name} --group web.example.com --kind Website --webhooks --${format} --keelson file:${tarballs}`;
  const { status, error } = await keelson(command, folder);
  if (status !== 0) throw new Error(`keelson ${command}: ${error}`);
  const project = join(folder, name);
  const manifest = read<Manifest>(project, 'package.json');
  const versions = testedVersions();
  for (const used of EXAMPLE_PACKAGES) manifest.dependencies[used] = versions[used] as string;
  write(project, 'package.json', manifest);
  await lock(project);
  return project;
}

/** A project of an example: its files, beside those of a project that the head of its Dockerfile asks for. */
export function exampleProject(folder: string, { name, project }: { readonly name: string; readonly project: string }): string {
  const example = join(folder, name);
  cpSync(join(ROOT, 'examples', name), example, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) cpSync(join(project, file), join(example, file));
  return example;
}

/**
 * Writes package-lock.json. The tarballs are in npm's cache then, and the project names them as if they had come from the registry: a build has no file beside
 * its context, and npm looks into its cache for a tarball whose digest it knows before it asks a registry.
 */
async function lock(project: string): Promise<void> {
  await npm(project, 'install', '--package-lock-only', '--prefer-offline', '--no-fund', '--no-audit');
  const manifest = read<Manifest>(project, 'package.json');
  const lockFile = read<LockFile>(project, 'package-lock.json');
  const registry = (await npm(project, 'config', 'get', 'registry')).trim().replace(/\/*$/, '/');
  for (const part of ['dependencies', 'devDependencies'] as const) {
    const tarballs = Object.entries(manifest[part]).filter(([, source]) => source.startsWith('file:'));
    for (const [name, source] of tarballs) {
      await npm(project, 'cache', 'add', source.replace('file:', ''));
      const locked = lockFile.packages[`node_modules/${name}`] as LockedPackage;
      for (const each of [manifest, lockFile.packages[''] as Manifest]) each[part][name] = `^${locked.version}`;
      Object.assign(locked, { resolved: new URL(`${name}/-/${name.replace(/^.*\//, '')}-${locked.version}.tgz`, registry).href });
    }
  }
  forgetLeftOut(lockFile);
  write(project, 'package.json', manifest);
  write(project, 'package-lock.json', lockFile);
}

/**
 * npm leaves optional packages that the registry at hand lacks out of the lock file, and `npm ci` then refuses that file as incomplete. They are for other
 * platforms than the image's: the build needs none of them.
 */
function forgetLeftOut({ packages }: LockFile): void {
  const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
  for (const { optionalDependencies = {} } of Object.values(packages)) {
    for (const name of Object.keys(optionalDependencies)) if (!locked.has(name)) delete optionalDependencies[name];
  }
}

const read = <T>(project: string, file: string): T => JSON.parse(readFileSync(join(project, file), 'utf8')) as T;
const write = (project: string, file: string, content: object): void =>
  writeFileSync(join(project, file), `${JSON.stringify(content, undefined, 2)}\n`);

/** What `RUN npm ci` needs of this machine: npm's cache, and how a package that is not in it is reached. */
export async function npmMounts(folder: string): Promise<Readonly<Record<string, string>>> {
  const { cache, registry, cafile } = JSON.parse(await npm(folder, 'config', 'list', '--long', '--json')) as {
    readonly cache: string;
    readonly registry: string;
    readonly cafile?: string | null;
  };
  const settings = {
    cache: '/npm-cache',
    'prefer-offline': true,
    registry,
    ...(typeof cafile === 'string' && { cafile: '/npm-authorities' }),
  };
  const file = join(folder, 'npmrc');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''));
  return { '/root/.npmrc': file, '/npm-cache': cache, ...(typeof cafile === 'string' && { '/npm-authorities': cafile }) };
}

/** Without the environment by which `npm run` hands its own settings down. */
async function npm(folder: string, ...parameters: readonly string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)('npm', ['--silent', ...parameters], {
    cwd: folder,
    env: { PATH, HOME },
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}
