import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Child, Supervisor } from '../../../../../src/api-server/workloads/processes/machine/index.js';
import { eventually } from '../../../../eventually.js';

let supervisor: Supervisor;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  supervisor = new Supervisor('');
});
afterEach(async () => {
  jest.useRealTimers();
  await supervisor.finish();
});

const shell = (script: string, hasInput = false): Child =>
  supervisor.start(
    { program: '/bin/sh', args: ['-c', script], env: { PATH: process.env['PATH'] ?? '' }, directory: tmpdir() },
    { hasInput },
  );

const A_MINUTE = 60_000;

/** More than this process reads before it is asked for (64 KiB), and less than that and what the system keeps: from Node 24 on 64 KiB, as the streams are pipes. */
const OUTPUT = 100_000;

describe('what a program wrote before its end is read', () => {
  let child: Child;
  let length: number;
  beforeEach(async () => {
    child = shell(`head -c ${OUTPUT} /dev/zero`);
    length = 0;
    child.stdout.on('data', (chunk: Buffer) => (length += chunk.length)).pause();
    child.stderr.resume();
    await eventually(() => !existsSync(`/proc/${child.pid}`));
  });

  test('by a reader that is slow', async () => {
    jest.advanceTimersByTime(A_MINUTE);
    child.stdout.resume();
    expect(await child.ended).toEqual({ code: 0, signal: undefined });
    expect(length).toBe(OUTPUT);
  });

  test('in pieces, by a server that was busy', async () => {
    child.stdout.on('data', () => {
      child.stdout.pause();
      queueMicrotask(() => child.stdout.resume());
    });
    child.stdout.resume();
    jest.advanceTimersByTime(A_MINUTE);
    expect(await child.ended).toEqual({ code: 0, signal: undefined });
    expect(length).toBe(OUTPUT);
  });
});

test('a daemon that has left the group of its program, and holds its pipes, is not waited for', async () => {
  const child = shell('setsid sh -c "echo \\$\\$; exec sleep 60" & read -r line; exit 3', true);
  let pid = '';
  child.stdout.on('data', (chunk) => (pid += String(chunk)));
  child.stderr.resume();
  await eventually(() => pid.endsWith('\n'));
  child.stdin?.write('\n');
  await eventually(() => !existsSync(`/proc/${child.pid}`));
  jest.advanceTimersByTime(A_MINUTE);
  expect(await child.ended).toEqual({ code: 3, signal: undefined });
  process.kill(Number(pid), 'SIGKILL');
});
