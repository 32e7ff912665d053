import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { EndpointModel } from '../../../src/keelson/definition/index.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { EndpointServer } from '../../../src/runtime/operator-parts/index.js';
import { writeCrumbs } from '../../kubernetes/listening/crumbs.js';
import { keptLog } from '../outside/kept-log.js';

const running: EndpointServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function serve(handle: (request: Request, context: { signal: AbortSignal }) => unknown, port = 0) {
  const { log, at } = keptLog();
  const endpoint: EndpointModel = { name: 'backups', port: 19_999, handle: handle as EndpointModel['handle'] };
  const server = new EndpointServer({ endpoint, port, clock: systemClock, log, contextOf: (signal) => ({ signal }) });
  running.push(server);
  const address = await server.start();
  return { server, port: address.port, url: `http://127.0.0.1:${address.port}`, logged: at };
}

test('requests and responses are those of the web: path, query, headers, bodies as streams', async () => {
  const { url } = await serve(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const body = request.method === 'PUT' ? await request.text() : '';
    return new Response(`${request.method} ${pathname} ${searchParams.get('day')} ${request.headers.get('x-a')} ${body}`, {
      status: 201,
      headers: { 'x-b': 'c' },
    });
  });
  const answer = await fetch(`${url}/a/b?day=1`, { method: 'PUT', headers: { 'x-a': 'v' }, body: 'x'.repeat(200_000) });
  expect([answer.status, answer.headers.get('x-b')]).toEqual([201, 'c']);
  expect(await answer.text()).toBe(`PUT /a/b 1 v ${'x'.repeat(200_000)}`);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([201, '']);
});

test('the body of an answer to HEAD is given up, and the connection goes on', async () => {
  let cancelled = 0;
  const { url } = await serve(() => {
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(1_000))),
      cancel: () => {
        cancelled += 1;
      },
    });
    return new Response(body, { headers: { 'content-length': '5000000' } });
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  const head = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(url, { method: 'HEAD', agent }, (response) => {
        ports.add(response.socket.localPort);
        response.resume();
        response.on('end', () => resolve(`${response.statusCode} ${response.headers['content-length']}`));
      });
      sent.on('error', reject);
      sent.end();
    });
  expect([await head(), await head()]).toEqual(['200 5000000', '200 5000000']);
  expect([cancelled, ports.size]).toEqual([2, 1]);
  agent.destroy();
});

test('an answer without a body ends', async () => {
  const { url } = await serve(() => new Response(null, { status: 204, statusText: 'Nothing To Say' }));
  const answer = await fetch(url);
  expect([answer.status, answer.statusText, await answer.text()]).toEqual([204, 'Nothing To Say', '']);
});

test('headers that come several times are all given, and all of an answer are sent', async () => {
  let seen = '';
  const { url } = await serve((request) => {
    seen = request.headers.get('x-a') ?? '';
    return new Response('', {
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-b', 'c'],
      ],
    });
  });
  const cookies = await new Promise<unknown>((resolve, reject) => {
    const sent = httpRequest(url, { headers: { 'x-a': ['1', '2'] } }, (response) => {
      response.resume();
      resolve([response.headers['set-cookie'], response.headers['x-b']]);
    });
    sent.on('error', reject);
    sent.end();
  });
  expect([seen, cookies]).toEqual(['1, 2', [['a=1', 'b=2'], 'c']]);
});

test('what is refused is text that no browser takes for anything else, and ends the connection', async () => {
  const { url } = await serve(() => {
    throw new Error('no');
  });
  const { headers } = await fetch(url);
  expect(['content-type', 'x-content-type-options', 'connection'].map((name) => headers.get(name))).toEqual([
    'text/plain; charset=utf-8',
    'nosniff',
    'close',
  ]);
});

test('an answer whose body breaks is broken off, and logged', async () => {
  const { url, logged } = await serve(() => {
    let pulls = 0;
    return new Response(
      new ReadableStream({
        pull: (controller) => {
          pulls += 1;
          if (pulls > 1) controller.error(new Error('cut'));
          else controller.enqueue(new TextEncoder().encode('begun'));
        },
      }),
    );
  });
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
  expect(logged('error')).toEqual(['a request to an endpoint failed']);
});

test('the end of the process aborts the requests that are under way, and says so', async () => {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { url, server } = await serve((_, { signal }) => {
    begin();
    return new Promise<Response>((resolve) =>
      signal.addEventListener('abort', () => resolve(new Response(String((signal.reason as Error).message)))),
    );
  });
  const asked = fetch(url).then((answer) => answer.text());
  await begun;
  await Promise.all([server.stop(), server.stop()]);
  expect(await asked).toBe('the process ends');
  await expect(fetch(url)).rejects.toThrow();
});

