import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, runIn } from './commands.js';

const root = process.cwd();

/** Runs a command of `keelson` in a folder; with `answers` in a terminal, where each question takes the next of them. */
export async function keelson(args: string, directory: string, answers?: (string | undefined)[]): Promise<Ran> {
  let shown = '';
  const ask = async (question: string): Promise<string | undefined> => {
    const answer = answers?.shift();
    shown += `${question}${answer}\n`;
    return answer;
  };
  const ran = await runIn(directory, args.split(' '), {
    readInput: () => Promise.reject(new Error('nothing is read')),
    out: (text) => {
      shown += text;
    },
    ...(answers === undefined ? {} : { ask }),
  });
  return { ...ran, out: shown };
}

/** An empty folder inside the repository, so that compilers find packages as in a project. */
export function emptyWork(name: string): string {
  const work = join(root, '.results', name);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  return work;
}

/** Runs a program of Node, and gives all that it printed; its exit status only if that is not 0. */
export function node(args: readonly string[], where: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: where, encoding: 'utf8' });
  return `${status === 0 ? '' : `exit status ${status}\n`}${stdout}${stderr}`;
}

/** What the compiler says of the projects in a folder, where the sources stand for the package; empty when nothing is wrong. */
export function compiled(work: string): string {
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { compilerOptions: { paths: Record<string, string[]> } };
  const names = Object.entries({ ...config.compilerOptions.paths, vitest: ['node_modules/@jest/globals'] });
  const paths = Object.fromEntries(names.map(([name, places]) => [name, places.map((place) => join(root, place))]));
  const compilerOptions = { noPropertyAccessFromIndexSignature: false, paths };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['*/src'] }));
  return node([join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false'], work);
}

/** What biome says of folders in a work folder, under the rules of this repository. */
export function checked(work: string, folders: readonly string[]): string {
  writeFileSync(join(work, 'biome.json'), readFileSync(join(root, 'biome.json'), 'utf8').replace('"./node_modules', '"../../node_modules'));
  return node([join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', ...folders], work);
}
