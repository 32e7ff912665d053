/**
 * `node bench/processes/website-operator.mjs [--pods] [--workers N] [--report SECONDS]`: the operator of the website benchmark in a process of its own, with its
 * settings in the environment as in a Pod. `--definition` prints the CRD instead.
 *
 * It says `synced` on standard output as soon as its caches are filled, with `--held` a line of JSON after it that says what they hold, with `--report` one about
 * itself every so often, and ends with SIGTERM.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Website, websiteOperator } from './website.mjs';

const { values } = parseArgs({
  options: {
    definition: { type: 'boolean', default: false },
    pods: { type: 'boolean', default: false },
    workers: { type: 'string', default: '10' },
    held: { type: 'boolean', default: false },
    report: { type: 'string' },
  },
});

async function operate() {
  // Only here: who wants the definition needs no runtime.
  const before = process.cpuUsage();
  const { inClusterConnection, start } = await import('@keelson/runtime');
  const { user, system } = process.cpuUsage(before);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const connection = inClusterConnection({ directory: process.env['BENCH_SERVICE_ACCOUNT'] });
  const log = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };
  const running = await start(websiteOperator(values.pods), { connection, log, concurrency: Number(values.workers) });
  if (values.held) delay.enable();
  process.once('SIGTERM', () => void running.stop());
  const untilSynced = setInterval(() => {
    if (running.readinessProblems.length > 0) return;
    clearInterval(untilSynced);
    console.log('synced');
    // What is under way has its turn first.
    if (values.held) setTimeout(() => console.log(JSON.stringify({ importMs: (user + system) / 1000, ...heldNow(delay) })), 500);
  }, 5);
  const reports = values.report === undefined ? undefined : setInterval(report, Number(values.report) * 1000);
  try {
    await running.ended;
  } finally {
    clearInterval(untilSynced);
    clearInterval(reports);
  }
}

/** Read before collecting, which blocks the event loop as well. */
function heldNow(delay) {
  const blockedMs = delay.max / 1e6;
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return { blockedMs, heapBytes: heapUsed + external };
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
