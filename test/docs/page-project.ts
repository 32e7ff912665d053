import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CodeBlock, codeBlocksOf } from '../../scripts/docs/markdown.js';
import { readPage } from '../../scripts/docs/pages.js';

const root = process.cwd();
/** Inside the project, so that packages are found as a user's project would find them. */
const WORK = '.results/docs';

/** A `ts` block written out for the compiler, and what is needed to name its place in the page. */
interface WrittenFile {
  readonly path: string;
  readonly page: string;
  /** What to add to a line of the file to have the line of the page; absent where the file was shown further up, and has been judged there. */
  readonly offset?: number;
}

/** What a page claims: code that compiles, and output that a synthesis gives. */
export interface PageClaims {
  readonly files: readonly WrittenFile[];
  readonly outputs: readonly { readonly line: number; readonly shown: string; readonly folder: string; readonly file: string }[];
}

export function emptyWorkFolder(work = WORK): void {
  rmSync(join(root, work), { recursive: true, force: true });
}

/** Writes the blocks of a page to the work folder: each stands in a folder with the files of the page's project as they are at that place. */
export function writePage(page: string): PageClaims {
  const project = new Map<string, CodeBlock>();
  const files: WrittenFile[] = [];
  const outputs: PageClaims['outputs'][number][] = [];
  const slug = page.replace(/\W+/g, '-');
  let folder = `${WORK}/${slug}/0`;
  for (const block of codeBlocksOf(readPage(root, page))) {
    const { directive } = block;
    if (directive?.name === 'file') {
      project.set(directive.argument, block);
      folder = `${WORK}/${slug}/${block.line}`;
      for (const [name, shown] of project) {
        const path = writeSource(`${folder}/${name}`, `${shown.text}\n`);
        if (name.endsWith('.ts')) files.push({ path, page, ...(shown === block ? { offset: block.line - 1 } : {}) });
      }
    } else if (directive?.name === 'output' || directive?.name === 'prints') {
      outputs.push({ line: block.line, shown: block.text, ...placeOf(directive.argument, folder) });
    } else if (block.language === 'ts' && directive === undefined) {
      files.push({ page, ...writeLoose(block, `${WORK}/${slug}/line-${block.line}.ts`) });
    }
  }
  return { files, outputs };
}

function placeOf(argument: string, folder: string): { folder: string; file: string } {
  const [, example, file] = /^(examples\/[^/]+)\/(.+)$/.exec(argument) ?? [];
  return example === undefined || file === undefined ? { folder, file: argument } : { folder: example, file };
}

function writeLoose({ text, context, line }: CodeBlock, path: string): Pick<WrittenFile, 'path' | 'offset'> {
  const standsAlone = context === '' || /^import\b/m.test(text);
  const before = standsAlone ? '' : `${context}\n`;
  return { path: writeSource(path, `${before}${text}\nexport {};\n`), offset: line - before.split('\n').length };
}

export function writeSource(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  return path;
}

/** Compiler errors in the written files, each with its place in the page. */
export function compile(
  files: readonly WrittenFile[],
  { work = WORK, options = {} }: { readonly work?: string; readonly options?: Readonly<Record<string, unknown>> } = {},
): string[] {
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, ...options },
    include: [],
    files: files.map(({ path }) => join(root, path)),
  };
  writeSource(`${work}/tsconfig.json`, JSON.stringify(config));
  const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', work, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  });
  const places = new Map(files.map((file) => [file.path, file]));
  return stdout.split('\n').flatMap((message) => {
    const [, path = '', line, error] = /^(.+?)\((\d+),\d+\): (.*)$/.exec(message) ?? [];
    const place = places.get(path);
    if (place?.offset === undefined) return [];
    return [`${place.page}:${Number(line) + place.offset}: ${error}`];
  });
}

const synthesized = new Map<string, string>();

/** Text of a file that `main.ts` in the folder synthesizes (each folder is synthesized once); for a `.ts` file, what it prints. */
export function outputOf(folder: string, file: string): string {
  if (file.endsWith('.ts')) return run(folder, file);
  const known = synthesized.get(folder);
  const output = known ?? join(root, WORK, 'dist', folder);
  if (known === undefined) {
    const printed = run(folder, 'main.ts', { CDK8S_OUTDIR: output });
    if (!existsSync(output)) throw new Error(`main.ts in ${folder} writes nothing:\n${printed}`);
  }
  synthesized.set(folder, output);
  return readFileSync(join(output, file.replace(/^dist\//, '')), 'utf8');
}

function run(folder: string, file: string, env: Readonly<Record<string, string>> = {}): string {
  const tsx = [join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', join(root, 'tsconfig.json'), file];
  const { stdout, stderr } = spawnSync(process.execPath, tsx, {
    cwd: join(root, folder),
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

/** The parts of an excerpt between its `# ...` lines that do not stand in the text, in this order. */
export function missingParts(excerpt: string, text: string): string[] {
  let rest = `\n${text}`;
  return excerpt.split(/^\s*# \.\.\.\s*$/m).flatMap((part) => {
    if (part.trim() === '') return [];
    const wanted = `\n${part.replace(/^\n+|\n+$/g, '')}\n`;
    const at = rest.indexOf(wanted);
    if (at < 0) return [wanted.trim()];
    rest = rest.slice(at + wanted.length - 1);
    return [];
  });
}
