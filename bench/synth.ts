import { interleaved, runFresh } from './fresh-process.js';
import { seriesOf, shown, table } from './statistics.js';

const COUNTS = [1, 100, 1000] as const;
const SIDES = ['keelson', 'control'] as const;

type Step = 'zod' | 'define' | 'construct' | 'synth';
type Steps = Readonly<Partial<Record<Step | `${Step} CPU`, number>>>;

/**
 * Synthesis of N custom resources (a CRD and one object each): milliseconds with keelson, and of the same objects as plain ApiObjects. What is left when
 * the second is taken from the first is ours; building the zod schemas is not counted, their author would pay for them without us.
 */
export function benchSynth(rounds: number): string {
  const runs = (count: number, side: (typeof SIDES)[number]): readonly Steps[] => results.get(`${count} ${side}`) ?? [];
  const subjects = COUNTS.flatMap((count) => SIDES.map((side) => `${count} ${side}`));
  const results = interleaved(rounds, subjects, (subject) => {
    const [count = '', side = ''] = subject.split(' ');
    return runFresh<Steps>({ arguments: ['bench/processes/synth.mjs', side, count] });
  });
  const rows = COUNTS.map((count) => {
    const keelson = cheapest(runs(count, 'keelson'), ['define', 'construct', 'synth']);
    const control = cheapest(runs(count, 'control'), ['construct', 'synth']);
    const steps = (['zod', 'define', 'construct', 'synth'] as const).map((step) => shown(cheapest(runs(count, 'keelson'), [step])));
    const ours = cheapest(runs(count, 'keelson'), ['define CPU', 'construct CPU', 'synth CPU']);
    const cpu = ours - cheapest(runs(count, 'control'), ['construct CPU', 'synth CPU']);
    return [String(count), ...steps, shown(control), shown((keelson - control) / count), shown(cpu / count), shown(keelson / control)];
  });
  return table(
    [
      'custom resources',
      'zod schemas',
      'define',
      'construct',
      'synth',
      'control: construct and synth',
      'ours, each',
      'CPU of ours, each',
      'ratio to control',
    ],
    rows,
  );
}

const cheapest = (runs: readonly Steps[], steps: readonly (keyof Steps)[]): number =>
  seriesOf(runs.map((run) => steps.reduce((sum, step) => sum + (run[step] ?? 0), 0))).min;
