import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Run after `npm install` has changed package-lock.json: `npx tsx scripts/build/complete-lock-file.ts`.
 *
 * Tools with native code list one package per platform. npm writes only those that the registry at hand could show, and `npm ci` then refuses the lock
 * file as incomplete, on every platform. The packages left out have the exact version that their parent names, and their names tell the platform.
 */
interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const OPERATING_SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

function platformOf(name: string): object {
  const words = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (cpu.length !== 1)
    throw new Error(`${name}: the name does not tell the platform; run npm install against a registry that has the package`);
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined;
  return { cpu, ...(libc === undefined ? {} : { libc: [libc] }), ...(os.length === 0 ? {} : { os }) };
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
const added: Record<string, object> = {};
for (const { dev = false, optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (path in lock.packages || !/^\d+\.\d+\.\d+$/.test(version)) continue;
    added[path] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
  }
}
const packages = Object.fromEntries(Object.entries({ ...lock.packages, ...added }).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
console.log(`${Object.keys(added).length} packages for other platforms added`);
