import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { Arrivals } from '../../../src/runtime/admission/arrivals.js';
import { jsonCost } from '../../../src/runtime/admission/json-cost.js';
import { LogAllowance } from '../../../src/runtime/admission/log-allowance.js';
import { MemoryBudget } from '../../../src/runtime/admission/memory-budget.js';
import { asJson, copyJson } from '../../../src/runtime/admission/plain-json.js';
import { exchange } from '../../../src/runtime/admission/review-exchange.js';
import { ReviewMemory } from '../../../src/runtime/admission/review-memory.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';
import { FORMS, listOf } from './bodies.js';

const MEBIBYTE = 1024 * 1024;
const never = new AbortController().signal;
const KIBIBYTE = 1024;

/** Whether a promise has resolved by now. */
async function isDone(promise: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.race([
    Promise.resolve(promise).then(() => true),
    new Promise<false>((resolve) => void setImmediate(() => resolve(false))),
  ]);
}

describe('the cost of a body', () => {
  test('an ordinary object and its predecessor are read up to a mebibyte each, small things that grow are not', () => {
    const { largest } = new ReviewMemory({ heap: { statistics: () => ({ limit: 179 * MEBIBYTE, used: 0 }), collect: () => false } });
    const costOf = (form: string, bytes: number): number =>
      jsonCost(Buffer.from(listOf(FORMS[form] as () => string, bytes)), Infinity).bytes;
    expect(costOf('containers', 1.9 * MEBIBYTE)).toBeLessThan(largest);
    expect(costOf('long texts', 4 * MEBIBYTE)).toBeLessThan(largest);
    for (const form of ['empty objects', 'empty lists', 'nested lists']) expect(costOf(form, MEBIBYTE)).toBeGreaterThan(largest);
    expect(costOf('objects of a number as a name', 200_000)).toBeGreaterThan(largest);
    expect(costOf('objects of an escaped number as a name', 200_000)).toBeGreaterThan(largest);
  });

  test('counting ends at the bound, and at a depth that no recursion may follow', () => {
    const deep = Buffer.from(`${'['.repeat(1_001)}${']'.repeat(1_001)}`);
    expect(jsonCost(deep, Infinity).isTooDeep).toBe(true);
    expect(jsonCost(Buffer.from(`${'['.repeat(1_000)}${']'.repeat(1_000)}`), Infinity).isTooDeep).toBe(false);
    expect(jsonCost(Buffer.from(listOf(() => '{}', MEBIBYTE)), 20 * MEBIBYTE).bytes).toBeLessThan(20.1 * MEBIBYTE);
  });

  test('quotes, escapes and what is not JSON do not confuse it', () => {
    const plain = jsonCost(Buffer.from('{"a":"xxxxxxxxxx"}'), Infinity).bytes;
    expect(jsonCost(Buffer.from('{"a":"{},{},[],["}'), Infinity).bytes).toBe(plain);
    for (const text of ['', '"', '"\\', ']]]}}}', '{{{{', '[,,,', '"\\"{}{}'])
      expect(jsonCost(Buffer.from(text), Infinity).isTooDeep).toBe(false);
  });
});

