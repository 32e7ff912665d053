import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { HANG_MS } from '../deadline.cjs';

const ROOT = resolve(__dirname, '../..');
export const FIXTURES: string = join(__dirname, 'fixtures');

/** The compilers that users have: the checker of today and the last one with a JavaScript API. */
export const COMPILERS: readonly { readonly name: string; readonly tsc: string }[] = [
  { name: 'typescript-7', tsc: join(ROOT, 'node_modules/typescript/bin/tsc') },
  { name: 'typescript-5.9', tsc: join(ROOT, 'node_modules/typescript-5.9/bin/tsc') },
];

export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Runs a compiler as a user would; the output has no colours. */
export function run(tsc: string, args: readonly string[], timeoutMs = HANG_MS): string {
  const { stdout, error } = spawnSync(process.execPath, [tsc, '--pretty', 'false', ...args], { encoding: 'utf8', timeout: timeoutMs });
  if (error !== undefined) throw error;
  return stdout;
}

/** The first line of each error, with the lines that explain it. */
export function diagnosticsOf(output: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const line of output.split('\n')) {
    const [, file, number, text] = /^(\S+?)\((\d+),\d+\): (error .*)$/.exec(line) ?? [];
    const last = diagnostics.at(-1);
    if (file !== undefined && text !== undefined) {
      diagnostics.push({ file: file.replace(/^.*fixtures\//, ''), line: Number(number), text });
    } else if (last !== undefined && line.startsWith(' ')) {
      diagnostics[diagnostics.length - 1] = { ...last, text: `${last.text}\n${line}` };
    } else if (line.trim() !== '') {
      throw new Error(`the compiler said: ${line}`);
    }
  }
  return diagnostics;
}
