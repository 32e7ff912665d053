import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Program } from './programs.js';

export interface Outcome {
  /** Whether the program ended well. */
  readonly ended: boolean;
  /** The output of the program, or the reason of its failure. */
  readonly text: string;
}

/** A program that hangs has ended badly. */
const PATIENCE_MS = 60_000;
const COMMAND = join('node_modules', 'keelson', 'lib', 'esm', 'cli', 'main.js');

/** Runs a program in a project that has installed keelson. */
export function outcomeOf({ run }: Program, [program = '', ...parameters]: readonly string[], folder: string): Outcome {
  // `keelson init` refuses a folder that exists.
  rmSync(join(folder, 'made'), { recursive: true, force: true });
  const file = join(folder, 'program.mjs');
  if (typeof run === 'string') writeFileSync(file, run);
  const started = typeof run === 'string' ? [file] : [COMMAND, ...run];
  const { status, signal, stdout, stderr } = spawnSync(program, [...parameters, ...started], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
    input: '',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return { ended: true, text: stdout };
  if (signal !== null) return { ended: false, text: `it does not end within ${PATIENCE_MS / 1000} s` };
  return { ended: false, text: reasonOf(stripVTControlCharacters(stderr)) };
}

/** The line that names the error; else the last one. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const named = lines.find((line) => /^(error: |Uncaught |\w*Error\b)/i.test(line)) ?? lines.findLast((line) => line !== '');
  // Messages give their advice behind a semicolon.
  return named?.replace(/^error: (Uncaught (\(in promise\) )?)?/i, '').split(';')[0] ?? 'it says nothing';
}
