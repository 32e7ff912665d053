import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../../../src/api-server/workloads/processes/machine/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(path: string, mode: number): string {
  const whole = join(folder, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, '');
  chmodSync(whole, mode);
  return whole;
}

test('the first folder of the search path that has the program counts', () => {
  const second = file('b/tool', 0o755);
  const path = [join(folder, 'a'), join(folder, 'b')].join(':');
  expect(findProgram('tool', path, '/')).toBe(second);
  const first = file('a/tool', 0o755);
  expect(findProgram('tool', path, '/')).toBe(first);
});

test('a file that may not be run, and a folder, are passed over', () => {
  file('a/tool', 0o644);
  mkdirSync(join(folder, 'b/tool'), { recursive: true });
  const last = file('c/tool', 0o755);
  const path = ['a', 'b', 'c'].map((name) => join(folder, name)).join(':');
  expect(findProgram('tool', path, '/')).toBe(last);
  expect(findProgram('other', path, '/')).toBeUndefined();
});

test('a path is that of the working directory, and the search path does not count', () => {
  const program = file('work/bin/tool', 0o755);
  expect(findProgram('bin/tool', '', join(folder, 'work'))).toBe(program);
  expect(findProgram(program, '', '/')).toBe(program);
  expect(findProgram('./tool', join(folder, 'work/bin'), '/')).toBeUndefined();
});
