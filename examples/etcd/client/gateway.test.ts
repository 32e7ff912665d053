import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EtcdError } from './errors.js';
import { createEtcdGateway } from './gateway.js';

/** Servers that answer as etcd does not, and the rule of the next endpoint. */
const servers: Server[] = [];
// The time of a call passes where a server lets it pass: on a slow machine too the answers alone decide how the others end.
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
});
afterEach(() => {
  jest.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const etcd = createEtcdGateway();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port where nobody listens. */
async function nobody(): Promise<string> {
  const url = await serve(() => undefined);
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  return url;
}

/** Does not answer: the minute is over that the caller would wait. */
function whileTimePasses(): void {
  jest.advanceTimersByTime(60_000);
}

const answering = (status: number, body: object | string) =>
  serve((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error('it has not failed'),
    (error: unknown) => error,
  );
}

const DONE = { header: { cluster_id: '1', member_id: '2', revision: '7' } };

test('a change goes to the next endpoint when there is no connection, and when a learner refuses it', async () => {
  const learner = await answering(503, { error: 'etcdserver: rpc not supported for learner', code: 14 });
  const endpoints = [await nobody(), learner, await answering(200, DONE)];
  expect(await etcd.put({ endpoints }, 'a', 'b')).toBe(7);
});

test.each([
  ['hangs', () => serve(whileTimePasses)],
  ['breaks off', () => serve(({ socket }) => void socket.destroy())],
  ['answers late', () => answering(504, { error: 'context deadline exceeded', code: 4 })],
  ['changes its leader', () => answering(503, { error: 'etcdserver: leader changed', code: 14 })],
  ['is removed from the cluster', () => answering(500, { error: 'raft: stopped', code: 2 })],
  ['ends', () => answering(503, { error: 'error reading from server: EOF', code: 14 })],
  ['gives the call up', () => answering(500, { error: 'etcdserver: request cancelled', code: 2 })],
  ['has lost the stream', () => answering(500, { error: 'stream terminated by RST_STREAM with error code: INTERNAL_ERROR', code: 13 })],
  ['is a proxy', () => answering(502, '<html>bad gateway</html>')],
])('a change that was sent to a member that %s is sent to no other: it may have happened', async (_, member) => {
  let isAsked = false;
  const other = await serve((_request, response) => {
    isAsked = true;
    response.end(JSON.stringify(DONE));
  });
  const target = { endpoints: [await member(), other] };
  expect(await failureOf(etcd.put(target, 'a', 'b'))).toMatchObject({ mayHaveHappened: true });
  expect(isAsked).toBe(false);
  // A read may be asked for again.
  expect((await etcd.range(target, 'a')).revision).toBe(7);
});

test("a refusal ends the search, and is etcd's", async () => {
  const endpoints = [await answering(503, { error: 'etcdserver: unhealthy cluster', code: 14 }), await answering(200, DONE)];
  expect(await failureOf(etcd.addLearner({ endpoints }, ['http://m1:2380']))).toMatchObject({
    code: 'Refused',
    reason: 'UnhealthyCluster',
    grpcCode: 14,
    mayHaveHappened: false,
  });
});

test.each([
  [400, 'etcdserver: key is not provided', 3],
  [400, 'illegal base64 data at input byte 3', 3],
  [429, 'etcdserver: too many requests', 8],
  [401, 'authentication handshake failed', 16],
])('%d %s: nothing was done', async (status, error, code) => {
  const endpoints = [await answering(status, { error, code }), await answering(200, DONE)];
  expect(await failureOf(etcd.put({ endpoints }, 'a', 'b'))).toMatchObject({ code: 'Refused', mayHaveHappened: false });
});

test('errors in the form of etcd 3.6 are read as well', async () => {
  const endpoints = [await answering(404, { code: 5, message: 'etcdserver: member not found', details: [] })];
  expect(await failureOf(etcd.removeMember({ endpoints }, '1'))).toMatchObject({ code: 'Refused', reason: 'MemberNotFound' });
});

test("the caller's abort is thrown as it is", async () => {
  const abort = new AbortController();
  const endpoints = [await serve(() => abort.abort(new Error('enough')))];
  expect(await failureOf(etcd.members({ endpoints }, { signal: abort.signal }))).toEqual(new Error('enough'));
});

test('a counter that a number cannot hold is not rounded', async () => {
  const endpoints = [await answering(200, { header: { cluster_id: '16698182135059924589', revision: '9223372036854775807' } })];
  expect(await failureOf(etcd.status({ endpoints }))).toMatchObject({ code: 'InvalidAnswer' });
});

describe('a snapshot', () => {
  const line = (bytes: Buffer, remaining: number) =>
    `${JSON.stringify({ result: { remaining_bytes: String(remaining), blob: bytes.toString('base64') } })}\n`;
  const drain = async (endpoint: string, onBlob: () => void = () => undefined) => {
    for await (const _ of await etcd.snapshot({ endpoints: [endpoint] }, { idleTimeoutMs: 400 })) onBlob();
  };

  test('that stops amid is an error', async () => {
    const endpoint = await serve((_, response) => void response.write(line(Buffer.alloc(64), 64)));
    // The next blob is waited for when this one has been taken.
    const stops = drain(endpoint, () => setImmediate(() => jest.advanceTimersByTime(400)));
    await expect(stops).rejects.toMatchObject({ code: 'Timeout', message: expect.stringContaining('stopped for 400 ms') });
  });

  test('that is cut is an error', async () => {
    await expect(drain(await answering(200, line(Buffer.alloc(64), 64)))).rejects.toThrow('ended 64 bytes early');
  });

  test('that ends with another hash is an error', async () => {
    await expect(drain(await answering(200, line(Buffer.alloc(64), 0)))).rejects.toThrow('is damaged');
  });

  test('that etcd breaks off ends with its error', async () => {
    const body = `${line(Buffer.alloc(64), 64)}{"error":{"grpc_code":2,"http_code":500,"message":"etcdserver: corrupt cluster"}}\n`;
    const error = await failureOf(drain(await answering(200, body)));
    expect(error).toBeInstanceOf(EtcdError);
    expect(error).toMatchObject({ message: expect.stringContaining('corrupt cluster') });
  });
});
