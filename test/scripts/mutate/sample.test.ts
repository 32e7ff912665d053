import { drawn, estimateOf } from '../../../scripts/mutate/sample.js';

const keys = Array.from({ length: 200 }, (_, index) => `src/a.ts:${index}`);

describe('a draw', () => {
  test('is the same for the same seed, whatever the order of the mutants, and another for another seed', () => {
    const seven = drawn(keys, { size: 50, seed: 7 });
    expect(drawn([...keys].reverse(), { size: 50, seed: 7 })).toEqual(seven);
    expect(drawn(keys, { size: 50, seed: 8 })).not.toEqual(seven);
  });

  test('has no mutant twice, and all of them where there are fewer', () => {
    expect(new Set(drawn(keys, { size: 50, seed: 7 })).size).toBe(50);
    expect([...drawn(keys, { size: 500, seed: 7 })].sort()).toEqual([...keys].sort());
  });

  test('that is larger contains the smaller one, and mutants of a changed file do not disturb the others', () => {
    const seven = drawn(keys, { size: 50, seed: 7 });
    expect(drawn(keys, { size: 80, seed: 7 }).slice(0, 50)).toEqual(seven);
    const withOthers = drawn([...keys, ...keys.map((key) => key.replace('a.ts', 'b.ts'))], { size: 400, seed: 7 });
    expect(withOthers.filter((key) => key.startsWith('src/a.ts')).slice(0, 50)).toEqual(seven);
  });

  test('gives each mutant the same chance', () => {
    const hits = new Map(keys.map((key) => [key, 0]));
    for (let seed = 0; seed < 400; seed += 1) for (const key of drawn(keys, { size: 50, seed })) hits.set(key, (hits.get(key) ?? 0) + 1);
    // 100 of 400 are expected, with a standard deviation of 8.7.
    expect(Math.min(...hits.values())).toBeGreaterThan(60);
    expect(Math.max(...hits.values())).toBeLessThan(140);
  });
});

describe('an estimate', () => {
  test('of a folder that was tried whole has no doubt', () => {
    expect(estimateOf([{ all: 40, sampled: 40, noticed: 36 }])).toEqual({ share: 90, from: 90, to: 90 });
  });

  test('of a sample has its share within its bounds, and narrower ones for a larger sample', () => {
    const small = estimateOf([{ all: 10_000, sampled: 40, noticed: 36 }]);
    const large = estimateOf([{ all: 10_000, sampled: 400, noticed: 360 }]);
    expect(small.share).toBe(90);
    // The bounds of Agresti and Coull for 36 of 40: 76.4 and 96.6.
    expect(small.from).toBeCloseTo(76.4, 0);
    expect(small.to).toBeCloseTo(96.6, 0);
    expect(large.to - large.from).toBeLessThan((small.to - small.from) / 2.5);
  });

  test('of a perfect sample is not certain, and stays within 0 and 100 %', () => {
    const perfect = estimateOf([{ all: 10_000, sampled: 40, noticed: 40 }]);
    expect(perfect.to).toBe(100);
    expect(perfect.from).toBeLessThan(97);
    expect(perfect.from).toBeGreaterThan(85);
    expect(estimateOf([{ all: 10_000, sampled: 40, noticed: 0 }]).from).toBe(0);
  });

  test('of several folders counts each by its size, not by that of its sample', () => {
    const { share } = estimateOf([
      { all: 900, sampled: 50, noticed: 50 },
      { all: 100, sampled: 50, noticed: 0 },
    ]);
    expect(share).toBeCloseTo(90);
  });

  test('holds the true share in about 95 of 100 samples', () => {
    let held = 0;
    const mutants = keys.map((key, index) => ({ key, noticed: index % 10 !== 0 }));
    const noticed = new Map(mutants.map((mutant) => [mutant.key, mutant.noticed]));
    for (let seed = 0; seed < 300; seed += 1) {
      const sample = drawn(keys, { size: 40, seed });
      const { from, to } = estimateOf([{ all: 200, sampled: 40, noticed: sample.filter((key) => noticed.get(key)).length }]);
      if (from <= 90 && 90 <= to) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(275);
    expect(held).toBeLessThan(300);
  });

  test('is refused for a folder without a sample', () => {
    expect(() => estimateOf([{ all: 3, sampled: 0, noticed: 0 }])).toThrow('none in its sample');
  });
});
