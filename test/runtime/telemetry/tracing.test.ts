import { propagation, trace } from '@opentelemetry/api';
import { connectionOf, Transport } from '../../../src/runtime/http/index.js';
import { createTracing, type Tracing } from '../../../src/runtime/telemetry/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { json, ScriptedServer } from '../http/scripted-server.js';
import { keptLog } from './fetching.js';
import { SpanRecorder } from './span-recorder.js';

const kept = keptLog();
const options = { clock: new FakeClock(), log: kept.log };

let recorder: SpanRecorder | undefined;
afterEach(() => {
  recorder?.disable();
  propagation.disable();
  kept.lines.length = 0;
});

test('a reconcile is a span, and the requests that it sends are its children; others are not spans', async () => {
  recorder = SpanRecorder.register();
  const tracing = await createTracing(options);
  const server = await ScriptedServer.start();
  server.script(json({}), json({}, { status: 404 }), json({}));
  const transport = new Transport({ connection: connectionOf({ server: server.url }), onAttempt: tracing.onAttempt });
  await tracing.inSpan('reconcile website', { 'k8s.object': 'b/a' }, async () => {
    await transport.request({ method: 'GET', path: '/a' });
    await transport.request({ method: 'PATCH', path: '/b' });
  });
  await transport.request({ method: 'GET', path: '/c' });
  transport.close();
  await server.stop();
  const host = new URL(server.url).host;
  expect(recorder?.spans).toEqual([
    { name: 'reconcile website', parent: undefined, kind: 'internal', attributes: { 'k8s.object': 'b/a' }, exceptions: [], hasEnded: true },
    {
      name: 'GET',
      parent: 'reconcile website',
      kind: 'client',
      attributes: { 'http.request.method': 'GET', 'server.address': host, 'http.response.status_code': 200 },
      exceptions: [],
      hasEnded: true,
    },
    {
      name: 'PATCH',
      parent: 'reconcile website',
      kind: 'client',
      attributes: { 'http.request.method': 'PATCH', 'server.address': host, 'http.response.status_code': 404 },
      exceptions: [],
      status: '404',
      hasEnded: true,
    },
  ]);
});

test('requests of a run carry its trace to the API server, and others do not', async () => {
  recorder = SpanRecorder.register();
  propagation.setGlobalPropagator({
    inject: (context, carrier, setter) => setter.set(carrier, 'traceparent', `of ${String(trace.getSpan(context) !== undefined)}`),
    extract: (context) => context,
    fields: () => ['traceparent'],
  });
  const tracing = await createTracing(options);
  const server = await ScriptedServer.start();
  server.script(json({}), json({}), json({}));
  const transport = new Transport({ connection: connectionOf({ server: server.url }), headers: tracing.headers });
  await tracing.inSpan('reconcile website', {}, async () => {
    await transport.request({ method: 'GET', path: '/a' });
    await transport.request({ method: 'GET', path: '/b', headers: { traceparent: 'mine' } });
  });
  await transport.request({ method: 'GET', path: '/c' });
  transport.close();
  await server.stop();
  expect(server.requests.map(({ headers }) => headers['traceparent'])).toEqual(['of true', 'mine', undefined]);
});

test('what is thrown is written down without credentials, and thrown on', async () => {
  recorder = SpanRecorder.register();
  const tracing = await createTracing(options);
  const error = new Error('refused: Bearer abcdefghijkl');
  await expect(tracing.inSpan('reconcile website', {}, () => Promise.reject(error))).rejects.toBe(error);
  expect(recorder?.spans).toMatchObject([{ status: 'refused: Bearer [hidden]', exceptions: ['refused: Bearer [hidden]'], hasEnded: true }]);
});

test('a call of another system is a span of a client, below the span in which it began and above what runs within it, until its caller ends it', async () => {
  recorder = SpanRecorder.register();
  const tracing = await createTracing(options);
  await tracing.inSpan('reconcile website', {}, async () => {
    const call = tracing.beginSpan('etcd.members', { 'keelson.external': 'etcd' });
    const answer = await call.within(async () => {
      tracing.beginSpan('POST', {}).end();
      return 3;
    });
    expect([answer, recorder?.spans.map(({ name, hasEnded }) => [name, hasEnded])]).toEqual([
      3,
      [
        ['reconcile website', false],
        ['etcd.members', false],
        ['POST', true],
      ],
    ]);
    call.end();
    tracing.beginSpan('etcd.alarms', {}).end(new TypeError('refused: Bearer abcdefghijkl'));
  });
  const [, members, post, alarms] = recorder.spans;
  expect(members).toMatchObject({
    parent: 'reconcile website',
    kind: 'client',
    attributes: { 'keelson.external': 'etcd' },
    hasEnded: true,
  });
  expect([members?.status, members?.exceptions]).toEqual([undefined, []]);
  expect(post?.parent).toBe('etcd.members');
  const refused = 'refused: Bearer [hidden]';
  expect(alarms).toMatchObject({ parent: 'reconcile website', status: refused, exceptions: [refused], hasEnded: true });
});

test('without an SDK everything runs', async () => {
  const tracing = await createTracing(options);
  expect(await tracing.inSpan('reconcile website', {}, () => Promise.resolve(3))).toBe(3);
  const call = tracing.beginSpan('etcd.members', {});
  expect(call.within(() => 4)).toBe(4);
  call.end(new Error('no'));
  tracing.onAttempt({ method: 'GET', host: 'h', outcome: 200, durationMs: 1 });
});

describe('without the package', () => {
  const runs = async (tracing: Tracing): Promise<void> => {
    expect(await tracing.inSpan('reconcile website', {}, () => Promise.resolve(3))).toBe(3);
    await expect(tracing.inSpan('reconcile website', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const call = tracing.beginSpan('etcd.members', {});
    expect(call.within(() => 4)).toBe(4);
    call.end(new Error('no'));
    tracing.onAttempt({ method: 'GET', host: 'h', outcome: 200, durationMs: 1 });
  };

  test.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])('everything runs, and nothing is said (%s)', async (code) => {
    const absent = Object.assign(new Error("Cannot find package '@opentelemetry/api'"), { code });
    await runs(await createTracing({ ...options, load: () => Promise.reject(absent) }));
    expect(kept.lines).toEqual([]);
  });

  test('that is broken, or is another one, everything runs, and the log says why there are no spans', async () => {
    await runs(await createTracing({ ...options, load: () => Promise.reject(new SyntaxError('unexpected token')) }));
    await runs(await createTracing({ ...options, load: () => Promise.resolve({ default: {} }) }));
    expect(kept.lines).toHaveLength(2);
  });
});
