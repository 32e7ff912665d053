import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

/**
 * Stands in for prometheus-config-reloader where Pods run as processes: the flags that the operator passes mean the same.
 *
 * Flow: unpack `--config-file`, fill in `$(NAME)` from the environment, write `--config-envsubst-file`, and POST to `--reload-url`; again whenever that file or one
 * of `--watched-dir` has changed. With `--watch-interval=0` it ends after the first time, as an init container does.
 *
 * `--map FROM=TO`, which the original lacks, replaces a folder in the configuration: a process has no mounts.
 */
const { values } = parseArgs({
  options: {
    'config-file': { type: 'string' },
    'config-envsubst-file': { type: 'string' },
    'reload-url': { type: 'string' },
    'watched-dir': { type: 'string', multiple: true, default: [] },
    'watch-interval': { type: 'string', default: '1' },
    map: { type: 'string', multiple: true, default: [] },
  },
});

const LOOK_EVERY_MS = 200;
const ask = (name: 'config-file' | 'config-envsubst-file'): string => {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing; pass the path of a file`);
  return value;
};
const [from, to] = [ask('config-file'), ask('config-envsubst-file')];

function filledIn(packed: Buffer): string {
  const text = gunzipSync(packed)
    .toString()
    .replace(/\$\((\w+)\)/g, (reference, name: string) => {
      const value = process.env[name];
      if (value === undefined) throw new Error(`the configuration refers to ${reference}, which the environment does not have`);
      return value;
    });
  return values.map.reduce((mapped, pair) => {
    const [folder = '', place = ''] = pair.split('=', 2);
    return mapped.replaceAll(folder, place);
  }, text);
}

/** A hash of all files that count; kubelets replace the files of a volume all at once. */
function state(): string {
  const hash = createHash('sha256');
  if (existsSync(from)) hash.update(readFileSync(from));
  for (const folder of values['watched-dir']) {
    for (const name of readdirSync(folder)
      .filter((each) => !each.startsWith('..'))
      .sort())
      hash.update(name).update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

/** Never half a file: Prometheus may load it at any moment. */
function write(): void {
  const packed = existsSync(from) ? readFileSync(from) : Buffer.alloc(0);
  // Users who write the configuration themselves may not have begun.
  writeFileSync(`${to}.new`, packed.length === 0 ? '' : filledIn(packed), { mode: 0o600 });
  renameSync(`${to}.new`, to);
}

/** Prometheus keeps what it has when it refuses a configuration; the answer says why. */
async function reload(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST' });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text.trim()}`);
}

let loaded: string | undefined;
let lastProblem = '';
for (;;) {
  try {
    const now = state();
    if (now !== loaded) {
      write();
      if (values['reload-url'] !== undefined) await reload(values['reload-url']);
      loaded = now;
      lastProblem = '';
      console.log('the configuration is loaded');
    }
  } catch (error) {
    if (values['watch-interval'] === '0') throw error;
    // The file is written and not loaded: what was loaded before has to be loaded again when it comes back.
    loaded = undefined;
    const problem = (error as Error).message;
    if (problem !== lastProblem) console.error(problem);
    lastProblem = problem;
  }
  if (values['watch-interval'] === '0') break;
  await pause(LOOK_EVERY_MS);
}
