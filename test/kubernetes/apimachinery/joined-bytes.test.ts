import * as fc from 'fast-check';
import { JoinedBytes } from '../../../src/kubernetes/apimachinery/index.js';

function joined(pieces: readonly Uint8Array[]): { readonly text: string; readonly count: number; readonly held: number } {
  const all = new JoinedBytes();
  for (const piece of pieces) all.add(piece);
  expect(all.length).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
  const taken = all.take();
  expect([all.length, all.take()]).toEqual([0, []]);
  const held = [...new Set(taken.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { text: Buffer.concat(taken).toString('hex'), count: taken.length, held };
}

test('all bytes come out in their order, whatever the pieces are', () => {
  const piece = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ minLength: 1_000, maxLength: 1_050, size: 'max' }));
  fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => joined(pieces).text === Buffer.concat(pieces).toString('hex')));
});

test('single bytes are few pieces, with room for hardly more than what is in them', () => {
  const { count, held } = joined(Array.from({ length: 100_000 }, () => new Uint8Array(1)));
  expect(count).toBeLessThan(10);
  expect(held).toBeLessThan(101_000);
});

test('a small piece between large ones keeps no room of its own', () => {
  const { count, held } = joined(Array.from({ length: 1_000 }, (_, index) => new Uint8Array(index % 2 === 0 ? 1_024 : 1)));
  expect(count).toBe(1_000);
  expect(held).toBe(500 * 1_025);
});

test('a single piece is not copied, nor are large ones', () => {
  const [first, large] = [new Uint8Array(3), new Uint8Array(1_024)];
  const all = new JoinedBytes();
  all.add(first);
  all.add(large);
  expect(all.take().map((piece) => [first, large].indexOf(piece as Uint8Array<ArrayBuffer>))).toEqual([0, 1]);
});
