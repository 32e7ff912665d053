import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { seriesOf, shown, table } from './statistics.js';

const COMMAND = resolve('lib/esm/cli/main.js');
const PROJECT = resolve('dist/bench-dev');
/** What a project of `keelson init` loads while `keelson dev` runs it. */
const PACKAGES = ['zod', 'tsx'];
/** Of Linux, in which /proc counts. */
const TICK_MS = 10;

/**
 * `keelson dev` in a project of `keelson init`, where a source file is saved again and again: from the save until the new operator is ready, and the CPU that its process has taken by then.
 * The clock is the user's, and depends on what else the machine does; the CPU does not.
 */
export async function benchDevRestart(rounds: number): Promise<string> {
  makeProject();
  const dev = spawn(process.execPath, [COMMAND, 'dev'], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const lines = linesOf(dev);
    await lines.until('is ready after');
    const results: { readonly clock: number; readonly cpu: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      appendFileSync(join(PROJECT, 'src/operator.ts'), '\n');
      await lines.until('is ready after');
      results.push({ clock: performance.now() - started, cpu: cpuOfChild(dev.pid) });
    }
    const row = (name: string, of: 'clock' | 'cpu'): readonly string[] => {
      const { min, median } = seriesOf(results.map((each) => each[of]));
      return [name, shown(min), shown(median)];
    };
    return table(['ms', 'min', 'median'], [row('from the save until it is ready', 'clock'), row('CPU of the new process', 'cpu')]);
  } finally {
    dev.kill('SIGINT');
    await new Promise((done) => dev.once('close', done));
    rmSync(PROJECT, { recursive: true, force: true });
  }
}

/** As npm would install it, with this tree in place of the published package. */
function makeProject(): void {
  rmSync(PROJECT, { recursive: true, force: true });
  const parameters = [COMMAND, 'init', PROJECT, '--group', 'cache.example.com', '--kind', 'Memcached', '--webhooks', '--yes'];
  const { status, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  mkdirSync(join(PROJECT, 'node_modules'));
  symlinkSync(process.cwd(), join(PROJECT, 'node_modules/keelson'));
  for (const name of PACKAGES) symlinkSync(resolve('node_modules', name), join(PROJECT, 'node_modules', name));
}

interface Lines {
  /** Until it has written this once more. */
  until(text: string): Promise<void>;
}

function linesOf(child: ChildProcess): Lines {
  let [written, seen] = ['', 0];
  const looks = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      for (const look of looks) look();
    });
  return {
    until: (text) =>
      new Promise((done, reject) => {
        const look = (): void => {
          const found = written.indexOf(text, seen);
          if (found === -1) return;
          seen = found + text.length;
          looks.delete(look);
          child.off('exit', onExit);
          done();
        };
        const onExit = (): void => reject(new Error(`keelson dev has ended:\n${written}`));
        child.once('exit', onExit);
        looks.add(look);
        look();
      }),
  };
}

/** CPU, user and system, of the newest process that the given one has started. */
function cpuOfChild(parent: number | undefined): number {
  const newest = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => fieldsOf(pid))
    .filter((fields) => Number(fields[1]) === parent)
    .toSorted((a, b) => Number(a[19]) - Number(b[19]))
    .at(-1);
  return newest === undefined ? Number.NaN : (Number(newest[11]) + Number(newest[12])) * TICK_MS;
}

/** The fields of a process behind its name, from its state on; none if it has ended. */
function fieldsOf(pid: string): readonly (readonly string[])[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return [text.slice(text.lastIndexOf(')') + 2).split(' ')];
  } catch {
    // It has ended since the folder was read.
    return [];
  }
}
