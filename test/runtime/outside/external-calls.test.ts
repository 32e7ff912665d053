import { ExternalCalls, type ExternalInterceptor } from '../../../src/runtime/outside/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { flush } from './flush.js';

function scene<T extends object>(value: T, intercept?: ExternalInterceptor) {
  const clock = new FakeClock();
  const called: unknown[][] = [];
  const spans: string[] = [];
  const calls = new ExternalCalls({
    name: 'etcd',
    value,
    monotonicMs: () => clock.monotonicMs(),
    observer: { called: (...given) => void called.push(given) },
    beginSpan: (name) => ({
      within: (act) => act(),
      end: (error) => void spans.push(error === undefined ? name : `${name}: ${String(error)}`),
    }),
    intercept,
  });
  const run = new AbortController();
  return { clock, called, spans, calls, run, etcd: calls.under(run.signal) as T };
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

test('a query builder stays what it is', async () => {
  const builder = { where: () => builder };
  Object.defineProperty(builder, 'then', { value: (resolve: (rows: string[]) => void) => resolve(['row']) });
  const { etcd } = scene({ table: () => builder });
  const rows: unknown = await (etcd.table().where() as unknown as PromiseLike<string[]>);
  expect(rows).toEqual(['row']);
});

test('methods that are made up on the fly have a bounded number of series', async () => {
  const { etcd, called } = scene(new Proxy({}, { get: () => () => 1 }) as Record<string, () => number>);
  for (let index = 0; index < 300; index += 1) etcd[`m${index}`]?.();
  await flush();
  expect(new Set(called.map(([, method]) => method)).size).toBe(201);
});

test('an external is an object', () => {
  expect(() => new ExternalCalls({ name: 'etcd', value: 'https://etcd' as never, monotonicMs: () => 0 })).toThrow(
    "external 'etcd' must be an object with methods, got string",
  );
});
