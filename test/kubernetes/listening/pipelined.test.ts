import type { Socket } from 'node:net';
import { eventually } from '../../eventually.js';
import { type Answering, SERVERS } from './answering-servers.js';
import { connected, requestOf } from './raw-client.js';

let server: Answering;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** What the server sends, and whether it has ended the connection. */
class Client {
  readonly socket: Socket;
  received = '';
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    sockets.push(socket);
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
    });
    socket
      .on('error', () => undefined)
      .once('close', () => {
        this.isClosed = true;
      });
    socket.pause();
  }

  static async of(to: Answering): Promise<Client> {
    return new Client(await connected(to));
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  get answers(): number {
    return this.received.split('HTTP/1.1 ').length - 1;
  }

  /** The client reads what there is, until the server ends the connection. */
  async closed(): Promise<void> {
    this.socket.resume();
    await eventually(() => this.isClosed, 'the end of the connection');
  }
}

/** Reads one whole answer with a `Content-Length`, or in chunks. */
async function readAnswer(client: Client): Promise<string> {
  client.socket.resume();
  await eventually(() => {
    const [head = '', ...rest] = client.received.split('\r\n\r\n');
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (length !== undefined) return client.received.length >= head.length + 4 + Number(length);
    return rest.length > 0 && client.received.endsWith('0\r\n\r\n');
  }, 'an answer');
  const { received } = client;
  client.received = '';
  return received;
}

describe.each(Object.keys(SERVERS))('the server of %s', (name) => {
  beforeEach(async () => {
    server = (await SERVERS[name]?.()) as Answering;
  });

  test('ends a connection with two requests at once, and handles neither', async () => {
    const client = (await Client.of(server)).send(server.request.repeat(2));
    await client.closed();
    expect([client.answers, server.handled()]).toEqual([0, 0]);
  });

  test('ends a connection whose second request comes before its answer is read', async () => {
    const client = (await Client.of(server)).send(server.request);
    await eventually(() => server.handled() === 1);
    // Probes have no answers that the kernel does not take at once: those are given.
    if (name === 'probes') return;
    client.send(server.request);
    // The server reads it while the client still reads nothing.
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await client.closed();
    expect([client.answers, server.handled()]).toEqual([1, 1]);
  });

  test('answers others while 100 connections pipeline 500 requests each, of which it handles none', async () => {
    const clients = await Promise.all(Array.from({ length: 100 }, () => Client.of(server)));
    for (const client of clients) client.send(server.request.repeat(500));
    const other = (await Client.of(server)).send(server.request);
    expect(await readAnswer(other)).toMatch(/^HTTP\/1.1 200 /);
    expect(server.handled()).toBe(1);
    await Promise.all(clients.map((client) => client.closed()));
  });

  test('keeps a connection whose client sends a request as soon as it has the answer', async () => {
    const client = await Client.of(server);
    for (let turn = 0; turn < 5; turn += 1) expect(await readAnswer(client.send(server.request))).toMatch(/^HTTP\/1.1 200 /);
    expect(server.handled()).toBe(5);
  });
});

test('a request for another protocol that follows an unanswered one ends the connection, and not the process', async () => {
  server = (await SERVERS['the API']?.()) as Answering;
  const upgrade = requestOf('/openapi/v2', 'Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n');
  const client = (await Client.of(server)).send(server.request + upgrade);
  await client.closed();
  expect([client.answers, server.handled()]).toEqual([0, 0]);
});

test('an answer that is given before the body has come does not make the next request a pipelined one', async () => {
  server = (await SERVERS['the API']?.()) as Answering;
  const client = (await Client.of(server)).send('GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n');
  expect(await readAnswer(client)).toMatch(/^HTTP\/1.1 200 /);
  expect(await readAnswer(client.send(`body${server.request}`))).toMatch(/^HTTP\/1.1 200 /);
});
