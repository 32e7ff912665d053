/**
 * `node --expose-gc bench/processes/api-server.mjs MODULE PROTOCOL`: an API server in a process of its own, told what to do over IPC.
 *
 * The first message says how long import and start took and how to reach it; then one answer for each message: `memory`, `delay` (of the event loop since the
 * last time it was asked), `close`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [module, protocol, ...rest] = process.argv.slice(2);
const options = JSON.parse(rest[0] ?? '{}');
const before = process.cpuUsage();
const importStart = performance.now();
const { ApiServer } = await import(module);
const startStart = performance.now();
const afterImport = process.cpuUsage(before);
const server = await ApiServer.start({ protocol, ...options, onProblem: (problem) => console.error(problem) });
const ready = performance.now();
const afterStart = process.cpuUsage(before);
const delay = monitorEventLoopDelay({ resolution: 1 });

const milliseconds = ({ user, system }) => (user + system) / 1000;
const answers = {
  memory() {
    for (let round = 0; round < 3; round += 1) globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapUsed, external, rss };
  },
  delay() {
    const figures = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
    delay.reset();
    return figures;
  },
  cpu: () => milliseconds(process.cpuUsage()),
};

process.on('message', async ({ id, ask }) => {
  if (ask === 'close') {
    await server.close();
    process.disconnect();
  } else process.send({ id, value: answers[ask]() });
});
delay.enable();
process.send({
  importMs: startStart - importStart,
  startMs: ready - startStart,
  importCpuMs: milliseconds(afterImport),
  startCpuMs: milliseconds(afterStart) - milliseconds(afterImport),
  url: server.url,
  ca: server.certificateAuthority,
  token: server.tokenFor(),
});
