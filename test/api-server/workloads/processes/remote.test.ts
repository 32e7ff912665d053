import { get } from 'node:http';
import { WebSocket } from 'ws';
import type { ProgramOf } from '../../../../src/api-server/workloads/index.js';
import { Machine, main, pod } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());

const url = (path: string): string => `${machine.world.server.url}/api/v1/namespaces/default/pods/${path}`;
const authorized = (): Record<string, string> => ({ Authorization: `Bearer ${machine.world.server.tokenFor()}` });

async function asked(path: string): Promise<{ readonly code: number; readonly text: string }> {
  const answer = await fetch(url(path), { headers: authorized() });
  return { code: answer.status, text: await answer.text() };
}

/** Messages of a WebSocket until it is closed, as `<channel>:<text>`. */
function exec(query: string, input: readonly Buffer[] = []): Promise<readonly string[]> {
  return connected(`a/exec?${query}`, { input });
}

function connected(
  path: string,
  { input = [], protocol = 'v5.channel.k8s.io' }: { readonly input?: readonly Buffer[]; readonly protocol?: string } = {},
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url(path).replace('http', 'ws'), [protocol], { headers: authorized() });
    const messages: string[] = [];
    socket.on('open', () => {
      for (const message of input) socket.send(message);
    });
    socket.on('message', (data: Buffer) => messages.push(`${data[0]}:${data.toString('utf8', 1)}`));
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve([`${response.statusCode}`, JSON.parse(text).message]));
    });
    socket.on('close', () => resolve(messages));
  });
}

describe('logs', () => {
  test('are what the container wrote, line by line, with times, from the end, since a time', async () => {
    machine = await Machine.start();
    await machine.create(pod({ restartPolicy: 'Never', containers: [main(['exit', '0', 'one\ntwo\nthree'])] }));
    await machine.until(() => machine.state() === 'terminated Completed 0');
    expect(await asked('a/log')).toEqual({ code: 200, text: 'one\ntwo\nthree\n' });
    expect(await asked('a/log?tailLines=1&timestamps=true')).toEqual({ code: 200, text: '2030-01-01T00:00:00.000000000Z three\n' });
    expect(await asked('a/log?limitBytes=5')).toEqual({ code: 200, text: 'one\nt' });
    machine.world.clock.advance('1m');
    expect(await asked('a/log?sinceSeconds=30')).toEqual({ code: 200, text: '' });
    expect(await asked('a/log?sinceSeconds=60')).toEqual({ code: 200, text: 'one\ntwo\nthree\n' });
    expect((await asked('a/log?sinceSeconds=0')).code).toBe(422);
  });

  test('of the run before are asked for by name, and refused where there was none', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(async () => (await asked('a/log')).text.startsWith('listening'));
    expect(await asked('a/log?previous=true')).toMatchObject({
      code: 400,
      text: expect.stringContaining('previous terminated container \\"main\\" in pod \\"a\\" not found'),
    });
    const before = (await asked('a/log')).text;
    await machine.pods.signal('a', 'SIGKILL');
    await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1);
    expect(await asked('a/log?previous=true')).toEqual({ code: 200, text: before });
  });

  test('that are followed come as they are written, and end with the run', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    const seen = await new Promise<string>((resolve, reject) => {
      void machine
        .until(() => machine.state() === 'running')
        .then(() => {
          let text = '';
          get(url('a/log?follow=true'), { headers: authorized() }, (response) => {
            response.on('data', (chunk: Buffer) => {
              text += chunk.toString();
              if (text.includes('listening')) void machine.pods.signal('a', 'SIGTERM').catch(() => undefined);
            });
            response.on('end', () => resolve(text));
          }).on('error', reject);
        }, reject);
    });
    expect(seen).toMatch(/^listening on 127\.\d+\.\d+\.\d+:8080\nasked to end\n$/);
  });
});

describe('commands', () => {
  const command = (...words: readonly string[]): string => words.map((word) => `command=${encodeURIComponent(word)}`).join('&');

  test('run with the variables of the container, and end with their exit code', async () => {
    machine = await Machine.start();
    await machine.create(pod({ containers: [main(undefined, { env: [{ name: 'GREETING', value: 'hello' }] })] }));
    await machine.until(() => machine.state() === 'running');
    const messages = await exec(`stdout=true&stderr=true&${command('sh', '-c', 'echo $GREETING; echo oops >&2; exit 3')}`);
    expect(messages.filter((one) => /^[12]:./.test(one)).sort()).toEqual(['1:hello\n', '2:oops\n']);
    expect(JSON.parse(messages.at(-1)?.slice(2) ?? '')).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: 'command terminated with non-zero exit code: exit status 3',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  test('read what the client sends, until it closes the channel', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    const input = [Buffer.from([0, ...Buffer.from('by hand')]), Buffer.from([255, 0])];
    const messages = await exec(`stdin=true&stdout=true&${command('cat')}`, input);
    expect(messages).toEqual(['1:', '1:by hand', '3:{"metadata":{},"status":"Success"}']);
  });

  test('with no stream are refused', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    expect(await exec('command=ls')).toEqual(['400', 'you must specify at least 1 of stdin, stdout, stderr']);
  });

  test('that do not exist fail with their name', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    const messages = await exec(`stdout=true&${command('no-such-program')}`);
    expect(messages.at(-1)).toContain('no-such-program: there is no such program');
  });
});

