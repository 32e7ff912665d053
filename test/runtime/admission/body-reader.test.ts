import { Readable } from 'node:stream';
import { Arrivals } from '../../../src/runtime/admission/arrivals.js';
import { BodyReader, MAX_BODY_BYTES } from '../../../src/runtime/admission/body-reader.js';
import { FakeClock } from '../clock/fake-clock.js';

const KIBIBYTE = 1024;
const EVENTS = ['data', 'end', 'error', 'close'] as const;

/** A body that a test sends. */
class Sent extends Readable {
  readonly headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>> = {}) {
    super();
    this.headers = headers;
  }

  override _read(): void {}

  async send(bytes: number): Promise<void> {
    this.push(Buffer.alloc(bytes, ' '));
    await turn();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Reading {
  readonly sent: Sent;
  readonly clock: FakeClock;
  readonly outcome: Promise<unknown>;
  readonly away: AbortController;
  readonly isOver: () => boolean;
}

function reading({
  arrivals = new Arrivals(400 * KIBIBYTE),
  headers = {},
}: {
  arrivals?: Arrivals;
  headers?: Record<string, string>;
} = {}): Reading {
  const [sent, clock, away] = [new Sent(headers), new FakeClock(), new AbortController()];
  // The process has been running for a while.
  clock.advance(60_000);
  const reader = new BodyReader(sent as never, { arrival: arrivals.open(), clock });
  let isOver = false;
  const outcome = reader
    .read(away.signal)
    .then(
      (body) => body.length,
      (error: unknown) => error,
    )
    .finally(() => {
      isOver = true;
    });
  return { sent, clock, outcome, away, isOver: () => isOver };
}

function expectNothingLeft({ sent, clock }: Reading): void {
  expect(EVENTS.map((event) => sent.listenerCount(event))).toEqual([0, 0, 0, 0]);
  expect(clock.pending).toBe(0);
}

test('a body is read to its end, and nothing is left of the reading (H64)', async () => {
  const read = reading();
  await read.sent.send(10);
  await read.sent.send(20);
  read.sent.push(null);
  expect(await read.outcome).toBe(30);
  expectNothingLeft(read);
});

test.each<[string, (read: Reading) => unknown, object]>([
  ['is broken off', ({ sent }) => sent.destroy(), { status: 400, message: 'the request was broken off' }],
  ['fails', ({ sent }) => sent.destroy(new Error('reset')), { message: 'reset' }],
  ['is given up', ({ away }) => away.abort(new Error('too late')), { message: 'too late' }],
  ['is too large', ({ sent }) => sent.send(MAX_BODY_BYTES), { status: 413, message: 'the request is larger than 7340032 bytes' }],
])('of a body that %s nothing is left either (H64)', async (_, end, error) => {
  const read = reading();
  await read.sent.send(10);
  await end(read);
  // A stream that fails may do so twice, which must not end the process.
  read.sent.on('error', () => undefined);
  expect(await read.outcome).toMatchObject(error);
  read.sent.removeAllListeners('error');
  expectNothingLeft(read);
});

test('a body that is given up already is not read', async () => {
  const [sent, clock] = [new Sent(), new FakeClock()];
  const reader = new BodyReader(sent as never, { arrival: new Arrivals(400 * KIBIBYTE).open(), clock });
  await expect(reader.read(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  expect([sent.listenerCount('data'), clock.pending]).toEqual([0, 0]);
});

describe('the pace', () => {
  test('is 64 bytes a millisecond after three seconds', async () => {
    const read = reading();
    await read.sent.send(6_400);
    read.clock.advance(3_099);
    await turn();
    expect(read.isOver()).toBe(false);
    read.clock.advance(1);
    expect(await read.outcome).toMatchObject({ status: 408, message: 'the body came too slowly: 6400 bytes in 3100 ms' });
  });

  test('does not count the time that a body waits for room', async () => {
    const arrivals = new Arrivals(400 * KIBIBYTE);
    const other = arrivals.open();
    expect(other.grow(300 * KIBIBYTE)).toBeUndefined();
    const read = reading({ arrivals });
    read.clock.advance(1_000);
    await read.sent.send(65 * KIBIBYTE);
    expect(read.sent.isPaused()).toBe(true);
    read.clock.advance(20_000);
    await turn();
    expect(read.isOver()).toBe(false);
    other.close();
    await turn();
    expect(read.sent.isPaused()).toBe(false);
    // It has two of its three seconds left, and 1040 ms for what has come.
    read.clock.advance(3_039);
    await turn();
    expect(read.isOver()).toBe(false);
    read.clock.advance(3_000);
    expect(await read.outcome).toMatchObject({ status: 408 });
  });

  test('does not matter to a body that is complete', async () => {
    const read = reading();
    read.clock.advance(2_999);
    await read.sent.send(1);
    read.sent.push(null);
    expect(await read.outcome).toBe(1);
    expect(read.clock.pending).toBe(0);
  });
});

test('a body that Node has read ahead goes on without room', async () => {
  const arrivals = new Arrivals(4 * KIBIBYTE);
  expect(arrivals.open().grow(1 * KIBIBYTE)).toBeUndefined();
  const small = reading({ arrivals, headers: { 'content-length': String(16 * KIBIBYTE) } });
  await small.sent.send(8 * KIBIBYTE);
  expect(small.sent.isPaused()).toBe(false);
  const larger = reading({ arrivals, headers: { 'content-length': String(1024 * KIBIBYTE) } });
  await larger.sent.send(8 * KIBIBYTE);
  expect(larger.sent.isPaused()).toBe(true);
  const unknown = reading({ arrivals });
  await unknown.sent.send(8 * KIBIBYTE);
  expect(unknown.sent.isPaused()).toBe(true);
});
