import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { seriesOf, shown, table } from './statistics.js';

const COMMAND = resolve('lib/cli/esm/main.js');
const PROJECT = resolve('dist/bench-dev');
/** What a project of `keelson init` loads while `keelson dev` runs it. */
const PACKAGES = ['zod', 'tsx'];
/** Of Linux, in which /proc counts. */
const TICK_MS = 10;

const REST_MS = 500;
const SPARE_WITHIN_MS = 60_000;

/**
 * `keelson dev` in a project of `keelson init`, where a source file is saved again and again, each time when all is at rest: from the save until the new operator is ready, and the CPU that its
 * process has taken since the save. The clock is the user's, and depends on what else the machine does; the CPU does not.
 */
export async function benchDevRestart(rounds: number): Promise<string> {
  makeProject();
  const dev = spawn(process.execPath, [COMMAND, 'dev'], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const lines = linesOf(dev);
    await lines.until('is ready after');
    const results: { readonly clock: number; readonly cpu: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const spare = await spareAtRest(dev.pid);
      const started = performance.now();
      appendFileSync(join(PROJECT, 'src/operator.ts'), '\n');
      await lines.until('is ready after');
      results.push({ clock: performance.now() - started, cpu: cpuOf(spare.pid) - spare.cpu });
    }
    const row = (name: string, of: 'clock' | 'cpu'): readonly string[] => {
      const { min, median } = seriesOf(results.map((each) => each[of]));
      return [name, shown(min), shown(median)];
    };
    return table(
      ['ms', 'min', 'median'],
      [row('from the save until it is ready', 'clock'), row('CPU of the new process from then on', 'cpu')],
    );
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

/** The child that waits for the next save, when it has loaded what it can. */
async function spareAtRest(parent: number | undefined): Promise<{ readonly pid: string; readonly cpu: number }> {
  let before = { pid: '', cpu: Number.NaN };
  const deadline = performance.now() + SPARE_WITHIN_MS;
  while (performance.now() < deadline) {
    await new Promise((done) => setTimeout(done, REST_MS));
    const pid = readdirSync('/proc').find((name) => Number(fieldsOf(name)?.[1]) === parent && titleOf(name).includes('dev-spare')) ?? '';
    const now = { pid, cpu: cpuOf(pid) };
    if (pid !== '' && now.pid === before.pid && now.cpu === before.cpu) return now;
    before = now;
  }
  throw new Error(`no process waits for the next save within ${SPARE_WITHIN_MS} ms`);
}

/** CPU, user and system, of a process. */
function cpuOf(pid: string): number {
  const fields = fieldsOf(pid);
  return (Number(fields?.[11]) + Number(fields?.[12])) * TICK_MS;
}

const titleOf = (pid: string): string => fileOf(pid, 'cmdline') ?? '';

/** The fields of a process behind its name, from its state on; undefined if there is none. */
function fieldsOf(pid: string): readonly string[] | undefined {
  const text = fileOf(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function fileOf(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // It has ended since the folder was read.
    return undefined;
  }
}
