import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { ImportError, UsageError } from '../errors.js';
import { linkBelow } from '../symbolic-link.js';
import type { Terminal } from '../terminal.js';
import { IMPORT } from '../usage/index.js';
import type { Source } from './crd-documents.js';
import { IMPORT_MARKER, type ImportedModule, importKinds } from './import-kinds.js';

/** `keelson import`. Everything is read and checked before the first file is written. */
export async function runImport(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: IMPORT.options, allowPositionals: true });
  if (positionals.length === 0) throw new UsageError('keelson import: no file given; pass the YAML of a CRD, or - for standard input');
  const sources: Source[] = [];
  for (const file of positionals) sources.push(await readSource(file, terminal));
  const { modules, others } = importKinds(sources, { descriptions: values.descriptions, skip: values.skip });
  const out = resolve(terminal.directory, values.out);
  for (const { path } of modules) {
    const link = await linkBelow(out, path);
    if (link !== undefined) throw new ImportError(`${join(values.out, link.path)}: ${link.problem}`);
  }
  for (const module of modules) await refuseForeign(join(values.out, module.path), join(out, module.path), module);
  for (const { path, text, kinds } of modules) {
    const file = join(out, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    terminal.out(`${join(values.out, path)}: ${kinds.join(', ')}\n`);
  }
  if (others.length > 0) terminal.error(`Left out, as they are no CRDs: ${[...new Set(others)].sort().join(', ')}\n`);
}

async function readSource(name: string, terminal: Terminal): Promise<Source> {
  if (name === '-') return { name: 'standard input', text: await terminal.readInput() };
  if (/^https?:\/\//.test(name))
    throw new ImportError(`${name}: addresses are not read; fetch it first: curl -fsSL ${name} | keelson import -`);
  try {
    return { name, text: await readFile(resolve(terminal.directory, name), 'utf8') };
  } catch (error) {
    throw new ImportError(`${name}: cannot be read: ${reason(error)}`, { cause: error });
  }
}

/** A file that we did not write, or that knows kinds which would be lost, is not replaced. */
async function refuseForeign(shown: string, file: string, { kinds }: ImportedModule): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ImportError(`${shown}: cannot be read: ${reason(error)}`, { cause: error });
  });
  if (text === undefined) return;
  if (!text.startsWith(`// ${IMPORT_MARKER}\n`)) {
    throw new ImportError(`${shown}: exists and was not written by keelson import; move it away, or choose another folder with --out`);
  }
  const lost = [...text.matchAll(/^export const (\w+): Kind</gm)].flatMap(([, kind = '']) => (kinds.includes(kind) ? [] : [kind]));
  if (lost.length > 0) {
    throw new ImportError(
      `${shown}: also holds ${lost.join(', ')}, which these files do not; pass all CRDs of the group in one run, or delete the file first`,
    );
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function reason(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return 'no such file';
  if (codeOf(error) === 'EISDIR') return 'it is a folder; name its files';
  return messageOf(error);
}
