import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheDirectory, cacheRoot } from '../cluster/binaries.js';
import type { Suite } from './suites.js';

const TURBO = join('node_modules', '.bin', 'turbo');

/** Sends nothing anywhere, and looks for no newer release. */
const QUIET = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1', FORCE_COLOR: '0' };

/**
 * Runs a keyed suite through Turborepo, as a task of the root package (`//`). Turborepo restores the results of an older run if the inputs of the task in turbo.json, package.json, the lock file
 * and {@link machineKey} are the same. With `KEELSON_ALL_SUITES` the suite always runs.
 */
export function keyedRun(suite: Suite): Promise<boolean> {
  const cache = join(cacheRoot(), 'suites');
  mkdirSync(cache, { recursive: true });
  // Turborepo refuses `--force` next to `--cache`. A cache that is only written says the same.
  const access = process.env['KEELSON_ALL_SUITES'] === undefined ? 'rw' : 'w';
  const flags = ['--env-mode=loose', `--cache=local:${access}`, `--cache-dir=${cache}`, '--output-logs=new-only', '--log-prefix=none'];
  const environment = { ...process.env, ...QUIET, KEELSON_SUITE_KEY: machineKey(suite) };
  const child = spawn(TURBO, ['run', `//#suite:${suite.name}`, ...flags], { stdio: ['ignore', 'inherit', 'inherit'], env: environment });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

/** The part of the key that no file of the tree has: Node, the platform, and for suites on real servers the versions of these. */
function machineKey({ isComplete }: Suite): string {
  return [process.version, process.platform, process.arch, ...(isComplete ? realServers() : [])].join(' ');
}

function realServers(): readonly string[] {
  const [root, assets] = [cacheRoot(), process.env['KUBEBUILDER_ASSETS']];
  // Control planes of other releases stand next to it: no keyed suite asks them.
  const own = basename(cacheDirectory());
  // The names of the folders hold the versions. A build that is under way has `.building-` in its name.
  const built = existsSync(root)
    ? readdirSync(root).filter((name) => name === own || (/^tool-.*-[a-z0-9]+$/.test(name) && !name.includes('.building-')))
    : [];
  const given = assets === undefined || !existsSync(assets) ? [] : readdirSync(assets).map((name) => fileKey(join(assets, name)));
  return [...built.sort(), ...given.sort()];
}

function fileKey(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${path}:${size}:${mtimeMs}`;
}
