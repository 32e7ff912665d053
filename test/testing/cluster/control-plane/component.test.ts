import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Component, ComponentError } from '../../../../src/testing/cluster/control-plane/component.js';
import { freePorts, Guardian } from '../../../../src/testing/cluster/control-plane/index.js';

let folder: string;
let guardian: Guardian;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-component-'));
  guardian = new Guardian(join(folder, 'data'));
});
afterEach(async () => {
  await guardian.finish();
  rmSync(folder, { recursive: true, force: true });
});

/** A part of a control plane that is a shell script; it is ready when the file `ready` is there. */
const component = (script: string): Component =>
  new Component(
    {
      name: 'part',
      command: '/bin/sh',
      parameters: ['-c', script],
      logFile: join(folder, 'log'),
      isReady: async () => existsSync(join(folder, 'ready')),
    },
    guardian,
  );

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a part is started, stopped, and started again', async () => {
  const part = component(`touch ${folder}/ready; exec sleep 600`);
  await part.start();
  const first = part.pid ?? 0;
  expect([part.isRunning, isAlive(first)]).toEqual([true, true]);
  await expect(part.start()).rejects.toThrow('part is running already');
  await part.stop();
  expect([part.isRunning, part.pid, isAlive(first)]).toEqual([false, undefined, false]);
  await part.start();
  expect(part.pid).not.toBe(first);
  await part.kill();
});

test('a part that ends before it is ready is refused with how it ended and the end of its log', async () => {
  const failed = await component('seq 1 40; echo "listen: address already in use"; exit 3')
    .start()
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ComponentError);
  expect(failed).toMatchObject({ isPortTaken: true });
  expect(String(failed)).toMatch(/part ended with code 3; the end of its log:\n17\n18\n[\s\S]*\n40\nlisten: address already in use$/);
});

test('a program that is not there is refused, and another port is not tried', async () => {
  const absent = new Component(
    { name: 'part', command: join(folder, 'absent'), parameters: [], logFile: join(folder, 'log'), isReady: async () => false },
    guardian,
  );
  const failed = await absent.start().catch((error: unknown) => error);
  expect(failed).toMatchObject({ isPortTaken: false, message: expect.stringContaining('ENOENT') });
});

test('the guardian ends what it guards and removes the data, and leaves alone what it was told to forget', async () => {
  const data = mkdtempSync(join(folder, 'guarded-'));
  writeFileSync(join(data, 'file'), '');
  const own = new Guardian(data);
  const [guarded, forgotten] = [spawn('sleep', ['600']), spawn('sleep', ['600'])];
  const ended = new Promise((resolve) => guarded.once('exit', (_code, signal) => resolve(signal)));
  try {
    for (const { pid = 0 } of [guarded, forgotten]) own.guard(pid);
    own.forget(forgotten.pid ?? 0);
    await own.finish();
    expect(await ended).toBe('SIGKILL');
    expect([existsSync(data), isAlive(forgotten.pid ?? 0)]).toEqual([false, true]);
    await own.finish();
  } finally {
    forgotten.kill('SIGKILL');
  }
});

test('free ports differ from each other', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
});

test('a free port is not given to a socket that asks for any, before a process listens at it or starts again', async () => {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  for (const port of await freePorts(20)) expect(port).toBeLessThan(lowest as number);
});
