import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '../scripts/build/pack.js';
import { seriesOf, shown, table } from './statistics.js';

/** Of Linux, in which /proc counts. */
const TICK_S = 0.01;
const PROJECT = 'my-operator';
/** A name, what is run, and whether that is in the new project. */
type Step = readonly [name: string, command: readonly [string, ...string[]], isInside: boolean];

/**
 * From an empty folder to manifests, as a new user does it: each command from its start to its end, seen from outside, and the CPU of all of its processes. The package is packed, and nothing of this tree helps.
 * npm takes the packages of others from the cache of this machine, and asks the registry for those that it lacks; npx has run nothing before.
 */
export async function* benchInit(rounds: number): AsyncGenerator<string> {
  const load = loadavg()[0] ?? Number.NaN;
  const place = mkdtempSync(join(tmpdir(), 'keelson-bench-init-'));
  try {
    const steps = stepsWith(join(place, 'npm'), Object.values(packPackages(join(place, 'npm'))));
    const results = steps.map((): { clock: number; cpu: number }[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const [folder, cache] = [join(place, `folder-${round}`), join(place, `cache-${round}`)];
      mkdirSync(folder);
      emptyNpx(cache);
      for (const [index, step] of steps.entries()) results[index]?.push(run(step, folder, cache));
      for (const used of [folder, cache]) rmSync(used, { recursive: true });
    }
    const rowOf = (name: string, of: readonly { readonly clock: number; readonly cpu: number }[]): readonly string[] => {
      const [clock, cpu] = [seriesOf(of.map((each) => each.clock)), seriesOf(of.map((each) => each.cpu))];
      return [name, ...[clock.min, clock.median, cpu.min, cpu.median].map(shown)];
    };
    const sums = Array.from({ length: rounds }, (_, round) => ({
      clock: results.reduce((sum, of) => sum + (of[round]?.clock ?? Number.NaN), 0),
      cpu: results.reduce((sum, of) => sum + (of[round]?.cpu ?? Number.NaN), 0),
    }));
    const rows = steps.map(([name], index) => rowOf(name, results[index] ?? []));
    yield table(['s', 'clock: min', 'median', 'CPU: min', 'median'], [...rows, rowOf('sum', sums)]);
    yield `Rounds: ${rounds}. Load of the machine at the start: ${shown(load)}; at the end, our own with it: ${shown(loadavg()[0] ?? Number.NaN)}.`;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function stepsWith(folder: string, tarballs: readonly string[]): readonly Step[] {
  const kind = ['--group', 'cache.example.com', '--kind', 'Memcached', '--yes'];
  const quiet = ['--prefer-offline', '--no-fund', '--no-audit'];
  const packages = tarballs.flatMap((tarball) => ['--package', tarball]);
  const init = ['npx', '--yes', '--prefer-offline', ...packages, 'create-keelson', PROJECT, ...kind] as const;
  return [
    ['`npm create keelson`', [...init, '--keelson', `file:${folder}`], false],
    ['`npm install`', ['npm', 'install', ...quiet], true],
    ['`npm test`', ['npm', 'test'], true],
    ['`npm run typecheck`', ['npm', 'run', 'typecheck'], true],
    ['`npm run synth`', ['npm', 'run', 'synth'], true],
  ];
}

/** A cache of npm with the packages of this machine's, in which npx has installed nothing. */
function emptyNpx(folder: string): void {
  mkdirSync(folder);
  const { stdout } = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' });
  const packages = join(stdout.trim(), '_cacache');
  if (!existsSync(packages)) throw new Error(`${packages} is not there: run npm ci, so that npm has a cache`);
  symlinkSync(packages, join(folder, '_cacache'));
}

function run([name, [program, ...args], isInside]: Step, folder: string, cache: string): { readonly clock: number; readonly cpu: number } {
  const [cpu, started] = [cpuOfChildren(), performance.now()];
  const env = { ...ENVIRONMENT, npm_config_cache: cache, npm_config_update_notifier: 'false', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: isInside ? join(folder, PROJECT) : folder, env, encoding: 'utf8' });
  const clock = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stdout}${stderr}`);
  return { clock, cpu: cpuOfChildren() - cpu };
}

/** As in the shell of a user: without what `npm run` has said of this tree, and with the user's own settings of npm, which name a registry. */
const ENVIRONMENT = {
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(npm_|INIT_CWD$|NODE_OPTIONS$)/i.test(key))),
  PATH: (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
};

/** Seconds of CPU, user and system, of all processes that this one has started and seen the end of, and of theirs. */
function cpuOfChildren(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_S;
}
