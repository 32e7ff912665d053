import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { defaulting, defineOperator, validating } from 'keelson';
import { CertificateAuthority } from '../../../src/kubernetes/certificates/index.js';
import { WebhookServer } from '../../../src/runtime/admission/index.js';
import { jsonCost } from '../../../src/runtime/admission/json-cost.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Cache, cacheObject } from './kinds.js';
import { AUTHORITY, ManualSource, PAIR, responseOf, review, Served, stopAll } from './served.js';

afterEach(stopAll);

const PATH = '/validating/cache.example.com/v1/caches';
const REVIEW = review({ object: cacheObject('v1', {}) });
const allowing = validating(Cache, () => []);

/** Handlers that answer when the test says so. */
class Gate {
  readonly entered: (() => void)[] = [];
  #waiting: { count: number; met: () => void } | undefined;

  readonly webhook = validating(
    Cache,
    () =>
      new Promise<void>((resolve) => {
        this.entered.push(resolve);
        if (this.#waiting !== undefined && this.entered.length >= this.#waiting.count) this.#waiting.met();
      }),
  );

  async holds(count: number): Promise<void> {
    if (this.entered.length >= count) return;
    await new Promise<void>((met) => {
      this.#waiting = { count, met };
    });
  }

  open(): void {
    for (const enter of this.entered.splice(0)) enter();
  }
}

function tls(served: Served, options: object = {}): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: served.port, ca: AUTHORITY.certificate, servername: 'hook.test.svc', ...options });
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
  });
}

