import { errorOf } from '../../../src/kubernetes/apimachinery/index.js';
import { NoReview, textOf } from '../../../src/runtime/admission/errors.js';
import { fieldValue } from '../../../src/runtime/admission/field-value.js';
import { gapCost } from '../../../src/runtime/admission/gap-cost.js';
import { V8Heap } from '../../../src/runtime/admission/heap-meter.js';
import { describeObject } from '../../../src/runtime/admission/json-record.js';
import { KnownFailures } from '../../../src/runtime/admission/known-failures.js';
import { LogAllowance } from '../../../src/runtime/admission/log-allowance.js';
import { timeoutOf } from '../../../src/runtime/admission/timeout-of.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';

test.each([
  ['', 9_500],
  ['timeout=1s', 900],
  ['timeout=5s', 4_500],
  ['timeout=5.5s', 5_000],
  ['timeout=250ms', 225],
  ['timeout=30s', 29_500],
  ['timeout=31s', 29_500],
  ['timeout=2h', 29_500],
  ['a=b&timeout=2s', 1_800],
  ['timeout=0s', 9_500],
  ['timeout=-3s', 9_500],
  ['timeout=soon', 9_500],
  ['timeout=5', 9_500],
])('a request with the query %j is answered within %i ms', (query, ms) => {
  expect(timeoutOf(query)).toBe(ms);
});

describe('the value of a refused field', () => {
  const object = {
    metadata: { labels: { 'app.kubernetes.io/name': 'web', 'a"b': 'quoted', '': 'empty' } },
    spec: { ports: [{ name: 'http' }, { name: 'metrics' }], none: null, off: false },
  };

  test.each([
    ['spec.ports[1].name', 'metrics'],
    ['spec.ports[0]', { name: 'http' }],
    ['metadata.labels[app.kubernetes.io/name]', 'web'],
    ['metadata.labels["app.kubernetes.io/name"]', 'web'],
    ['metadata.labels[]', 'empty'],
    ['spec.off', false],
    ['spec.none', null],
    ['spec.none.below', null],
    ['spec.ports[2].name', null],
    ['spec.ports.length.a', null],
    ['spec.off.valueOf', null],
    ['spec.toString', null],
    ['', object],
  ])('at %j is found', (path, value) => {
    expect(fieldValue(object, path)).toEqual(value);
  });

  test('of an object that is absent is null', () => {
    expect([fieldValue(undefined, 'a'), fieldValue(undefined, '')]).toEqual([null, null]);
  });
});

test.each([
  [{ kind: 'Pod', metadata: { namespace: 'team', name: 'a', generateName: 'b-' } }, 'fallback', 'Pod team/a'],
  [{ kind: 'Pod', metadata: { namespace: 'team', generateName: 'b-' } }, '', 'Pod team/b-*'],
  [{ kind: 'Pod', metadata: { generateName: 'b-' } }, 'given', 'Pod given'],
  [{ kind: 'Node', metadata: { name: 'a' } }, '', 'Node a'],
  [{ metadata: { name: 'a' } }, '', 'an object a'],
  [{ kind: 'Pod' }, '', 'Pod'],
  [{ kind: 5, metadata: [] }, '', 'an object'],
  [undefined, 'given', 'an object given'],
])('the log names %j (%j) as %j', (object, fallback, text) => {
  expect(describeObject(object as never, fallback)).toBe(text);
});

test('an error is shown up to 2000 characters', () => {
  expect(textOf(new RangeError('no'))).toBe('RangeError: no');
  expect(textOf(new Error('x'.repeat(1_993)))).toBe(`Error: ${'x'.repeat(1_993)}`);
  expect(textOf(new Error('x'.repeat(1_994)))).toBe(`Error: ${'x'.repeat(1_993)}…`);
  const noReview = new NoReview(400, 'no');
  expect([NoReview.is(noReview), NoReview.is(errorOf('no')), noReview.headers]).toEqual([true, false, {}]);
});

