import { interleaved, runFresh } from './fresh-process.js';
import { seriesOf, shown, table } from './statistics.js';

/** What is loaded before the clock starts, and what is loaded under it. */
interface ImportCase {
  readonly name: string;
  readonly loaded: readonly string[];
  readonly measured: string;
  /** Of architecture: milliseconds of CPU that the import may take. */
  readonly target?: number;
}

const CASES: readonly ImportCase[] = [
  { name: 'zod (control)', loaded: [], measured: 'zod' },
  { name: 'cdk8s (control)', loaded: [], measured: 'cdk8s' },
  { name: '`keelson`, with zod loaded', loaded: ['zod'], measured: 'keelson', target: 30 },
  { name: '`keelson/kinds`', loaded: [], measured: 'keelson/kinds', target: 10 },
  { name: '`keelson/kinds/apps/v1`', loaded: [], measured: 'keelson/kinds/apps/v1' },
  {
    name: '`keelson/constructs`, with cdk8s, zod and keelson loaded',
    loaded: ['zod', 'cdk8s', 'constructs', 'keelson'],
    measured: 'keelson/constructs',
    target: 20,
  },
  { name: '`@keelson/runtime`, with zod and keelson loaded', loaded: ['zod', 'keelson'], measured: '@keelson/runtime', target: 100 },
];

const MODULE_SYSTEMS = ['import', 'require'] as const;

/** Import times: CPU milliseconds of the one import, fresh process each. */
export function benchImports(rounds: number): string {
  const subjects = CASES.flatMap((importCase) => MODULE_SYSTEMS.map((system) => ({ importCase, system })));
  const results = interleaved(rounds, subjects, ({ importCase, system }) => {
    const script = `bench/processes/import.${system === 'import' ? 'mjs' : 'cjs'}`;
    return runFresh<{ cpuMs: number }>({ arguments: [script, importCase.measured, ...importCase.loaded] }).cpuMs;
  });
  const rows = CASES.map((importCase) => {
    const cells = subjects
      .filter((subject) => subject.importCase === importCase)
      .flatMap((subject) => {
        const { min, median } = seriesOf(results.get(subject) ?? []);
        return [shown(min), shown(median)];
      });
    return [importCase.name, ...cells, importCase.target === undefined ? '' : `< ${importCase.target}`];
  });
  return table(['CPU ms', 'import: min', 'median', 'require: min', 'median', 'target'], rows);
}
