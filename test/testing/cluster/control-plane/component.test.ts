import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Component, ComponentError } from '../../../../src/testing/cluster/control-plane/component.js';
import { freePorts, Guardian, releasePorts } from '../../../../src/testing/cluster/control-plane/index.js';

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

describe('free ports', () => {
  let draw: jest.SpyInstance<number, [number, number]>;
  beforeEach(() => {
    draw = jest.spyOn(crypto, 'randomInt') as never;
  });
  afterEach(() => draw.mockRestore());

  test('differ from each other, and from those that were given before, until they are released', async () => {
    const [first = 0] = await freePorts(1);
    draw.mockReturnValueOnce(first);
    const [second = 0] = await freePorts(1);
    expect(second).not.toBe(first);
    draw.mockReturnValueOnce(first).mockReturnValueOnce(second);
    const both = await freePorts(2);
    expect(new Set([first, second, ...both]).size).toBe(4);
    releasePorts([first, second]);
    draw.mockReturnValueOnce(first);
    expect(await freePorts(1)).toEqual([first]);
    releasePorts([first, ...both]);
  });

  test('are none at which a server listens', async () => {
    const [port = 0] = await freePorts(1);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    releasePorts([port]);
    draw.mockReturnValueOnce(port);
    const [other = 0] = await freePorts(1);
    expect(other).not.toBe(port);
    releasePorts([other]);
    server.close();
    await once(server, 'close');
  });

  test('where all are taken, that is said, and nothing stays held', async () => {
    const [first = 0, taken = 0] = await freePorts(2);
    releasePorts([first]);
    draw.mockReturnValueOnce(first).mockReturnValue(taken);
    await expect(freePorts(2)).rejects.toThrow('100 ports from 20000 to 29999 are taken');
    draw.mockReturnValueOnce(first);
    expect(await freePorts(1)).toEqual([first]);
    releasePorts([first, taken]);
  });
});

test('a free port is not given to a socket that asks for any, before a process listens at it or starts again', async () => {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  for (const port of await freePorts(20)) expect(port).toBeLessThan(lowest as number);
});
