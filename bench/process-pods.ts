import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEtcd } from '../scripts/demo/etcd-program.js';
import { bundleOperator } from '../scripts/images/operator-bundle.js';
import { runFresh } from './fresh-process.js';
import { seriesOf, shown, table } from './statistics.js';

type Times = Readonly<Record<'server' | 'memcached' | 'etcd' | 'operator', number>>;

const ROWS = [
  ['server', 'the API server, from the start of the process'],
  ['memcached', 'memcached says its version'],
  ['etcd', 'etcd is healthy'],
  ['operator', 'the bundle of an operator is ready'],
] as const;

/** Pods that run as processes, as a test of a user has them: from the creation of a Pod to the first answer of its program, each round in a process of its own. */
export async function benchProcessPods(rounds: number): Promise<string> {
  const etcd = findEtcd();
  if (!etcd.found) throw new Error(`no etcd was found: ${etcd.refused.join('; ')}; make real-servers builds one`);
  const memcached = 'memcached';
  if (spawnSync(memcached, ['-V']).status !== 0) throw new Error('no memcached was found on the PATH');
  const load = loadavg()[0] ?? Number.NaN;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-bench-bundle-'));
  try {
    const operator = join(folder, 'operator.mjs');
    writeFileSync(operator, await bundleOperator(process.cwd(), 'bench/processes/process-pod-operator.mjs'));
    const programs = JSON.stringify({ etcd: etcd.path, memcached, operator });
    const all = Array.from({ length: rounds }, () => runFresh<Times>({ arguments: ['bench/processes/process-pods.mjs', programs] }));
    const rows = ROWS.map(([name, text]) => {
      const { min, median } = seriesOf(all.map((times) => times[name]));
      return [text, shown(min), shown(median)];
    });
    return `${table(['ms', 'min', 'median'], rows)}\n\nRounds: ${rounds}. Load of the machine at the start: ${shown(load)}.`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
