import { Random as SeededRandom } from '../../api-server/values/apply/differential/random.js';

/** Chooses operations: the same ones for one seed, in every run and on every machine. */
export class Random extends SeededRandom {
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return this.one(items);
  }

  /** So many of them at most, in their order, and at least one. */
  atMost<T>(most: number, items: readonly T[]): T[] {
    const chosen = new Set(Array.from({ length: 1 + this.below(most) }, () => this.below(items.length)));
    return items.filter((_, index) => chosen.has(index));
  }

  /** @param weights larger is more often */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries<number>(weights) as [T, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [T, number])[0];
  }
}
