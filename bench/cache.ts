import { interleaved, runFresh } from './fresh-process.js';
import { seriesOf, shown, table } from './statistics.js';

const FIGURES = { takeUs: 'parse and take in, µs', heapBytes: 'heap, bytes', readUs: 'read, µs', printUs: 'print as JSON, µs' } as const;
type Figure = keyof typeof FIGURES;

const SHARINGS = { shared: 'of 100 Deployments, which share parts', alone: 'each like no other' } as const;
const FREEZINGS = ['plain', 'frozen'] as const;

/** The price of frozen objects: 10,000 Pods of 4 KB in the runtime's cache, each process with its control in turn. */
export function benchCache(rounds: number): string {
  const subjects = Object.keys(SHARINGS).flatMap((sharing) => FREEZINGS.map((freezing) => ({ sharing, freezing })));
  const results = interleaved(rounds, subjects, ({ sharing, freezing }) =>
    runFresh<Readonly<Record<Figure, number>>>({
      arguments: ['--expose-gc', '--import', 'tsx', 'bench/processes/cache.ts', freezing, sharing],
    }),
  );
  const figures = Object.keys(FIGURES) as Figure[];
  const rows = subjects.map((subject) => {
    const least = (figure: Figure): number => seriesOf((results.get(subject) ?? []).map((result) => result[figure])).min;
    return [`${SHARINGS[subject.sharing as keyof typeof SHARINGS]}: ${subject.freezing}`, ...figures.map((figure) => shown(least(figure)))];
  });
  return table(['10,000 Pods, each', ...figures.map((figure) => FIGURES[figure])], rows);
}
