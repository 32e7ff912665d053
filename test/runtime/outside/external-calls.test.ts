import { ExternalCalls, type ExternalInterceptor } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';

function scene<T extends object>(value: T, intercept?: ExternalInterceptor) {
  const clock = new FakeClock();
  const called: unknown[][] = [];
  const spans: string[] = [];
  const attributes: Readonly<Record<string, string>>[] = [];
  const calls = new ExternalCalls({
    name: 'etcd',
    value,
    monotonicMs: () => clock.monotonicMs(),
    observer: { called: (...given) => void called.push(given) },
    beginSpan: (name, given) => {
      attributes.push(given);
      return {
        within: (act) => act(),
        end: (error) => void spans.push(error === undefined ? name : `${name}: ${String(error)}`),
      };
    },
    intercept,
  });
  const run = new AbortController();
  return { clock, called, spans, attributes, calls, run, etcd: calls.under(run.signal) as T };
}

class Etcd {
  readonly #url = 'https://etcd';
  count = 0;
  async members(): Promise<string> {
    this.count += 1;
    return this.url();
  }
  url(): string {
    return this.#url;
  }
  async *snapshot(): AsyncGenerator<number> {
    yield 1;
    yield 2;
  }
  readonly users = { list: async (): Promise<string[]> => ['root'] };
}

test('a call is counted until its promise is settled, with its result', async () => {
  const { clock, called, spans, etcd } = scene({
    slow: () => new Promise<number>((resolve) => clock.schedule(2_000, () => resolve(7))),
    fails: () => Promise.reject(new Error('down')),
    throws: (): never => {
      throw new Error('at once');
    },
    sync: () => 1,
  });
  const slow = etcd.slow();
  expect(called).toEqual([]);
  clock.advance(2_000);
  expect(await slow).toBe(7);
  await expect(etcd.fails()).rejects.toThrow('down');
  expect(() => etcd.throws()).toThrow('at once');
  expect(etcd.sync()).toBe(1);
  expect(called).toEqual([
    ['etcd', 'slow', 'ok', 2],
    ['etcd', 'fails', 'error', 0],
    ['etcd', 'throws', 'error', 0],
    ['etcd', 'sync', 'ok', 0],
  ]);
  expect(spans).toEqual(['etcd.slow', 'etcd.fails: Error: down', 'etcd.throws: Error: at once', 'etcd.sync']);
});

test('classes with private fields, groups of methods, frozen fakes and functions work, and calls within are not counted', async () => {
  const { etcd, called } = scene(new Etcd());
  expect(await etcd.members()).toBe('https://etcd');
  expect(etcd.count).toBe(1);
  expect(await etcd.users.list()).toEqual(['root']);
  expect(etcd.users.list).toBe(etcd.users.list);
  expect(etcd).toBeInstanceOf(Etcd);
  expect('members' in etcd).toBe(true);
  expect(called.map(([, method]) => method)).toEqual(['members', 'users.list']);
  const frozen = scene(Object.freeze({ members: async () => [] }));
  expect(await frozen.etcd.members()).toEqual([]);
  const plain = scene(async (name: string) => `hello ${name}`);
  expect(await plain.etcd('a')).toBe('hello a');
  expect(plain.called.map(([, method]) => method)).toEqual(['call']);
});

test('a stream is one call that lasts until it has been read, given up or broken', async () => {
  const { etcd, called } = scene(new Etcd());
  const seen: number[] = [];
  for await (const chunk of etcd.snapshot()) {
    seen.push(chunk);
    expect(called).toEqual([]);
  }
  expect(seen).toEqual([1, 2]);
  for await (const _ of etcd.snapshot()) break;
  expect(called.map(([, method, result]) => [method, result])).toEqual([
    ['snapshot', 'ok'],
    ['snapshot', 'ok'],
  ]);
});