/** Resolves when the connection is closed, however: a server that closes while its client still writes resets it, if the kernel has bytes that it did not read. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.on('error', () => undefined).once('close', () => resolve()));
}

describe('requests that are not review', () => {
  const OTHER_KIND = 'is not reviewed here; send an AdmissionReview of admission.k8s.io/v1 or admission.k8s.io/v1beta1';
  const OPERATIONS = 'is not an operation; known are CREATE, UPDATE, DELETE, CONNECT';

  test.each<[string, string, string, object, number, string]>([
    ['another path', '/nowhere', '{}', {}, 404, 'no webhook is served at this path'],
    ['a path below', `${PATH}/x`, '{}', {}, 404, 'no webhook is served at this path'],
    ['another method', PATH, '', { method: 'GET' }, 405, 'GET is not served here; reviews are posted'],
    [
      'another content type (W6)',
      PATH,
      '{}',
      { headers: { 'content-type': 'text/plain' } },
      415,
      'content type "text/plain" is not served here; send application/json',
    ],
    ['no content type', PATH, '{}', { headers: { 'content-type': '' } }, 415, 'content type "" is not served here; send application/json'],
    [
      'a compressed body',
      PATH,
      '{}',
      { headers: { 'content-encoding': 'gzip' } },
      415,
      'content encoding "gzip" is not served here; send it plain',
    ],
    ['no body (W6)', PATH, '', {}, 400, 'the request has no body; send a review'],
    ['half a body', PATH, '{"kind":', {}, 400, 'the body is not JSON that can be read; it has 8 bytes'],
    ['what is not an object', PATH, '[]', {}, 400, `" " ${OTHER_KIND}`],
    ['another kind', PATH, '{"apiVersion":"v1","kind":"Pod"}', {}, 400, `"v1 Pod" ${OTHER_KIND}`],
    [
      'another version of the review',
      PATH,
      '{"apiVersion":"admission.k8s.io/v2","kind":"AdmissionReview"}',
      {},
      400,
      `"admission.k8s.io/v2 AdmissionReview" ${OTHER_KIND}`,
    ],
    ['no request', PATH, '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}', {}, 400, 'the review has no request'],
    [
      'no uid',
      PATH,
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"operation":"CREATE"}}',
      {},
      400,
      'the request has no uid',
    ],
    [
      'no uid beside an object',
      PATH,
      JSON.stringify(review({ object: cacheObject('v1', {}), uid: '' })),
      {},
      400,
      'the request has no uid',
    ],
    [
      'no operation',
      PATH,
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1"}}',
      {},
      400,
      `"" ${OPERATIONS}`,
    ],
    [
      'another operation',
      PATH,
      JSON.stringify(review({ object: cacheObject('v1', {}), operation: 'PATCH' })),
      {},
      400,
      `"PATCH" ${OPERATIONS}`,
    ],
    [
      'no object',
      PATH,
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE"}}',
      {},
      400,
      'the request of operation CREATE has no object to check',
    ],
    [
      'an object that is a list',
      PATH,
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE","object":[]}}',
      {},
      400,
      "the request's object is not an object",
    ],
    [
      'a body nested without end',
      PATH,
      `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
      {},
      400,
      'the body cannot be read: it is nested too deeply',
    ],
  ])('%s', async (...[, path, body, options, status, text]) => {
    const served = await Served.start([allowing]);
    const answer = await served.post(path, body, options as never);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([status, `${text}\n`, 'text/plain; charset=utf-8']);
    const complaints = served.log.lines.filter(({ message }) => message === 'a request got no review').map(({ fields }) => fields);
    expect(complaints).toEqual(status === 404 ? [] : [{ path, status, why: `${text}\n`, client: '127.0.0.1' }]);
    if (status === 405) expect(answer.headers['allow']).toBe('POST');
    expect(responseOf(await served.post(PATH, REVIEW)).allowed).toBe(true);
    // An unknown path is nobody's metric: clients would decide how many there are.
    expect(served.told).toHaveLength(status === 404 ? 2 : 4);
  });

  test('W6 a body of 7 MiB is read, a larger one is refused, with and without its length', async () => {
    const served = await Served.start([allowing]);
    const filled = (bytes: number): string => {
      const shell = JSON.stringify(review({ object: cacheObject('v1', { mode: '' }) }));
      return shell.replace('"mode":""', () => `"mode":"${'x'.repeat(bytes - shell.length)}"`);
    };
    const limit = 7 * 1024 * 1024;
    expect(responseOf(await served.post(PATH, filled(limit))).allowed).toBe(true);
    const agent = new Agent();
    expect((await served.post(PATH, filled(limit + 1), { agent, headers: { expect: '100-continue' } })).status).toBe(413);
    const status = await new Promise((resolve, reject) => {
      const call = request({
        host: '127.0.0.1',
        port: served.port,
        path: PATH,
        method: 'POST',
        ca: AUTHORITY.certificate,
        servername: 'hook.test.svc',
        headers: { 'content-type': 'application/json' },
      });
      call.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      // Without a length: until the server has had enough.
      const write = (): void => void (call.destroyed || call.write(Buffer.alloc(1024 * 1024, ' '), write));
      write();
    });
    expect(status).toBe(413);
    expect(responseOf(await served.post(PATH, REVIEW)).allowed).toBe(true);
  });

  test('a client that goes away aborts the handler, and nothing is kept of it (H64)', async () => {
    let signal: AbortSignal | undefined;
    const gate = new Gate();
    const served = await Served.start([
      validating(Cache, (object, context) => {
        signal = context.signal;
        return (gate.webhook.handle as { create: (...args: unknown[]) => Promise<void> }).create(object, context);
      }),
    ]);
    const away = new AbortController();
    const pending = served.post(PATH, REVIEW, { signal: away.signal });
    await gate.holds(1);
    const aborted = once(signal as AbortSignal, 'abort');
    away.abort();
    await expect(pending).rejects.toThrow();
    await aborted;
    expect(served.clock.pending).toBe(0);
    gate.open();
  });

  test('a body that does not come is given up when its time is over', async () => {
    const served = await Served.start([allowing]);
    const socket = await tls(served);
    socket.write(`POST ${PATH}?timeout=1s HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`);
    await served.clock.timer((delayMs) => delayMs === 900);
    served.clock.advance(900);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 504 [\s\S]*connection: close/i);
    await closeOf(socket);
  });
});

test.each([
  ['chunks', `transfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(70)}`],
  ['records of TLS', 'content-length: 100000\r\n\r\n'],
])('a body that comes in crumbs ends its connection, and is logged (%s)', async (name, rest) => {
  const served = await Served.start([allowing]);
  const socket = await tls(served);
  const closed = closeOf(socket);
  socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${rest}`);
  for (let n = 0; n < 100 && name !== 'chunks' && !socket.destroyed; n += 1) await new Promise((resolve) => socket.write(' ', resolve));
  await closed;
  expect(served.log.lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ status: 400, why: expect.stringMatching(/^the body comes in crumbs: 65 bytes in 65 pieces/) }),
  );
  expect(responseOf(await served.post(PATH, REVIEW)).allowed).toBe(true);
});

describe('bodies that are declared, and do not come', () => {
  const head = (length: number): string =>
    `POST ${PATH}?timeout=30s HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

  test('they take nothing from others, whatever they declare', async () => {
    const served = await Served.start([allowing]);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => tls(served)));
    for (const socket of sockets) socket.write(`${head(7 * 1024 * 1024)}{`);
    const begun = (): number => served.told.filter((told) => told.startsWith('started')).length;
    while (begun() < 40) await new Promise((resolve) => setImmediate(resolve));
    expect(responseOf(await served.post(PATH, REVIEW)).allowed).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  test('a review that is small does not wait for them, even if they leave no room', async () => {
    const heap = { statistics: () => ({ limit: 179 * 1024 * 1024, used: 0 }), collect: () => false };
    const served = await Served.start([allowing], { memory: { heap } });
    const sockets = await Promise.all(Array.from({ length: 40 }, () => tls(served)));
    // For small bodies there is a mebibyte and a half: twenty-four of these hold it.
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(head(65_536) + ' '.repeat(60_000), resolve))));
    const begun = (): number => served.told.filter((told) => told.startsWith('started')).length;
    while (begun() < 40) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    // What is left is less than a record of TLS.
    const filling = review({ object: cacheObject('v1', { mode: 'x'.repeat(15_800) }) });
    expect(responseOf(await served.post(PATH, filling)).allowed).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  test('they end after three seconds with 408', async () => {
    const served = await Served.start([allowing]);
    const socket = await tls(served);
    socket.write(`${head(100)}{`);
    await served.clock.timer((delayMs) => delayMs === 3_000);
    served.clock.advance(3_100);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 408 [\s\S]*the body came too slowly: 1 bytes in 3000 ms/);
    await closeOf(socket);
    expect(served.clock.pending).toBe(0);
  });
});

test('reviews wait while others take all the memory that there is for them, and all are answered', async () => {
  const gate = new Gate();
  const { bytes } = jsonCost(Buffer.from(JSON.stringify(REVIEW)), Number.POSITIVE_INFINITY);
  const served = await Served.start([gate.webhook], { memory: { bytes: 4 * bytes } });
  const pending = Array.from({ length: 10 }, () => served.post(PATH, REVIEW));
  await gate.holds(3);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(gate.entered).toHaveLength(3);
  let answered = 0;
  for (const answer of pending) void answer.then(() => answered++);
  while (answered < 10) {
    gate.open();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await Promise.all(pending)).map((answer) => responseOf(answer).allowed)).toEqual(Array(10).fill(true));
});

describe('connections', () => {
  test('W1 TLS 1.2 and newer, HTTP/1.1, idle connections kept longer than API servers keep them', async () => {
    const served = await Served.start([allowing]);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await tls(served, { maxVersion, ALPNProtocols: ['h2', 'http/1.1'] });
      expect([socket.getProtocol(), socket.alpnProtocol]).toEqual([maxVersion, 'http/1.1']);
      socket.destroy();
    }
    await expect(tls(served, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow(/version/);
    const answer = await served.post(PATH, REVIEW);
    expect(answer.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=120' });
  });

  test('W1 a client authority keeps out who has no certificate of it', async () => {
    const clients = CertificateAuthority.create({ commonName: 'clients' });
    const served = await Served.start([allowing], { clientAuthority: clients.certificate });
    await expect(served.post(PATH, REVIEW)).rejects.toThrow();
    const { certificate: cert, privateKey: key } = clients.issueClient({ subject: [['CN', 'apiserver']] });
    const agent = new Agent({ cert, key });
    expect(responseOf(await served.post(PATH, REVIEW, { agent })).allowed).toBe(true);
    const { certificate, privateKey } = AUTHORITY.issueClient({ subject: [['CN', 'apiserver']] });
    await expect(served.post(PATH, REVIEW, { agent: new Agent({ cert: certificate, key: privateKey }) })).rejects.toThrow();
  });

  test('a client authority that changes keeps out the clients of the former one', async () => {
    const [former, next] = ['former', 'next'].map((commonName) => CertificateAuthority.create({ commonName })) as [
      CertificateAuthority,
      CertificateAuthority,
    ];
    const agentOf = (authority: CertificateAuthority): Agent => {
      const { certificate: cert, privateKey: key } = authority.issueClient({ subject: [['CN', 'apiserver']] });
      return new Agent({ cert, key });
    };
    const served = await Served.start([allowing], { clientAuthority: former.certificate });
    expect((await served.post(PATH, REVIEW, { agent: agentOf(former) })).status).toBe(200);
    served.server.setClientAuthority(next.certificate);
    expect((await served.post(PATH, REVIEW, { agent: agentOf(next) })).status).toBe(200);
    await expect(served.post(PATH, REVIEW, { agent: agentOf(former) })).rejects.toThrow();
    // It stays when the certificate changes.
    served.source.set(PAIR);
    expect((await served.post(PATH, REVIEW, { agent: agentOf(next) })).status).toBe(200);
    await expect(served.post(PATH, REVIEW)).rejects.toThrow();
  });

  test('a client that does not take its answer is cut off after ten seconds', async () => {
    const served = await Served.start([
      validating(Cache, (_, { warn }) => {
        for (let count = 0; count < 200; count += 1) warn('x'.repeat(100_000));
      }),
    ]);
    const socket = await tls(served);
    socket.on('error', () => undefined).pause();
    const text = JSON.stringify(REVIEW);
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    await served.clock.timer((delayMs) => delayMs === 10_000);
    served.clock.advance(9_999);
    expect(served.clock.pending).toBe(1);
    served.clock.advance(1);
    socket.resume();
    await closeOf(socket);
    await served.server.stop();
    expect(served.clock.pending).toBe(0);
  });

  test('an observer need not hear everything', async () => {
    const finished: unknown[] = [];
    const observer = { finished: (...said: unknown[]) => void finished.push(said) };
    const served = await Served.start([allowing], { observer });
    await served.post(PATH, REVIEW);
    expect(finished).toEqual([[PATH, 200, 0]]);
    expect(served.log.texts).toEqual(['info serving webhooks', 'debug webhook answered']);
    expect(served.log.lines[0]?.fields).toEqual({ port: served.port, paths: [PATH, '/convert'] });
  });

  test('H61 a new certificate is shown to the next connection, and no request is lost to it', async () => {
    const gate = new Gate();
    const served = await Served.start([gate.webhook]);
    const pending = served.post(PATH, REVIEW);
    await gate.holds(1);
    const other = CertificateAuthority.create({ commonName: 'other' });
    served.source.set(other.issueServing({ dnsNames: ['hook.test.svc'] }));
    gate.open();
    expect(responseOf(await pending).allowed).toBe(true);
    // The connection that was there goes on.
    const again = served.post(PATH, REVIEW);
    await gate.holds(1);
    gate.open();
    expect((await again).status).toBe(200);
    await expect(served.post(PATH, REVIEW, { agent: new Agent() })).rejects.toThrow(/certificate/);
    const fresh = served.post(PATH, REVIEW, { agent: new Agent(), ca: other.certificate });
    await gate.holds(1);
    gate.open();
    expect((await fresh).status).toBe(200);
  });

  test('a certificate that TLS refuses leaves the last one in use', async () => {
    const served = await Served.start([allowing]);
    served.source.set({ certificate: PAIR.certificate, privateKey: AUTHORITY.toKeyPair().privateKey });
    served.source.set({ certificate: 'garbage', privateKey: 'garbage' });
    expect((await served.post(PATH, REVIEW, { agent: new Agent() })).status).toBe(200);
    const errors = served.log.lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(2);
    expect(JSON.stringify(served.log.lines)).not.toContain('PRIVATE KEY');
  });

  test('who speaks no TLS, or breaks off, disturbs nobody', async () => {
    const served = await Served.start([allowing]);
    for (const text of ['', 'GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\xff\xff garbage']) {
      const socket = connectPlain(served.port, '127.0.0.1');
      await once(socket, 'connect');
      const closed = closeOf(socket);
      socket.end(text).resume();
      await closed;
    }
    const socket = await tls(served);
    const closed = closeOf(socket.resume());
    socket.write('nonsense\r\n\r\n');
    await closed;
    expect((await served.post(PATH, REVIEW)).status).toBe(200);
    expect(served.log.lines.filter(({ level }) => level !== 'debug' && level !== 'info')).toEqual([]);
  });
});

describe('start and end', () => {
  const parts = (): { clock: FakeClock; log: MemoryLog; port: number; host: string } => ({
    clock: new FakeClock(),
    log: new MemoryLog(),
    port: 0,
    host: '127.0.0.1',
  });
  const operator = defineOperator({ name: 'test', controllers: [], webhooks: [allowing] });

  test('it does not start without a certificate, on a port that is taken, or twice', async () => {
    const none = new ManualSource();
    none.current = undefined;
    await expect(new WebhookServer({ ...parts(), operator, certificate: none }).start()).rejects.toThrow('no certificate yet');
    const garbage = new ManualSource({ certificate: 'a', privateKey: 'b' });
    await expect(new WebhookServer({ ...parts(), operator, certificate: garbage }).start()).rejects.toThrow('cannot be used');
    const served = await Served.start([allowing]);
    const second = new WebhookServer({ ...parts(), operator, port: served.port, certificate: new ManualSource() });
    await expect(second.start()).rejects.toThrow(/cannot be served at port \d+: .*EADDRINUSE/);
    await expect(served.server.start()).rejects.toThrow('make a new one');
    await second.stop();
    await new WebhookServer({ ...parts(), operator, certificate: new ManualSource() }).stop();
  });

  test('W4 two webhooks at one path are refused', () => {
    const webhooks = [allowing, allowing];
    const make = (): WebhookServer =>
      new WebhookServer({ ...parts(), operator: { webhooks, customResources: [] }, certificate: new ManualSource() });
    expect(make).toThrow('two webhooks share the path /validating/cache.example.com/v1/caches');
  });

  test('W1 it is ready while it serves; at its end what is under way is answered and every connection closed', async () => {
    const gate = new Gate();
    const served = new Served(
      defineOperator({ name: 'test', controllers: [], webhooks: [gate.webhook, defaulting(Cache, () => undefined)] }),
    );
    expect(served.server.isReady).toBe(false);
    ({ port: served.port } = await served.server.start());
    expect([served.server.isReady, served.source.listeners]).toEqual([true, 1]);
    const idle = await tls(served);
    const pending = served.post(PATH, REVIEW);
    await gate.holds(1);
    const ended = served.server.stop();
    expect(served.server.isReady).toBe(false);
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(hasEnded).toBe(false);
    await expect(served.post(PATH, REVIEW, { agent: new Agent() })).rejects.toThrow('ECONNREFUSED');
    gate.open();
    const answer = await pending;
    expect([responseOf(answer).allowed, answer.headers['connection']]).toEqual([true, 'close']);
    idle.resume();
    await ended;
    await served.server.stop();
    expect([served.clock.pending, served.source.listeners]).toEqual([0, 0]);
    served.agent.destroy();
  });

  test('for a while it still answers who has not heard that it goes, and ends his connection', async () => {
    const served = await Served.start([allowing], { lingerMs: 2_000 });
    await served.post(PATH, REVIEW);
    const ended = served.server.stop();
    expect(served.server.isReady).toBe(false);
    for (const agent of [served.agent, new Agent({ keepAlive: true })]) {
      const answer = await served.post(PATH, REVIEW, { agent });
      expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    }
    served.clock.advance(2_000);
    await ended;
  });

  test('a handler that does not end is cut off', async () => {
    const gate = new Gate();
    const served = await Served.start([gate.webhook], { drainMs: 5_000 });
    const pending = served.post(PATH, REVIEW);
    pending.catch(() => undefined);
    await gate.holds(1);
    const ended = served.server.stop();
    await served.clock.timer((delayMs) => delayMs === 5_000);
    served.clock.advance(5_000);
    await ended;
    await expect(pending).rejects.toThrow();
    expect(served.log.texts).toContain('warn webhook requests were cut off at shutdown');
    gate.open();
  });
});
