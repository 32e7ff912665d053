import { AsyncLocalStorage } from 'node:async_hooks';
import * as api from '@opentelemetry/api';
import { connectionOf, Transport } from '../../../src/runtime/http/index.js';
import { createTracing, type Tracing } from '../../../src/runtime/telemetry/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { json, ScriptedServer } from '../http/scripted-server.js';
import { keptLog } from './fetching.js';

interface Recorded {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: object;
  status?: string;
  readonly exceptions: string[];
  hasEnded: boolean;
}

/** As much of an SDK as shows what was recorded. */
class Recorder {
  readonly spans: Recorded[] = [];

  register(): void {
    const storage = new AsyncLocalStorage<api.Context>();
    const active = (): api.Context => storage.getStore() ?? api.ROOT_CONTEXT;
    api.context.setGlobalContextManager({
      active,
      with: (context, act, thisArg, ...args) => storage.run(context, () => act.apply(thisArg as never, args)),
      bind: (_context, target) => target,
      enable() {
        return this;
      },
      disable() {
        return this;
      },
    });
    const startSpan = (name: string, options: api.SpanOptions = {}, context = active()): api.Span => this.#span(name, options, context);
    const startActiveSpan = (name: string, options: api.SpanOptions, act: (span: api.Span) => unknown): unknown => {
      const span = startSpan(name, options);
      return api.context.with(api.trace.setSpan(active(), span), () => act(span));
    };
    api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as unknown as api.Tracer });
  }

  #span(name: string, { attributes = {} }: api.SpanOptions, context: api.Context): api.Span {
    const parent = api.trace.getSpan(context) as unknown as { recorded?: Recorded } | undefined;
    const recorded: Recorded = { name, parent: parent?.recorded?.name, attributes, exceptions: [], hasEnded: false };
    this.spans.push(recorded);
    const span = {
      recorded,
      setStatus: ({ message = '' }: api.SpanStatus) => {
        recorded.status = message;
        return span;
      },
      recordException: (exception: { message: string }) => void recorded.exceptions.push(exception.message),
      end: () => {
        recorded.hasEnded = true;
      },
    };
    return span as unknown as api.Span;
  }
}

const kept = keptLog();
const options = { clock: new FakeClock(), log: kept.log };

afterEach(() => {
  api.trace.disable();
  api.context.disable();
  kept.lines.length = 0;
});

test('a reconcile is a span, and the requests that it sends are its children; others are not spans', async () => {
  const recorder = new Recorder();
  recorder.register();
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
  expect(recorder.spans).toEqual([
    { name: 'reconcile website', parent: undefined, attributes: { 'k8s.object': 'b/a' }, exceptions: [], hasEnded: true },
    {
      name: 'GET',
      parent: 'reconcile website',
      attributes: { 'http.request.method': 'GET', 'server.address': host, 'http.response.status_code': 200 },
      exceptions: [],
      hasEnded: true,
    },
    {
      name: 'PATCH',
      parent: 'reconcile website',
      attributes: { 'http.request.method': 'PATCH', 'server.address': host, 'http.response.status_code': 404 },
      exceptions: [],
      status: '404',
      hasEnded: true,
    },
  ]);
});

test('what is thrown is written down without credentials, and thrown on', async () => {
  const recorder = new Recorder();
  recorder.register();
  const tracing = await createTracing(options);
  const error = new Error('refused: Bearer abcdefghijkl');
  await expect(tracing.inSpan('reconcile website', {}, () => Promise.reject(error))).rejects.toBe(error);
  expect(recorder.spans).toMatchObject([{ status: 'refused: Bearer [hidden]', exceptions: ['refused: Bearer [hidden]'], hasEnded: true }]);
});

test('without an SDK everything runs', async () => {
  const tracing = await createTracing(options);
  expect(await tracing.inSpan('reconcile website', {}, () => Promise.resolve(3))).toBe(3);
  tracing.onAttempt({ method: 'GET', host: 'h', outcome: 200, durationMs: 1 });
});

describe('without the package', () => {
  const runs = async (tracing: Tracing): Promise<void> => {
    expect(await tracing.inSpan('reconcile website', {}, () => Promise.resolve(3))).toBe(3);
    await expect(tracing.inSpan('reconcile website', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
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
