import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { doorsOf, isPassedOn } from './entry-points.js';
import { root, type WorkspacePackage } from './packages.js';

/**
 * Writes the declarations of all packages: one run of the compiler, and then each package gets the files that its doors lead to. They keep their places
 * (`types/src/runtime/index.d.ts`), so that imports between them hold.
 */
export async function declarations(packages: readonly WorkspacePackage[]): Promise<void> {
  const all = mkdtempSync(join(tmpdir(), 'keelson-types-'));
  try {
    await compile(all);
    for (const own of packages) distribute(own, all);
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

function compile(folder: string): Promise<void> {
  const parameters = ['-p', 'tsconfig.build.json', '--outDir', folder];
  const compiler = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...parameters], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    compiler.on('error', reject);
    compiler.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('no declarations: see the errors above'))));
  });
}

/** Copies what the doors of a package lead to. Another package's file is a mistake: its users would get a second copy of its types. */
function distribute(own: WorkspacePackage, all: string): void {
  const copied = new Set<string>();
  const copy = (file: string): void => {
    if (copied.has(file)) return;
    copied.add(file);
    if (!isOwn(own, file)) throw new Error(`the declarations of ${own.manifest.name} lead to ${file}, a file of another package`);
    const target = join(root, own.output, 'types', file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(all, file), target);
    for (const next of neighbours(join(all, file))) copy(relative(all, next));
  };
  for (const { source } of doorsOf(own).filter((door) => !isPassedOn(own, door))) copy(source.replace(/\.ts$/, '.d.ts'));
}

const isOwn = ({ folder }: WorkspacePackage, file: string): boolean => file.startsWith(`${folder}/`) || file.startsWith('imports/');

/** The files that a file of declarations names by relative paths. */
function neighbours(file: string): readonly string[] {
  const names = readFileSync(file, 'utf8').matchAll(/(?:from |import\(|import )["'](\.[^"']+)["']/g);
  return [...names].map(([, name = '']) => {
    const found = join(dirname(file), name.replace(/\.js$/, '.d.ts'));
    if (!existsSync(found)) throw new Error(`${file} names ${name}, of which there are no declarations`);
    return found;
  });
}