test('a server that was never started stops at once, and has the name of its endpoint', async () => {
  const endpoint: EndpointModel = { name: 'backups', port: 19_999, handle: (() => undefined) as unknown as EndpointModel['handle'] };
  const server = new EndpointServer({ endpoint, port: 0, clock: systemClock, log: keptLog().log, contextOf: () => ({}) });
  await server.stop();
  expect(server.name).toBe('backups');
});

test('a handler that throws, or returns something else, answers 500 without its text, and is logged', async () => {
  const throwing = await serve(() => {
    throw new Error('password=hunter2');
  });
  const wrong = await serve(() => 'text');
  for (const { url, logged } of [throwing, wrong]) {
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([500, 'internal error; the log of the operator has more\n']);
    expect(logged('error')).toEqual(['a request to an endpoint failed']);
  }
});

test('a client that goes away aborts the signal', async () => {
  let aborted: (reason: unknown) => void = () => undefined;
  const gone = new Promise((resolve) => {
    aborted = resolve;
  });
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const { url, logged } = await serve((_, { signal }) => {
    begin();
    signal.addEventListener('abort', () => aborted(String(signal.reason)));
    return new Promise<Response>((resolve) => signal.addEventListener('abort', () => resolve(new Response('late'))));
  });
  const client = new AbortController();
  const asked = fetch(url, { signal: client.signal }).catch(() => 'gone');
  await begun;
  client.abort();
  expect(await asked).toBe('gone');
  expect(await gone).toContain('the client has gone');
  expect(logged('error')).toEqual([]);
});

/** A request whose body comes as the test likes. */
function posting(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined).write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  return socket;
}

test('a body in single bytes reaches the handler whole, in large pieces', async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `${index} `).join('');
  let read: (read: [text: string, pieces: number]) => void = () => undefined;
  const reading = new Promise<[string, number]>((resolve) => {
    read = resolve;
  });
  const { port } = await serve(async (request) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) pieces.push(piece);
    read([Buffer.concat(pieces).toString(), pieces.length]);
    return new Response('');
  });
  await writeCrumbs(posting(port), text);
  const [body, pieces] = await reading;
  expect(body === text).toBe(true);
  // 168,890 bytes in reads of at most 64 KiB, of which each brings a sixth.
  expect(pieces).toBeLessThan(1_000);
});

test('a part of a body is handed on when it has come, small as it is', async () => {
  const parts: string[] = [];
  let arrived = (): void => undefined;
  const { port } = await serve(async (request) => {
    for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
      parts.push(Buffer.from(piece).toString());
      arrived();
    }
    return new Response('');
  });
  const socket = posting(port);
  for (const part of ['a', 'bc', 'd'.repeat(20_000), 'e']) {
    const arriving = new Promise<void>((resolve) => {
      arrived = () => parts.join('').endsWith(part) && resolve();
    });
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
    await arriving;
  }
  expect(parts.join('')).toBe(`abc${'d'.repeat(20_000)}e`);
});

test('what a handler does not read waits in few pieces, and holds its client back', async () => {
  let begun: (request: Request) => void = () => undefined;
  const beginning = new Promise<Request>((resolve) => {
    begun = resolve;
  });
  let go = (): void => undefined;
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { port } = await serve(async (request) => {
    begun(request);
    await going;
    return new Response(String((await request.text()).length));
  });
  const socket = posting(port);
  let answer = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      if (answer.includes('100000')) resolve();
    });
  });
  const written = writeCrumbs(socket, 'x'.repeat(100_000));
  await beginning;
  go();
  await Promise.all([written, answered]);
  expect(answer).toContain('200 OK');
});

test('a path that begins with two slashes is a path, and methods that Request refuses are answered', async () => {
  const { port } = await serve((request) => new Response(new URL(request.url).host + new URL(request.url).pathname));
  const raw = (method: string, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, method, path }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve(`${response.statusCode} ${text}`));
      });
      sent.on('error', reject);
      sent.end();
    });
  expect(await raw('GET', '//evil.example/a')).toBe('200 localhost//evil.example/a');
  expect(await raw('TRACE', '/')).toBe('400 the request cannot be read\n');
});

test('a port that is taken says which endpoint', async () => {
  const { port } = await serve(() => new Response('a'));
  await expect(serve(() => new Response('b'), port)).rejects.toThrow(`endpoints.backups: port ${port} cannot be listened on`);
});
