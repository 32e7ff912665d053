import { dataFrame, FrameReader } from '../../../../src/api-server/http/spdy/frames.js';

test('the chunks of a frame are joined once it is whole, not with each of them', () => {
  const bytes = Buffer.alloc(1_000_000, 'x');
  const sent = Buffer.concat([dataFrame(1, bytes), dataFrame(3, Buffer.from('y'))]);
  const reader = new FrameReader();
  const join = jest.spyOn(Buffer, 'concat');
  const frames = Array.from({ length: Math.ceil(sent.length / 100) }, (_, index) =>
    reader.take(sent.subarray(100 * index, 100 * (index + 1))),
  ).flat();
  const joins = join.mock.calls.length;
  join.mockRestore();
  expect(frames).toEqual([
    { type: 'data', stream: 1, isLast: false, bytes },
    { type: 'data', stream: 3, isLast: false, bytes: Buffer.from('y') },
  ]);
  // Once for the end of the frame, and once for a head that a chunk has cut.
  expect(joins).toBeLessThanOrEqual(2);
});