describe('containers', () => {
  const shell: ProgramOf = ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] });
  const sh = (script: string, more: object = {}): object => ({ name: 'main', image: 'sh:1', args: [script], ...more });

  test('that are attached to read what the client sends, and show what they write from then on', async () => {
    machine = await Machine.start({ 'sh:*': shell });
    const script = 'echo before; while read -r line; do echo "got $line"; echo "no $line" >&2; [ "$line" != end ] || exit 3; done';
    await machine.create(pod({ restartPolicy: 'Never', containers: [sh(script, { stdin: true })] }));
    await machine.until(async () => (await machine.pods.logsOf('a')) === 'before\n');
    const line = (text: string): Buffer => Buffer.from([0, ...Buffer.from(text)]);
    const first = await connected('a/attach?stdin=true&stdout=true', { input: [line('one\n'), line('end\n')] });
    const output = first.filter((one) => one.startsWith('1:')).map((one) => one.slice(2));
    expect(output.join('')).toBe('got one\ngot end\n');
    expect(first.at(-1)).toBe('3:{"metadata":{},"status":"Success"}');
    await machine.until(() => machine.state() === 'terminated Error 3');
    expect((await machine.pods.logsOf('a')).split('\n').sort().join(' ')).toBe(' before got end got one no end no one');
  });

  test('keep their input when a client has ended its own, unless they say stdinOnce', async () => {
    machine = await Machine.start({ 'sh:*': shell });
    const script = 'while read -r line; do echo "$line"; [ "$line" != end ] || exit 0; done; echo over';
    const container = (more: object): object => sh(script, { stdin: true, ...more });
    await machine.create(pod({ restartPolicy: 'Never', containers: [container({})] }));
    await machine.create(pod({ restartPolicy: 'Never', containers: [container({ stdinOnce: true })] }, { name: 'once' }));
    await machine.until(() => machine.state() === 'running' && machine.state('main', 'once') === 'running');
    const closed = Buffer.from([255, 0]);
    const messages = await connected('once/attach?stdin=true&stdout=true', { input: [closed] });
    expect(messages).toContain('1:over\n');
    const attached = connected('a/attach?stdin=true&stdout=true', { input: [Buffer.from([0, ...Buffer.from('x\n')]), closed] });
    await machine.until(async () => (await machine.pods.logsOf('a')) === 'x\n');
    expect(machine.state()).toBe('running');
    await connected('a/attach?stdin=true', { input: [Buffer.from([0, ...Buffer.from('end\n')])] });
    await attached;
  });

  test('refuse input that they do not declare', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    expect(await connected('a/attach?stdin=true')).toEqual([
      '400',
      'container "main" in pod "a" has no input: declare stdin: true in its spec',
    ]);
  });

  test('without a terminal are attached to without one, whatever the client asks for', async () => {
    machine = await Machine.start({ 'sh:*': shell });
    const script = 'read -r line; echo "got $line"; echo errors >&2; tty';
    await machine.create(pod({ restartPolicy: 'Never', containers: [sh(script, { stdin: true })] }));
    await machine.until(() => machine.state() === 'running');
    const size = Buffer.from([4, ...Buffer.from('{"Width":101,"Height":33}\n')]);
    const messages = await connected('a/attach?stdin=true&stdout=true&stderr=true&tty=true', {
      input: [size, Buffer.from([0, ...Buffer.from('line\n')])],
    });
    // Two channels say nothing: a client with a terminal has no errors beside its output.
    expect(messages.filter((one) => !one.startsWith('3:')).join('')).toMatch(/^1:(1:)?got line\n(1:)?not a tty\n$/);
    expect(messages.at(-1)).toBe('3:{"metadata":{},"status":"Success"}');
  });
});

describe('ports, for clients that name them in the query', () => {
  const v4 = 'v4.channel.k8s.io';
  const request = (channel: number): Buffer =>
    Buffer.from([channel, ...Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')]);
  const textOf = (messages: readonly string[], channel: number): string =>
    messages
      .filter((one) => one.startsWith(`${channel}:`))
      .map((one) => one.slice(2))
      .join('');
  const port = (number: number): string => Buffer.from([number % 256, number >> 8]).toString('utf8');

  test('are two channels each, which begin with the number of the port', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(async () => (await asked('a/log')).text.startsWith('listening'));
    const messages = await connected('a/portforward?ports=8080&ports=8080', { protocol: v4, input: [request(0), request(2)] });
    for (const channel of [0, 2]) {
      expect(textOf(messages, channel)).toMatch(/^[\s\S]{2}HTTP\/1\.1 \d+ [\s\S]*\r\n\r\n/);
      expect(textOf(messages, channel).slice(0, 2)).toBe(port(8080));
      expect(textOf(messages, channel + 1)).toBe(port(8080));
    }
  });

  test('where nothing listens say so on the channel of errors', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    const messages = await connected('a/portforward?ports=1', { protocol: v4 });
    const { podIP } = machine.pod().status ?? {};
    const { uid } = machine.pod().metadata;
    expect(textOf(messages, 0)).toBe(port(1));
    expect(textOf(messages, 1)).toBe(`${port(1)}error forwarding port 1 to pod a_default, uid ${uid}: connect ECONNREFUSED ${podIP}:1`);
  });

  test.each([
    ['no port', 'ports=0', 'port "0" must be > 0'],
    [
      'more than there are channels',
      Array.from({ length: 129 }, () => 'ports=1').join('&'),
      'at most 128 ports can be forwarded over one connection, got 129',
    ],
  ])('are refused: %s', async (_what, query, message) => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    expect(await connected(`a/portforward?${query}`, { protocol: v4 })).toEqual(['400', message]);
  });
});

test('a protocol that is not spoken is refused with those that are', async () => {
  machine = await Machine.start();
  await machine.create(pod());
  await machine.until(() => machine.state() === 'running');
  expect(await connected('a/portforward', { protocol: 'v4.channel.k8s.io' })).toEqual([
    '400',
    'unable to upgrade: unable to negotiate protocol: client supports [v4.channel.k8s.io], server accepts [SPDY/3.1+portforward.k8s.io]',
  ]);
});
