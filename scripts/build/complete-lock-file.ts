import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Gaps, gapsOf, type LockFile, lockProblems } from './lock-file.js';

/**
 * Run after `npm install` has changed package-lock.json: `npm run lock`. With `--check` it changes nothing, asks no registry, and fails for missing integrities.
 *
 * Tools with native code list one package per platform. npm writes only those that the registry at hand could show, and `npm ci` then refuses the lock
 * file as incomplete, on every platform. The packages left out have the exact version that their parent names, and their names tell the platform. Their
 * integrities are asked for; those that the registry does not know are listed in lock-file-gaps.json.
 */
const OPERATING_SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const GAPS_FILE = join(import.meta.dirname, 'lock-file-gaps.json');

function platformOf(name: string): object {
  const words = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (cpu.length !== 1)
    throw new Error(`${name}: the name does not tell the platform; run npm install against a registry that has the package`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
  return { cpu, ...(libc === undefined ? {} : { libc: [libc] }), ...(os.length === 0 ? {} : { os }) };
}

/** Adds the packages of other platforms that npm has left out. */
function withPlatforms(lock: LockFile): LockFile {
  const added: Record<string, object> = {};
  for (const { dev = false, optionalDependencies = {} } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`;
      if (path in lock.packages || !/^\d+\.\d+\.\d+$/.test(version)) continue;
      added[path] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
    }
  }
  console.log(`${Object.keys(added).length} packages for other platforms added`);
  const packages = Object.fromEntries(Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...lock, packages } as LockFile;
}

/** Fills in the integrities that the registry knows. */
async function withIntegrities(lock: LockFile): Promise<LockFile> {
  const packages: Record<string, LockFile['packages'][string]> = { ...lock.packages };
  for (const [path, version] of Object.entries(gapsOf(lock))) {
    const integrity = await integrityOf(path.split('node_modules/').at(-1) ?? '', version);
    if (integrity === undefined) continue;
    // Where npm writes it, so that its next run changes nothing.
    const { version: own, ...rest } = packages[path] ?? {};
    packages[path] = { version: own ?? version, integrity, ...rest };
  }
  return { ...lock, packages };
}

/** `undefined` if the registry at hand does not have this version. */
async function integrityOf(name: string, version: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity']);
    return /^sha512-\S+$/.exec(stdout.trim())?.[0];
  } catch (error) {
    if ((error as { readonly stderr?: string }).stderr?.includes('E404') === true) return undefined;
    throw error;
  }
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
if (process.argv.includes('--check')) {
  const problems = lockProblems(lock, JSON.parse(readFileSync(GAPS_FILE, 'utf8')) as Gaps);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  const complete = await withIntegrities(withPlatforms(lock));
  writeFileSync('package-lock.json', `${JSON.stringify(complete, null, 2)}\n`);
  const gaps = gapsOf(complete);
  writeFileSync(GAPS_FILE, `${JSON.stringify(gaps, null, 2)}\n`);
  console.log(`${Object.keys(gaps).length} packages are without integrity: the registry does not have these versions`);
}
