import { selected } from '../../../../../src/api-server/workloads/processes/logs/index.js';
import { LineCutter } from '../../../../../src/api-server/workloads/processes/logs/log-line.js';

test('output is cut into lines wherever its pieces end; long lines come in parts', () => {
  const cutter = new LineCutter();
  expect(cutter.add(Buffer.from('on'))).toEqual([]);
  expect(cutter.add(Buffer.from('e\ntwo\n\nth'))).toEqual(['one', 'two', ''].map((text) => ({ text, isPartial: false })));
  expect(cutter.end()).toEqual([{ text: 'th', isPartial: true }]);
  const [first, second] = [...cutter.add(Buffer.from(`${'x'.repeat(20_000)}\n`))];
  expect([first?.text.length, first?.isPartial, second?.text.length, second?.isPartial]).toEqual([16_384, true, 3616, false]);
});

test.each(['é', '€', '🙂'])('a long line is not cut within a character: %s', (character) => {
  for (let before = 0; before < 4; before += 1) {
    const line = 'x'.repeat(before) + character.repeat(10_000);
    const parts = new LineCutter().add(Buffer.from(`${line}\n`)).map(({ text }) => text);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(line);
  }
});

test('bytes that are not UTF-8 are cut at their limit', () => {
  expect(new LineCutter().add(Buffer.alloc(20_000, 0x80)).map(({ text }) => text.length)).toEqual([16_384]);
});

test('lines are selected by time and stream before the last ones are counted', () => {
  const line = (text: string, stream: 'stderr' | 'stdout', second: number) => ({
    text,
    stream,
    isPartial: false,
    time: new Date(second * 1000),
  });
  const lines = [line('a', 'stdout', 1), line('b', 'stderr', 2), line('c', 'stdout', 3)];
  expect(selected(lines, { stream: 'stdout', tailLines: 1 }).map(({ text }) => text)).toEqual(['c']);
  expect(selected(lines, { since: new Date(2000) }).map(({ text }) => text)).toEqual(['b', 'c']);
  expect(selected(lines, { tailLines: 0 })).toEqual([]);
});
