import type { StreamOfConnection } from '../../../../src/api-server/contract/index.js';
import { DICTIONARY } from '../../../../src/api-server/http/spdy/dictionary.js';
import { SpdyConnection } from '../../../../src/api-server/http/spdy/index.js';
import { eventually } from '../../../eventually.js';
import { control, SpdyFrames, Wire } from './client.js';

let wire: Wire;
let frames: SpdyFrames;
let opened: StreamOfConnection[];
let problems: unknown[];
beforeEach(() => {
  wire = new Wire();
  frames = new SpdyFrames();
  opened = [];
  problems = [];
  const connection = new SpdyConnection({ transport: wire, protocol: 'x', report: (problem) => problems.push(problem) });
  connection.onStream((stream) => opened.push(stream));
});
afterEach(() => {
  wire.close();
  expect(problems).toEqual([]);
});

/** `kind`, of control frames; else the stream and the text. */
const sent = (): readonly string[] =>
  wire.received.map((frame) => {
    if ((frame[0] as number) >= 0x80) return `${frame.readUInt16BE(2)} of ${frame.readUInt32BE(8)}`;
    return `${frame.readUInt32BE(0)}${(frame[4] as number) === 1 ? ' last' : ''}: ${frame.toString('utf8', 8)}`;
  });

test('the dictionary is that of SPDY/3', () => {
  let [a, b] = [1, 0];
  for (const byte of DICTIONARY) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  expect((b * 65_536 + a).toString(16)).toBe('e3c6a7c2');
});

test('streams have their headers, however the bytes are cut, and replies are one zlib stream', async () => {
  const bytes = Buffer.concat([
    await frames.open(1, { StreamType: 'error', port: '80' }),
    await frames.open(3, { streamtype: 'data', port: '80' }),
    frames.data(3, 'hello', { isLast: true }),
  ]);
  for (const byte of bytes) wire.write(Buffer.from([byte]));
  await eventually(() => opened.length === 2);
  expect(opened.map(({ id, headers }) => [id, Object.fromEntries(headers)])).toEqual([
    [1, { streamtype: 'error', port: '80' }],
    [3, { streamtype: 'data', port: '80' }],
  ]);
  const seen: string[] = [];
  opened[1]?.onData((chunk) => {
    seen.push(chunk.toString());
  });
  await new Promise<void>((resolve) => opened[1]?.onEnd(resolve));
  expect(seen).toEqual(['hello']);
  expect(sent()).toEqual(['2 of 1', '2 of 3']);
  for (const reply of wire.received) expect(await frames.headersOf(reply)).toEqual(Buffer.alloc(4));
});

test('what is sent comes in frames, until the stream is ended or reset', async () => {
  wire.write(Buffer.concat([await frames.open(1, {}), await frames.open(3, {})]));
  await eventually(() => opened.length === 2);
  const [one, two] = opened as [StreamOfConnection, StreamOfConnection];
  await one.send(Buffer.from('a'));
  await one.end();
  await one.send(Buffer.from('too late'));
  await two.reset();
  await two.end();
  expect(sent().slice(2)).toEqual(['1: a', '1 last: ', '3 of 3']);
});

test('a ping is answered, a reset ends the input, and frames of unknown streams are dropped', async () => {
  wire.write(Buffer.concat([frames.ping(7), frames.data(9, 'nobody'), await frames.open(1, {}), frames.reset(1)]));
  await eventually(() => opened.length === 1);
  await new Promise<void>((resolve) => opened[0]?.onEnd(resolve));
  expect(sent()).toEqual(['6 of 7', '2 of 1']);
});

test('nothing more is read while a listener is busy', async () => {
  wire.write(await frames.open(1, {}));
  await eventually(() => opened.length === 1);
  let release: () => void = () => undefined;
  const seen: string[] = [];
  opened[0]?.onData((chunk) => {
    seen.push(chunk.toString());
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  wire.write(frames.data(1, 'first'));
  wire.write(frames.data(1, 'second'));
  await eventually(() => seen.length === 1);
  expect(wire.isPaused).toBe(true);
  release();
  await eventually(() => seen.length === 2);
  release();
  await eventually(() => !wire.isPaused);
});

test('the end of the connection ends all streams', async () => {
  wire.write(await frames.open(1, {}));
  await eventually(() => opened.length === 1);
  wire.close();
  await new Promise<void>((resolve) => opened[0]?.onEnd(resolve));
});

test.each([
  ['another version', () => control(6, Buffer.from([0, 0, 0, 1]), 2)],
  ['headers that are not compressed', () => control(1, Buffer.alloc(40, 0x41))],
  ['a reset without a stream', () => control(3, Buffer.alloc(2))],
  ['a stream without a head', () => control(1, Buffer.alloc(4))],
])('%s ends the connection, and is no problem of the server', async (_what, bytes) => {
  wire.write(bytes());
  await eventually(() => wire.isClosed);
});

test('headers that grow without bounds end the connection', async () => {
  wire.write(await frames.open(1, { a: 'x'.repeat(1_000_000) }));
  await eventually(() => wire.isClosed);
  expect(opened).toEqual([]);
});

test('a number that is taken, or not one of a client, is refused', async () => {
  wire.write(Buffer.concat([await frames.open(1, {}), await frames.open(1, {}), await frames.open(2, {})]));
  await eventually(() => sent().length === 3);
  expect([opened.length, sent()]).toEqual([1, ['2 of 1', '3 of 1', '3 of 2']]);
});
