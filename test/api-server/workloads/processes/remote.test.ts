import { get } from 'node:http';
import { WebSocket } from 'ws';
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
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url(`a/exec?${query}`).replace('http', 'ws'), ['v5.channel.k8s.io'], { headers: authorized() });
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

  test.each([
    [
      'a terminal',
      `tty=true&stdout=true&command=ls`,
      'a process of this server has no terminal: leave out --tty (-t); --stdin (-i) is possible',
    ],
    ['no stream', `command=ls`, 'you must specify at least 1 of stdin, stdout, stderr'],
  ])('with %s are refused', async (_what, query, message) => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    expect(await exec(query)).toEqual(['400', message]);
  });

  test('that do not exist fail with their name', async () => {
    machine = await Machine.start();
    await machine.create(pod());
    await machine.until(() => machine.state() === 'running');
    const messages = await exec(`stdout=true&${command('no-such-program')}`);
    expect(messages.at(-1)).toContain('no-such-program: there is no such program');
  });
});