test('the log has twenty complaints a minute, and says at the next one how many more there were', () => {
  const [clock, log] = [new FakeClock(), new MemoryLog()];
  const allowance = new LogAllowance({ clock, log });
  for (let count = 0; count < 23; count += 1) allowance.warn('no review', { count });
  clock.advance(59_999);
  allowance.warn('no review', { count: 23 });
  const levels = (): readonly string[] => log.lines.splice(0).map(({ level, fields }) => `${level} ${JSON.stringify(fields)}`);
  expect(levels()).toEqual(Array.from({ length: 24 }, (_, count) => `${count < 20 ? 'warn' : 'debug'} {"count":${count}}`));
  clock.advance(1);
  allowance.warn('no review', { count: 24 });
  expect(log.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
    ['warn', 'more of the same was logged at debug level only', { lines: 4 }],
    ['warn', 'no review', { count: 24 }],
  ]);
  levels();
  // Exactly as many as there may be leave nothing to say.
  for (let count = 1; count < 20; count += 1) allowance.warn('no review', { count });
  clock.advance(60_000);
  allowance.warn('no review', { count: 0 });
  expect(levels()).toEqual([...Array.from({ length: 19 }, (_, index) => `warn {"count":${index + 1}}`), 'warn {"count":0}']);
});

test('of objects that cannot be converted a thousand are known, those that failed last', () => {
  const known = new KnownFailures();
  expect([known.failed('a', 'x'), known.failed('a', 'x'), known.failed('a', 'y'), known.failed('a', 'y')]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect([known.succeeded('a'), known.succeeded('a'), known.failed('a', 'y')]).toEqual([true, false, false]);
  for (let index = 0; index < 999; index += 1) known.failed(`other-${index}`, 'x');
  // It fails again, so that another one is the oldest now.
  expect(known.failed('a', 'y')).toBe(true);
  known.failed('one more', 'x');
  expect([known.succeeded('other-0'), known.succeeded('other-1'), known.succeeded('a')]).toEqual([false, true, true]);
});

describe('the memory of defaults', () => {
  const size = { type: 'integer', default: 12 } as const;
  const item = { type: 'object', properties: { size } } as const;
  const schema = { type: 'object', properties: { size, items: { type: 'array', items: item } } } as const;
  const filled = 64 + 8 * '12'.length;

  test('is taken where a default is missing, or where null stands in its place', () => {
    expect(gapCost(schema, {}, false)).toBe(filled);
    expect(gapCost(schema, { size: null }, false)).toBe(filled);
    expect(gapCost(schema, { size: 1, other: null }, false)).toBe(0);
    expect(gapCost(schema, { size: 1, items: [{}, { size: 2 }, {}, 'no object', []] }, false)).toBe(2 * filled);
    expect(gapCost(schema, { size: 1, items: {} }, false)).toBe(0);
    expect(gapCost({ type: 'array' }, { list: [{}] }, false)).toBe(0);
  });

  test('of a patch grows with the path to it', () => {
    expect(gapCost(schema, {}, true)).toBe(filled + 512 + 6 * '/size'.length);
    expect(gapCost(schema, { size: 1, items: [{}] }, true)).toBe(filled + 512 + 6 * ('/items'.length + 11 + '/size'.length));
  });

  test('of an item or a field that is null is that of its own default', () => {
    const list = { type: 'object', properties: { items: { type: 'array', items: { type: 'object', default: { a: 1 } } } } } as const;
    const own = 64 + 8 * '{"a":1}'.length;
    expect(gapCost(list, { items: [null, {}] }, false)).toBe(own);
    expect(gapCost(list, { items: [null] }, true)).toBe(own + 512 + 6 * ('/items'.length + 11));
    expect(gapCost({ type: 'object', properties: { a: { type: 'string' } } }, { a: null }, false)).toBe(64);
  });

  test('of a map is that of each of its values', () => {
    const map = { type: 'object', additionalProperties: item } as const;
    expect(gapCost(map, { a: {}, b: { size: 1 }, constructor: {} }, false)).toBe(2 * filled);
    expect(gapCost({ type: 'object', additionalProperties: true }, { a: {} }, false)).toBe(0);
    expect(gapCost({ type: 'object', properties: { a: item }, additionalProperties: { type: 'object' } }, { a: {} }, false)).toBe(filled);
  });
});

test('the heap is that of the process with its buffers, and is not collected twice in a moment', () => {
  const heap = new V8Heap();
  const before = heap.statistics();
  const buffer = new ArrayBuffer(64 * 1024 * 1024);
  const { limit, used } = heap.statistics();
  expect(limit).toBeGreaterThan(used - buffer.byteLength);
  expect(used - before.used).toBeGreaterThan(buffer.byteLength / 2);
  expect([heap.collect(), heap.collect()]).toEqual([true, false]);
});

test('a collection frees what is not needed any more', async () => {
  let rest: object | undefined = { list: Array.from({ length: 1_000 }, (_, index) => ({ index })) };
  const weak = new WeakRef(rest);
  rest = undefined;
  await new Promise<void>((resolve) => setImmediate(resolve));
  new V8Heap().collect();
  expect(weak.deref()).toBeUndefined();
});