describe('memory of reviews', () => {
  test('small claims do not wait for large ones, large ones are first come, first served', async () => {
    const budget = new MemoryBudget(6_400);
    const [first, second, third, small] = [4_000, 3_000, 1_000, 100].map((bytes) => budget.take(bytes, never));
    expect(await Promise.all([first, second, third, small].map(isDone))).toEqual([true, false, false, true]);
    (await first)?.release();
    expect(await Promise.all([second, third].map(isDone))).toEqual([true, true]);
    await expect(budget.take(6_000, never)).rejects.toThrow(RangeError);
  });

  test('a claim that is given up leaves its place', async () => {
    const budget = new MemoryBudget(6_400);
    const first = await budget.take(5_000, never);
    const away = new AbortController();
    const second = budget.take(5_000, away.signal);
    const third = budget.take(600, never);
    expect(await isDone(third)).toBe(false);
    away.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    expect(await isDone(third)).toBe(true);
    expect(first.grow(600)).toBe(false);
    expect(first.grow(0)).toBe(true);
  });

  test('a claim that grows is given back whole', async () => {
    const budget = new MemoryBudget(6_400);
    const first = await budget.take(50, never);
    expect([first.grow(4_000), first.grow(2_000)]).toEqual([true, false]);
    first.release();
    first.release();
    expect(await isDone(budget.take(5_600, never))).toBe(true);
  });

  test('a heap that is nearly full sheds reviews, after it has been collected', async () => {
    const heap = { limit: 100 * MEBIBYTE, used: 80 * MEBIBYTE, garbage: 0 };
    const collect = (): boolean => {
      heap.used -= heap.garbage;
      return true;
    };
    const memory = new ReviewMemory({ heap: { statistics: () => heap, collect } });
    await expect(memory.take(20 * MEBIBYTE, never)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await expect(memory.take(60 * MEBIBYTE, never)).rejects.toMatchObject({ status: 413 });
    (await memory.take(MEBIBYTE, never)).release();
    heap.garbage = 40 * MEBIBYTE;
    const claim = await memory.take(20 * MEBIBYTE, never);
    expect(() => claim.grow(20 * MEBIBYTE)).toThrow(/takes more than 21\.9 MiB/);
  });
});

test('a client that does not take its answer holds the text of it, not the memory of its review', async () => {
  const body = listOf(FORMS['empty objects'] as () => string, 200 * KIBIBYTE);
  const weight = jsonCost(Buffer.from(body), Infinity).bytes;
  // Room for a review and a text, and not for two reviews.
  const memory = new ReviewMemory({ bytes: 1.6 * weight });
  const head = { method: 'POST', url: '/convert', headers: { 'content-type': 'application/json' }, socket: {} };
  const request = Object.assign(Readable.from([Buffer.from(body)]), head);
  const response = Object.assign(new EventEmitter(), { writableFinished: false, destroyed: false });
  const [clock, log] = [new FakeClock(), new MemoryLog()];
  const observer = { started: () => undefined, finished: () => undefined, panicked: () => undefined };
  const parts = { clock, log, memory, complaints: new LogAllowance({ clock, log }), observer };
  const route = { path: '/convert', answer: async (objects: never) => ({ objects }) };
  expect((await exchange(route, { request, response } as never, parts)).status).toBe(200);
  const another = memory.take(weight, never);
  expect(await isDone(another)).toBe(true);
  (await another).release();
  const all = memory.take(memory.largest, never);
  expect(await isDone(all)).toBe(false);
  response.emit('close');
  expect(await isDone(all)).toBe(true);
});

describe('bodies on their way in', () => {
  test('what has arrived counts: small bodies go on beside large ones, the smallest first', async () => {
    const arrivals = new Arrivals(400 * KIBIBYTE);
    const [oldest, other] = [arrivals.open(), arrivals.open()];
    expect(oldest.grow(290 * KIBIBYTE)).toBeUndefined();
    const waiting = other.grow(70 * KIBIBYTE);
    expect(await isDone(waiting)).toBe(false);
    const small = Array.from({ length: 10 }, () => arrivals.open());
    for (const arrival of small) expect(arrival.grow(10 * KIBIBYTE)).toBeUndefined();
    const [larger, smaller] = [arrivals.open(), arrivals.open()];
    const [large, tiny] = [larger.grow(12 * KIBIBYTE), smaller.grow(5 * KIBIBYTE)];
    small[3]?.close();
    expect(await Promise.all([large, tiny].map(isDone))).toEqual([false, true]);
    oldest.close();
    expect(await isDone(waiting)).toBe(true);
  });

  test('bodies that hold all the room together do not stop each other: the oldest goes on', async () => {
    const arrivals = new Arrivals(400 * KIBIBYTE);
    const bodies = [arrivals.open(), arrivals.open(), arrivals.open()];
    for (const body of bodies) expect(body.grow(100 * KIBIBYTE)).toBeUndefined();
    const waits = bodies.map((body) => body.grow(100 * KIBIBYTE));
    expect(waits[0]).toBeUndefined();
    expect(await Promise.all(waits.slice(1).map(isDone))).toEqual([false, false]);
    bodies[0]?.close();
    expect(await isDone(waits[1])).toBe(true);
  });
});

describe('values of handlers', () => {
  test('a copy is another value of the same content, with every name that JSON may have', () => {
    const text = '{"1023":{"a":[]},"__proto__":{"b":1},"constructor":[{"c":null}],"":[[1.5,"x",true]]}';
    const value = JSON.parse(text) as object;
    const copy = copyJson(value as never) as Record<string, unknown>;
    expect(JSON.stringify(copy)).toBe(text);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    for (const name of Object.keys(value)) expect(copy[name]).not.toBe((value as Record<string, unknown>)[name]);
  });

  test.each<[string, unknown, unknown]>([
    ['a hole in a list', new Array(1), [null]],
    ['a list with what is undefined', [1, undefined], [1, null]],
    ['a date in a list', [new Date(0)], ['1970-01-01T00:00:00.000Z']],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a number without an end', Number.POSITIVE_INFINITY, null],
    ['an instance', new URL('https://a.example.com/'), 'https://a.example.com/'],
    ['what says its own JSON', { toJSON: () => 'said' }, 'said'],
    ['a function', { act: () => 1, kept: true }, { kept: true }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
    ['false, zero, null and nothing', [false, 0, null, ''], [false, 0, null, '']],
  ])('%s becomes what it is in JSON, in an object and in a list', (_, value, json) => {
    expect(asJson({ spec: { value } })).toEqual({ spec: { value: json } });
    expect(asJson({ spec: [{ list: [value] }] })).toEqual({ spec: [{ list: [json] }] });
  });

  test('what is JSON stays as it is; dates, holes and what is undefined become what they are in JSON', () => {
    const plain = { a: [1, { b: null }] };
    expect(asJson(plain)).toBe(plain);
    const other = {
      a: undefined,
      at: new Date(0),
      list: [...Array(1), undefined].concat(new Array(1)),
      number: Number.NaN,
      map: new Map(),
    };
    expect(asJson(other)).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [null, null, null], number: null, map: {} });
    const circular: { self?: unknown } = {};
    circular.self = circular;
    expect(() => asJson(circular)).toThrow(/circular/);
  });
});
