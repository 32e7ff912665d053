import { Turns } from '../../../src/kubernetes/listening/index.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

/** Jobs that were done in each turn. */
async function turnsUntil(isOver: () => boolean, done: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (let turn = 0; !isOver() && turn < 1_000; turn += 1) {
    const before = done.length;
    await nextTurn();
    counts.push(done.length - before);
  }
  return counts;
}

test('no job runs at once, and short ones share a turn', async () => {
  const turns = new Turns();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c']) turns.add(() => done.push(name));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('a turn ends when its time is over: the rest follows in order, and others come between', async () => {
  const turns = new Turns();
  const names = Array.from({ length: 20 }, (_, index) => `${index}`);
  const done: string[] = [];
  for (const name of names)
    turns.add(() => {
      nowMs += 1;
      done.push(name);
    });
  const counts = await turnsUntil(() => done.length === names.length, done);
  expect(done).toEqual(names);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});

test('a job that takes longer than a turn has one of its own', async () => {
  const turns = new Turns();
  const done: string[] = [];
  for (const name of ['a', 'b', 'c'])
    turns.add(() => {
      nowMs += 100;
      done.push(name);
    });
  expect(await turnsUntil(() => done.length === 3, done)).toEqual([1, 1, 1]);
});

test('what a job adds comes last, and what is added later is done too', async () => {
  const turns = new Turns();
  const done: string[] = [];
  turns.add(() => {
    done.push('a');
    turns.add(() => done.push('of a'));
  });
  turns.add(() => done.push('b'));
  await turnsUntil(() => done.length === 3, done);
  turns.add(() => done.push('c'));
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'of a', 'c']);
});
