/**
 * `node bench/processes/website-operator.mjs [--pods] [--workers N] [--report SECONDS]`: the operator of the website benchmark in a process of its own, with its
 * settings in the environment as in a Pod. `--definition` prints the CRD instead.
 *
 * It says `synced` on standard output as soon as its caches are filled, with `--report` a line of JSON about itself every so often, and ends with SIGTERM.
 */
import { parseArgs } from 'node:util';
import { Website, websiteOperator } from './website.mjs';

const { values } = parseArgs({
  options: {
    definition: { type: 'boolean', default: false },
    pods: { type: 'boolean', default: false },
    workers: { type: 'string', default: '10' },
    report: { type: 'string' },
  },
});

async function operate() {
  // Only here: who wants the definition needs no runtime.
  const { start } = await import('keelson/runtime');
  const log = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
  const running = await start(websiteOperator(values.pods), { log, concurrency: Number(values.workers) });
  process.once('SIGTERM', () => void running.stop());
  const untilSynced = setInterval(() => {
    if (running.readinessProblems.length > 0) return;
    clearInterval(untilSynced);
    console.log('synced');
  }, 5);
  const reports = values.report === undefined ? undefined : setInterval(report, Number(values.report) * 1000);
  try {
    await running.ended;
  } finally {
    clearInterval(untilSynced);
    clearInterval(reports);
  }
}

/** What could grow: memory that is left after collecting, and what keeps the event loop alive. */
function report() {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  console.log(JSON.stringify({ rss, heapUsed, external, resources }));
}

if (values.definition) {
  const { customResourceDefinitionManifest } = await import('keelson');
  console.log(JSON.stringify(customResourceDefinitionManifest(Website)));
} else await operate();
