import { existsSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchApiServer, benchHttp } from './api-server/index.js';
import { benchCache } from './cache.js';
import { benchCommandLine } from './command-line.js';
import { benchDevRestart } from './dev-restart.js';
import { benchImports } from './imports.js';
import { benchInit } from './init.js';
import { benchProcessPods } from './process-pods.js';
import { benchRollingUpdate } from './rolling-update.js';
import { benchSidecarSet } from './sidecarset.js';
import { benchSynth } from './synth.js';
import { benchTypes } from './types.js';
import { benchWebsite } from './website/index.js';
import { soakWebsite } from './website/soak.js';

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'string' }, minutes: { type: 'string', default: '15' } },
});

/**
 * `npm run bench [imports|command-line|dev-restart|init|rolling-update|process-pods|synth|types|cache|api-server|http|sidecarset|website|website-soak]`: prints Markdown tables; docs/performance.md holds the ones of a release.
 *
 * `website`, `http`, `sidecarset`, `init` and `rolling-update` take `-- --quick` for a small load, `website` `-- --profile FOLDER` for a CPU profile of our operator alone; `website-soak` takes `-- --minutes N`.
 */
const BENCHES = {
  imports: { title: 'Import', isUsual: true, run: () => [benchImports(21)] },
  'command-line': { title: 'Command line', isUsual: true, run: () => [benchCommandLine(21)] },
  'dev-restart': { title: 'keelson dev, a file is saved', isUsual: true, run: async () => [await benchDevRestart(10)] },
  init: { title: 'keelson init, from an empty folder to manifests', isUsual: true, run: () => benchInit(options.quick ? 1 : 3) },
  'rolling-update': { title: 'Another image of an operator', isUsual: true, run: () => benchRollingUpdate(options.quick ? 1 : 3) },
  'process-pods': { title: 'Pods as processes', isUsual: true, run: async () => [await benchProcessPods(5)] },
  synth: { title: 'Synthesis, ms (min of 7)', isUsual: true, run: () => [benchSynth(7)] },
  types: { title: 'Type-check (min of 3)', isUsual: true, run: () => [benchTypes(3)] },
  cache: { title: 'Frozen objects (min of 7)', isUsual: true, run: () => [benchCache(7)] },
  'api-server': { title: 'API server', isUsual: true, run: benchApiServer },
  http: { title: 'HTTP/2 and HTTP/1.1', isUsual: true, run: () => benchHttp(options.quick) },
  sidecarset: { title: 'SidecarSet', isUsual: true, run: () => benchSidecarSet(options.quick ? 200 : 1000) },
  website: { title: 'Website operator', isUsual: true, run: () => benchWebsite({ isQuick: options.quick, profile: options.profile }) },
  'website-soak': { title: 'Website operator under churn', isUsual: false, run: () => soakWebsite(Number(options.minutes)) },
} as const;

const unknown = chosen.filter((name) => !(name in BENCHES));
if (unknown.length > 0) throw new Error(`no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
if (!existsSync('lib')) throw new Error('the benches measure lib/, which is not there: run npm run build');

console.log(
  `${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`.replace(
    'Linux',
    process.platform,
  ),
);
for (const [name, { title, isUsual, run }] of Object.entries(BENCHES)) {
  if (chosen.length > 0 ? !chosen.includes(name) : !isUsual) continue;
  console.log(`\n### ${title}`);
  // What takes minutes shows what it has so far.
  for await (const part of await run()) console.log(`\n${part}`);
}
