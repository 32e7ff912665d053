import { Socket } from 'node:net';
import { JoinedMessage } from '../../../src/kubernetes/listening/index.js';

const LARGE = 16_384;

/** Lets everything run that was put off until after this turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** A message whose parts come as the test likes, and are read one by one. */
function scene() {
  const message = new JoinedMessage(new Socket());
  const come = (text: string): boolean => message.push(Buffer.from(text));
  const read = (): string | undefined => (message.readableLength === 0 ? undefined : message.read()?.toString());
  return { message, come, read };
}

/** Reads a message as handlers do. */
function reading(message: JoinedMessage): string[] {
  const pieces: string[] = [];
  message.on('data', (piece: Buffer) => void pieces.push(piece.toString()));
  message.on('end', () => void pieces.push('the end'));
  return pieces;
}

test('small parts that come at once are joined, all but the first', async () => {
  const { message, come } = scene();
  const pieces = reading(message);
  for (const part of ['a', 'b', 'c', 'd']) come(part);
  await turn();
  expect(pieces).toEqual(['a', 'bcd']);
});

test('no part waits for another one', async () => {
  const { message, come } = scene();
  const pieces = reading(message);
  for (const part of ['a', 'b', 'c']) {
    come(part);
    await turn();
  }
  expect(pieces).toEqual(['a', 'b', 'c']);
});

test('a large part is handed on at once, as it is', () => {
  const { message } = scene();
  const part = Buffer.alloc(LARGE, 'x');
  message.push(part);
  expect((message.read() as Buffer).buffer).toBe(part.buffer);
});

test('a large part does not overtake a small one', async () => {
  const { message, come } = scene();
  const pieces = reading(message);
  come('a');
  come('x'.repeat(LARGE));
  come('b');
  await turn();
  expect(pieces.join('')).toBe(`a${'x'.repeat(LARGE)}b`);
});

test('small parts are handed on as soon as they are as much as a large one', () => {
  const { message, come } = scene();
  come('x'.repeat(LARGE - 1));
  expect(message.readableLength).toBe(0);
  come('y');
  expect(message.readableLength).toBe(LARGE);
});

test('parts that come while others wait to be read are joined', async () => {
  const { message, come, read } = scene();
  come('a');
  await turn();
  for (const part of ['b', 'c']) {
    come(part);
    await turn();
  }
  expect(message.readableLength).toBe(1);
  expect(read()).toBe('a');
  await turn();
  expect(read()).toBe('bc');
});

test('all that has come is handed on before the end', async () => {
  const { message, come } = scene();
  const pieces = reading(message);
  come('a');
  message.push(null);
  await turn();
  expect(pieces).toEqual(['a', 'the end']);
});

test('a message without a body ends', async () => {
  const { message } = scene();
  const pieces = reading(message);
  message.push(null);
  await turn();
  expect(pieces).toEqual(['the end']);
});

test('the connection goes on being read until as much waits as a reader may be behind', async () => {
  const { message, come } = scene();
  const most = message.readableHighWaterMark;
  expect(come('a')).toBe(true);
  await turn();
  expect(come('x'.repeat(most - 2))).toBe(true);
  expect(come('y')).toBe(false);
});

test('a reader that keeps up lets the connection go on', () => {
  const { message, come } = scene();
  reading(message);
  for (let count = 0; count < 10; count += 1) expect(come('x'.repeat(1_000))).toBe(true);
});

test('what comes for a message that was given up is dropped', async () => {
  const { message, come } = scene();
  come('a');
  message.destroy();
  come('b');
  await turn();
  expect([message.readableLength, message.errored]).toEqual([0, null]);
});
