import { existsSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { benchApiServer } from './api-server/index.js';
import { benchImports } from './imports.js';
import { benchSynth } from './synth.js';
import { benchTypes } from './types.js';

/** `npm run bench [imports|synth|types|api-server]`: prints Markdown tables; docs/performance.md holds the ones of a release. */
const BENCHES = {
  imports: { title: 'Import', run: () => [benchImports(21)] },
  synth: { title: 'Synthesis, ms (min of 7)', run: () => [benchSynth(7)] },
  types: { title: 'Type-check (min of 3)', run: () => [benchTypes(3)] },
  'api-server': { title: 'API server', run: benchApiServer },
} as const;

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in BENCHES));
if (unknown.length > 0) throw new Error(`no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
if (!existsSync('lib')) throw new Error('the benches measure lib/, which is not there: run npm run build');

console.log(
  `${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`.replace(
    'Linux',
    process.platform,
  ),
);
for (const [name, { title, run }] of Object.entries(BENCHES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n### ${title}`);
  // What takes minutes shows what it has so far.
  for await (const part of run()) console.log(`\n${part}`);
}
