import { spawnSync } from 'node:child_process';
import { interleaved } from './fresh-process.js';
import { seriesOf, shown, table } from './statistics.js';

const COMMAND = 'lib/cli/esm/main.js';

interface CommandLine {
  readonly name: string;
  /** For node. */
  readonly args: readonly string[];
}

/** Node alone is the control: what is left when it is taken away is ours. */
const CONTROL: CommandLine = { name: '`node -e 0` (control)', args: ['-e', '0'] };

const CASES: readonly CommandLine[] = [
  CONTROL,
  { name: '`keelson --help`', args: [COMMAND, '--help'] },
  { name: '`keelson init --help`', args: [COMMAND, 'init', '--help'] },
  { name: '`keelson dev --help`', args: [COMMAND, 'dev', '--help'] },
  { name: '`keelson completion bash`', args: [COMMAND, 'completion', 'bash'] },
  { name: '`keelson import`, three kinds', args: [COMMAND, 'import', 'scripts/crds/cert-manager.yaml', '--out', 'dist/bench-import'] },
  {
    name: '`keelson init`, refused for its group',
    args: [COMMAND, 'init', 'dist/bench-init', '--kind', 'Memcached', '--group', 'example'],
  },
];

/** From the start of the process to its end, fresh process each. */
export function benchCommandLine(rounds: number): string {
  const results = interleaved(rounds, CASES, ({ args }) => {
    const started = performance.now();
    spawnSync(process.execPath, args);
    return performance.now() - started;
  });
  const control = seriesOf(results.get(CONTROL) ?? []).min;
  const rows = CASES.map((each) => {
    const { min, median } = seriesOf(results.get(each) ?? []);
    return [each.name, shown(min), shown(median), shown(min - control), (min / control).toFixed(2)];
  });
  return table(['ms', 'min', 'median', 'beyond node', 'ratio to node'], rows);
}
