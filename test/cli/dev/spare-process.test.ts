import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperatorProcess } from '../../../src/cli/dev/operator-child.js';
import { isCommonJs } from '../../../src/cli/dev/project-packages.js';
import { SpareProcess } from '../../../src/cli/dev/spare-process.js';

let directory: string;
beforeEach(() => {
  jest.useFakeTimers();
  directory = mkdtempSync(join(tmpdir(), 'keelson-spare-'));
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(directory, { recursive: true, force: true });
});

/** A process in memory. */
class FakeProcess implements Pick<OperatorProcess, 'ended' | 'hasEnded' | 'kill' | 'load'> {
  readonly ended = Promise.resolve({ code: 0, signal: null });
  hasEnded = false;
  isLoading = false;

  load(): void {
    this.isLoading = true;
  }

  kill(): void {
    this.hasEnded = true;
  }
}

/** @param folder of the project, in the folder of the test */
function spareOf(folder = ''): { readonly spare: SpareProcess; readonly started: readonly FakeProcess[] } {
  const started: FakeProcess[] = [];
  const start = (): OperatorProcess => {
    const process = new FakeProcess();
    started.push(process);
    return process as unknown as OperatorProcess;
  };
  const program = join(directory, 'main.js');
  writeFileSync(program, '');
  return { spare: new SpareProcess({ start, directory: join(directory, folder), program }), started };
}

const states = (started: readonly FakeProcess[]): readonly string[] =>
  started.map(({ hasEnded, isLoading }) => (hasEnded ? 'ended' : isLoading ? 'loads sources' : 'waits'));

test('without a spare a process is started, and loads the sources', () => {
  const { spare, started } = spareOf();
  spare.take();
  expect(states(started)).toEqual(['loads sources']);
});

test('the spare is started when the operator has come to rest, once, and is the next process', () => {
  const { spare, started } = spareOf();
  spare.prepare();
  expect(states(started)).toEqual([]);
  spare.prepare();
  jest.advanceTimersByTime(500);
  expect(states(started)).toEqual(['waits']);
  spare.prepare();
  jest.advanceTimersByTime(500);
  spare.take();
  expect(states(started)).toEqual(['loads sources']);
  spare.take();
  expect(states(started)).toEqual(['loads sources', 'loads sources']);
});

test('a start before the rest needs no spare beside it', () => {
  const { spare, started } = spareOf();
  spare.prepare();
  spare.take();
  jest.advanceTimersByTime(10_000);
  expect(states(started)).toEqual(['loads sources']);
});

test('a spare that has ended is not used', () => {
  const { spare, started } = spareOf();
  spare.prepare();
  jest.advanceTimersByTime(500);
  started[0]?.kill();
  spare.take();
  expect(states(started)).toEqual(['ended', 'loads sources']);
});

test.each([
  ['npm', 'node_modules/.package-lock.json'],
  ['pnpm', 'node_modules/.modules.yaml'],
  ['yarn', 'node_modules/.yarn-state.yml'],
  ['yarn 1', 'node_modules/.yarn-integrity'],
  ['a hand in package.json', 'package.json'],
  ['a hand in tsconfig.json', 'tsconfig.json'],
  ['a build of keelson', 'main.js'],
])('packages that %s has changed since are not those of the spare', (_, file) => {
  const { spare, started } = spareOf();
  mkdirSync(join(directory, 'node_modules'));
  const path = join(directory, file);
  writeFileSync(path, '');
  utimesSync(path, 1, 1);
  spare.prepare();
  jest.advanceTimersByTime(500);
  utimesSync(path, 2, 2);
  spare.take();
  expect(states(started)).toEqual(['ended', 'loads sources']);
});

test('packages of a workspace stand above the project', () => {
  const { spare, started } = spareOf('packages/operator');
  spare.prepare();
  jest.advanceTimersByTime(500);
  writeFileSync(join(directory, 'package.json'), '{}');
  spare.take();
  expect(states(started)).toEqual(['ended', 'loads sources']);
});

test('closed, it ends the spare and starts none', async () => {
  const { spare, started } = spareOf();
  spare.prepare();
  jest.advanceTimersByTime(500);
  await spare.close();
  spare.prepare();
  jest.advanceTimersByTime(500);
  expect(states(started)).toEqual(['ended']);
});

test.each([
  ['operator.cts', '{ "type": "module" }', true],
  ['operator.mts', '{}', false],
  ['operator.ts', '{ "type": "module" }', false],
  ['operator.ts', '{ "type": "commonjs" }', true],
  ['operator.js', '{}', true],
])('the format of %s beside a package.json of %s', (name, content, expected) => {
  mkdirSync(join(directory, 'src'));
  writeFileSync(join(directory, 'package.json'), content);
  expect(isCommonJs(join(directory, 'src', name))).toBe(expected);
});