test('a call that its own signal ended is aborted, not failed', async () => {
  const { etcd, called, run } = scene({
    wait: (signal: AbortSignal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const waiting = etcd.wait(run.signal);
  run.abort();
  await expect(waiting).rejects.toThrow('aborted');
  expect(called).toEqual([['etcd', 'wait', 'aborted', 0]]);
});

test('a run that was given up does not act outside any more', async () => {
  const add = jest.fn();
  const { etcd, run, called } = scene({ add });
  run.abort(new Error('the run has ended'));
  expect(() => etcd.add('member') as unknown).toThrow('the run has ended');
  expect(add).not.toHaveBeenCalled();
  expect(called).toEqual([]);
});

test('an interceptor stands between: it may make the call and lose the answer', async () => {
  const add = jest.fn(async () => 'id-1');
  const { etcd, called } = scene({ add }, async ({ external, method, arguments: given }, call) => {
    await call();
    throw new Error(`${external}.${method}(${given.join()}) timed out after its effect`);
  });
  await expect((etcd.add as (name: string) => Promise<string>)('m1')).rejects.toThrow('etcd.add(m1) timed out after its effect');
  expect(add).toHaveBeenCalledTimes(1);
  expect(called).toEqual([['etcd', 'add', 'error', 0]]);
});

test('a span names the external and its method', async () => {
  const { etcd, spans, attributes } = scene(new Etcd());
  await etcd.users.list();
  expect(spans).toEqual(['etcd.users.list']);
  expect(attributes).toEqual([{ 'keelson.external': 'etcd', 'keelson.external.method': 'users.list' }]);
});

test('a call runs within its span, and works without one', () => {
  const order: string[] = [];
  const external = { value: { sync: () => void order.push('call') }, name: 'etcd', monotonicMs: () => 0 };
  const within = <T>(act: () => T): T => {
    order.push('begin');
    const result = act();
    order.push('end');
    return result;
  };
  const traced = new ExternalCalls({ ...external, beginSpan: () => ({ within, end: () => undefined }) });
  (traced.under(new AbortController().signal) as typeof external.value).sync();
  expect(order.splice(0)).toEqual(['begin', 'call', 'end']);
  (new ExternalCalls(external).under(new AbortController().signal) as typeof external.value).sync();
  expect(order).toEqual(['call']);
});

test('a stream that breaks has failed, and one that a promise brings is the same call', async () => {
  const broken = async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error('cut');
  };
  const { etcd, called, clock } = scene({ broken, later: async () => broken() });
  const readAll = async (stream: AsyncIterable<number>): Promise<void> => {
    for await (const _ of stream) clock.advance(500);
  };
  await expect(readAll(etcd.broken())).rejects.toThrow('cut');
  const later = await etcd.later();
  expect(called.splice(0)).toEqual([['etcd', 'broken', 'error', 0.5]]);
  await expect(readAll(later)).rejects.toThrow('cut');
  expect(called).toEqual([['etcd', 'later', 'error', 0.5]]);
});

test('a stream keeps the methods that it has beside its parts', async () => {
  class Stream {
    readonly #parts = [1, 2];
    readonly name = 'backup';
    size(): number {
      return this.#parts.length;
    }
    async *[Symbol.asyncIterator](): AsyncGenerator<number> {
      yield* this.#parts;
    }
  }
  const { etcd } = scene({ snapshot: () => new Stream() });
  const stream = etcd.snapshot();
  expect([stream.size(), stream.name]).toEqual([2, 'backup']);
  const seen: number[] = [];
  for await (const part of stream) seen.push(part);
  expect(seen).toEqual([1, 2]);
});

test.each([
  ['itself', (signal: AbortSignal): unknown => signal],
  ['among options', (signal: AbortSignal): unknown => ({ signal })],
])('a call whose signal was aborted is not a failure of the external: the signal %s', async (_, given) => {
  const { etcd, called } = scene({ wait: (..._given: unknown[]) => Promise.reject(new Error('broken off')) });
  const [live, over] = [new AbortController().signal, AbortSignal.abort()];
  await expect(etcd.wait('a', given(over))).rejects.toThrow('broken off');
  await expect(etcd.wait('a', given(live))).rejects.toThrow('broken off');
  await expect(etcd.wait(null, { signal: 'aborted' })).rejects.toThrow('broken off');
  expect(called.map(([, , result]) => result)).toEqual(['aborted', 'error', 'error']);
});

test('what is no method is handed out as it is: values, lists, instances of classes, objects without methods', () => {
  const value = { url: 'https://etcd', list: [() => 1], sub: new Etcd(), limits: { most: 3 }, none: null, [Symbol.for('mark')]: () => 2 };
  const { etcd } = scene(value);
  expect([etcd.url, etcd.none]).toEqual(['https://etcd', null]);
  expect(etcd.list).toBe(value.list);
  expect(etcd.sub).toBe(value.sub);
  expect(etcd.limits).toBe(value.limits);
  expect(etcd[Symbol.for('mark') as unknown as 'url']).toBe(value[Symbol.for('mark') as unknown as 'url']);
});

test('a group of methods may have no prototype, and be deep', async () => {
  const cluster: { readonly members: { list(): number } } = Object.assign(Object.create(null) as object, {
    members: { list: () => 3 },
    close: () => undefined,
  });
  const { etcd, called } = scene({ cluster });
  expect(etcd.cluster.members.list()).toBe(3);
  expect(called).toEqual([['etcd', 'cluster.members.list', 'ok', 0]]);
});

test('a method that is replaced is called anew, and what a run sets is the external’s own', () => {
  const value = { zone: 'a', read: () => 1 };
  const { etcd } = scene(value);
  expect(etcd.read()).toBe(1);
  value.read = () => 2;
  expect(etcd.read()).toBe(2);
  etcd.zone = 'b';
  expect(value.zone).toBe('b');
  expect(['zone' in etcd, 'other' in etcd]).toEqual([true, false]);
});

test('a function with methods has both, and is a function still', async () => {
  const query = Object.assign((text: string) => `rows of ${text}`, { end: () => 'closed' });
  const { etcd, called } = scene(query);
  expect([etcd('a'), etcd.end(), etcd.call(undefined, 'b'), etcd.length]).toEqual(['rows of a', 'closed', 'rows of b', 1]);
  expect(called.map(([, method]) => method)).toEqual(['call', 'end', 'call']);
});

test('a promise of a class of its own stays what it is, and is counted when it is settled', async () => {
  class Query extends Promise<number> {
    readonly text = 'select';
  }
  const { etcd, called, clock } = scene({
    good: () => new Query((resolve) => clock.schedule(1_000, () => resolve(1))),
    bad: () => new Query((_, reject) => clock.schedule(2_000, () => reject(new Error('down')))),
  });
  const [good, bad] = [etcd.good(), etcd.bad()];
  expect([good.text, called]).toEqual(['select', []]);
  const refused = expect(bad).rejects.toThrow('down');
  clock.advance(2_000);
  expect(await good).toBe(1);
  await refused;
  expect(called).toEqual([
    ['etcd', 'good', 'ok', 2],
    ['etcd', 'bad', 'error', 2],
  ]);
});

test('a query builder stays what it is, and counts as answered at once', async () => {
  const builder = { where: () => builder };
  Object.defineProperty(builder, 'then', { value: (resolve: (rows: string[]) => void) => resolve(['row']) });
  const { etcd, called } = scene({ table: () => builder });
  const rows: unknown = await (etcd.table().where() as unknown as PromiseLike<string[]>);
  expect(rows).toEqual(['row']);
  expect(called).toEqual([['etcd', 'table', 'ok', 0]]);
});

test('methods that are made up on the fly have a bounded number of series', async () => {
  const { etcd, called } = scene(new Proxy({}, { get: () => () => 1 }) as Record<string, () => number>);
  for (let index = 0; index < 300; index += 1) etcd[`m${index}`]?.();
  await flush();
  expect(new Set(called.map(([, method]) => method)).size).toBe(201);
  expect([called[199]?.[1], called[200]?.[1]]).toEqual(['m199', 'other']);
  etcd['m3']?.();
  expect(called.at(-1)?.[1]).toBe('m3');
});

test('an external is an object', () => {
  expect(() => new ExternalCalls({ name: 'etcd', value: 'https://etcd' as never, monotonicMs: () => 0 })).toThrow(
    "external 'etcd' must be an object with methods, got string",
  );
  expect(() => new ExternalCalls({ name: 'etcd', value: null as never, monotonicMs: () => 0 })).toThrow(
    "external 'etcd' must be an object with methods, got null",
  );
});

test('a function that is a group of methods too, as clients of HTTP are, keeps its methods within an external', async () => {
  const client = Object.assign((path: string) => `${path}: called`, { get: (path: string) => `${path}: got`, timeout: 7 });
  const { etcd, called } = scene({ http: { client } });
  expect([etcd.http.client('/a'), etcd.http.client.get('/b'), etcd.http.client.timeout]).toEqual(['/a: called', '/b: got', 7]);
  expect(called.map(([, method]) => method)).toEqual(['http.client', 'http.client.get']);
});
