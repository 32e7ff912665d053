import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { ServerCertificates } from '../../../src/api-server/access/certificates/index.js';
import type { RequestFacts } from '../../../src/api-server/http/index.js';
import { eventually } from '../../eventually.js';
import { growth } from '../../kubernetes/listening/crumbs.js';
import { TestServer } from './harness.js';
import { Http2Crumbs } from './http2-crumbs.js';

const certificates = new ServerCertificates();

let server: TestServer;
let facts: RequestFacts[];
/** Authentication waits for it. */
let admittance: Promise<void>;
const sessions: ClientHttp2Session[] = [];
beforeEach(async () => {
  facts = [];
  admittance = Promise.resolve();
  server = new TestServer({
    gatekeeper: {
      authenticate: async (given) => {
        facts.push(given);
        await admittance;
        return { username: 'x', groups: [] };
      },
      authorize: () => undefined,
    },
  });
  server.address = await server.server.listen({
    tls: { certificate: certificates.serving.certificate, key: certificates.serving.privateKey, clientAuthorities: certificates.authority },
  });
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await server.close();
});

function session(options: object = {}): ClientHttp2Session {
  const made = connect(server.address.url, { ca: certificates.authority, ...options });
  made.on('error', () => undefined);
  sessions.push(made);
  return made;
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function answerTo(stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    let text = '';
    stream.setEncoding('utf8').on('response', (given) => {
      headers = given;
    });
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
    stream.on('end', () => resolve({ headers, text })).on('error', reject);
  });
}

const ask = (on: ClientHttp2Session, head: object, body?: string): Promise<Answer> => {
  const stream = on.request({ ':path': '/api/v1/configmaps', ...head }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return answerTo(stream);
};

test('requests of one connection are answered side by side', async () => {
  const on = session();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(on, {})));
  for (const { headers, text } of answers) {
    expect([headers[':status'], headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toMatchObject({ kind: 'ConfigMapList' });
    expect(headers).toMatchObject({ 'audit-id': expect.any(String), 'cache-control': 'no-cache, private' });
  }
});

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, size = 0): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(size) } });
const post = { ':method': 'POST', ':path': COLLECTION, 'content-type': 'application/json' };

