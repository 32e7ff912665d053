import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';

const ELF = Buffer.from('\x7fELF', 'latin1');

/**
 * Paths of the shared libraries that a program loads at its start, its loader among them; none for a static one or a script.
 *
 * @throws Error naming the library that is missing
 */
export function librariesOf(program: string): string[] {
  if (!isElf(program)) return [];
  // The loader itself says what it would load.
  const { status, stdout, error } = spawnSync('ldd', [program], { encoding: 'utf8', env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
  if (error !== undefined) throw new Error(`ldd cannot be run: ${error.message}`);
  if (status !== 0) return []; // "not a dynamic executable"
  return stdout.split('\n').flatMap((line) => {
    const [, library, found] = /^\s+(\S+)(?: => (.+?))?(?: \(0x[0-9a-f]+\))?$/.exec(line) ?? [];
    if (found === 'not found') throw new Error(`${program}: ${library} is not found`);
    const path = found ?? library;
    return path?.startsWith('/') === true ? [path] : [];
  });
}

function isElf(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(ELF.length);
    readSync(file, start);
    return start.equals(ELF);
  } finally {
    closeSync(file);
  }
}