test('bodies with and without a length are read, refusals are answered, and one that is too large does not break the others', async () => {
  const on = session();
  expect((await ask(on, post, configMap('a'))).headers[':status']).toBe(201);
  const body = configMap('b', 300_000);
  expect((await ask(on, { ...post, 'content-length': body.length }, body)).headers[':status']).toBe(201);
  const [taken, none, large] = await Promise.all([
    ask(on, post, configMap('a')),
    ask(on, { ':path': `${COLLECTION}/none` }),
    ask(on, post, configMap('c', 4_000_000)),
  ]);
  expect([taken, none, large].map(({ headers }) => headers[':status'])).toEqual([409, 404, 413]);
  const listed = await ask(on, { ':path': COLLECTION });
  expect(listed.text.length).toBeGreaterThan(300_000);
  const zipped = await ask(on, { ':path': COLLECTION, 'accept-encoding': 'gzip' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect((await ask(on, { ':method': 'HEAD', ':path': COLLECTION })).text).toBe('');
});

/** Lets authentication wait. @returns what ends that */
function holdBack(): () => void {
  let admit = (): void => undefined;
  admittance = new Promise((resolve) => {
    admit = resolve;
  });
  return admit;
}

test('a body that has come before it is read is whole', async () => {
  const admit = holdBack();
  const on = session();
  const streams = [10, 200_000].map((size) => on.request(post).end(configMap(`of-${size}`, size)));
  const answers = streams.map(answerTo);
  await Promise.all(streams.map((stream) => once(stream, 'finish')));
  await new Promise((resolve) => on.ping(resolve));
  admit();
  expect((await Promise.all(answers)).map(({ headers }) => headers[':status'])).toEqual([201, 201]);
});

test('a stream that its client gives up before its body is read leaves the others alone', async () => {
  const admit = holdBack();
  const on = session();
  const stream = on.request(post);
  stream.on('error', () => undefined).write(configMap('a', 50_000));
  const other = ask(on, post, configMap('b', 50_000));
  await eventually(() => facts.length === 2);
  stream.close(constants.NGHTTP2_CANCEL);
  await once(stream, 'close');
  // The server has heard of it when it answers what follows.
  await new Promise((resolve) => on.ping(resolve));
  admit();
  expect((await other).headers[':status']).toBe(201);
  expect((await ask(on, {})).headers[':status']).toBe(200);
  expect([...server.api.objects.keys()]).toEqual(['default/b']);
  expect(server.bugs).toEqual([]);
});

test('bodies in frames of one byte take memory by their bytes, while they wait to be read and when they are read', async () => {
  const admit = holdBack();
  const client = await Http2Crumbs.connect(server.address.port, certificates.authority);
  const names = ['a', 'b', 'c'];
  const grown = await growth(async () => {
    const streams = names.map(() => client.begin({ ':scheme': 'https', ':authority': 'x', ...post }));
    const bodies = names.map((name) => configMap(name, 300_000));
    // The window of a stream: more does not come before the body is read. From Node 24 on a server does not open the window of the connection either while
    // nothing is read, so that two of these windows are all that comes.
    const sent = Promise.all(streams.map((stream, index) => client.send(stream, (bodies[index] as string).slice(0, 262_144), false)));
    await (Number.parseInt(process.versions.node, 10) >= 24 ? client.heldBack() : sent);
    admit();
    await sent;
    await Promise.all(streams.map((stream, index) => client.send(stream, (bodies[index] as string).slice(262_144), true)));
    await Promise.all(streams.map((stream) => client.answered(stream)));
  });
  client.close();
  expect(names.map((name) => server.api.objects.get(`default/${name}`)?.['data'])).toEqual(
    names.map(() => ({ text: 'x'.repeat(300_000) })),
  );
  // A buffer of each frame that waits were some 90 MiB.
  expect(grown).toBeLessThan(50);
});

test('the certificate of a connection stands for each of its requests', async () => {
  const { certificate, privateKey } = certificates.issueClient({ username: 'alice' });
  const on = session({ cert: certificate, key: privateKey });
  await Promise.all([ask(on, {}), ask(on, {})]);
  expect(facts.map(({ clientCertificate }) => Buffer.from(clientCertificate?.raw ?? []).includes('alice'))).toEqual([true, true]);
  expect(facts[0]?.clientCertificate).not.toHaveProperty('problem');
  await ask(session(), {});
  expect(facts[2]?.clientCertificate).toBeUndefined();
});

/** A watch, and what it has sent so far. */
async function watched(on: ClientHttp2Session): Promise<{ readonly stream: ClientHttp2Stream; readonly events: () => unknown[] }> {
  const stream = on.request({ ':path': `${COLLECTION}?watch=1` });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  stream.on('error', () => undefined);
  await new Promise((resolve) => stream.once('response', resolve));
  return {
    stream,
    events: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown),
  };
}

const added = (name: string) => ({
  type: 'ADDED' as const,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, resourceVersion: '7' } },
});

test('many watches share a connection; one that a client ends is forgotten, and the others go on', async () => {
  const on = session();
  const watches = await Promise.all(Array.from({ length: 30 }, () => watched(on)));
  for (const watch of server.api.watches) watch.push(added('a'));
  await eventually(() => watches.every(({ events }) => events().length === 1));
  watches[0]?.stream.close(constants.NGHTTP2_CANCEL);
  await eventually(() => server.api.watches.filter(({ isClosed }) => isClosed).length === 1);
  for (const watch of server.api.watches) if (!watch.isClosed) watch.push(added('b'));
  await eventually(() => watches.slice(1).every(({ events }) => events().length === 2));
  expect((await ask(on, {})).headers[':status']).toBe(200);
});

test('the server ends watches in good order when it closes, and the connection with them', async () => {
  const on = session();
  const { stream } = await watched(on);
  let code: number | undefined;
  stream.once('close', () => {
    code = stream.rstCode;
  });
  await server.close();
  await eventually(() => code !== undefined && on.destroyed);
  expect(code).toBe(constants.NGHTTP2_NO_ERROR);
});

test('a client that asks for HTTP/1.1 gets it', async () => {
  const version = await new Promise<string>((resolve, reject) => {
    const agent = new Agent({ ca: certificates.authority });
    request(`${server.address.url}/api/v1/configmaps`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.httpVersion));
    })
      .on('error', reject)
      .end();
  });
  expect(version).toBe('1.1');
});
