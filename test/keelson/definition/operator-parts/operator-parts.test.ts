import { counter, defineOperator, external, settings } from 'keelson';
import { z } from 'zod';
import { Website } from '../../../runtime/reconcile/website';

const run = (): void => undefined;
const handle = (): Response => new Response('');
const define = (parts: object) => defineOperator({ name: 'op', customResources: [Website], ...parts });

test('defaults are filled in', () => {
  expect(define({ endpoints: { a: { port: 1, handle }, b: { port: 2, handle } } }).endpoints).toHaveLength(2);
  const { checks, endpoints, tasks } = define({
    checks: { etcd: run, loop: { on: 'both', run } },
    endpoints: { backups: { port: 19_999, handle } },
    tasks: { reaper: { every: '1h', run }, once: { on: 'all', run } },
  });
  expect(checks).toEqual([
    { name: 'etcd', readiness: true, liveness: false, run },
    { name: 'loop', readiness: true, liveness: true, run },
  ]);
  expect(endpoints).toEqual([{ name: 'backups', port: 19_999, handle }]);
  expect(tasks).toEqual([
    { name: 'reaper', everyMs: 3_600_000, on: 'leader', timeLimitMs: 300_000, run },
    { name: 'once', everyMs: undefined, on: 'all', timeLimitMs: undefined, run },
  ]);
});

test.each([
  [{ checks: { etcd: 'up' } }, "checks.etcd: is 'up'; write a function, or { on: 'readiness', run }"],
  [{ checks: { loop: { run: 'up' } } }, 'checks.loop.run: is not a function; write one that takes the context'],
  [{ checks: { 'caches-synced': run } }, "checks.caches-synced: 'caches-synced' is a name of the runtime's own; choose another"],
  [{ checks: { Etcd: run } }, "checks.Etcd: 'Etcd' must be"],
  [{ endpoints: { backups: { port: 0, handle } } }, 'endpoints.backups.port: is 0; write a whole number from 1 to 65535'],
  [{ endpoints: { metrics: { port: 1, handle } } }, "endpoints.metrics: 'metrics' is a name of the runtime's own; choose another"],
  [{ endpoints: { 'a-very-long-name': { port: 1, handle } } }, "'a-very-long-name' names a container port: at most 15 characters"],
  [{ endpoints: { a: { port: 1, handle }, b: { port: 1, handle } } }, 'endpoints.b.port: 1 is the port of endpoints.a too; choose another'],
  [{ endpoints: { a: { port: 1 } } }, 'endpoints.a.handle: is missing; write a function that answers'],
  [{ tasks: { reaper: { every: '10ms', run } } }, "tasks.reaper.every: is '10ms'; write a time of at least 1s, such as '30s' or '1h'"],
  [{ tasks: { reaper: { on: 'some', run } } }, "tasks.reaper.on: 'some' is unknown; write 'leader' or 'all'"],
  [{ tasks: { reaper: {} } }, 'tasks.reaper.run: is missing; write a function that takes the context'],
  [
    { tasks: { reaper: { run, uses: { signal: external() } } } },
    "tasks.reaper.uses.signal: 'signal' is a reserved name: the context itself uses it; choose another",
  ],
  [{ checks: { etcd: { run, uses: { etcd: 3 } } } }, 'checks.etcd.uses.etcd: is nothing that is declared; make it with external<T>()'],
  [{ endpoints: { a: { port: 1, handle, uses: 'etcd' } } }, "endpoints.a.uses: is 'etcd'; write an object: { name: ... }"],
  [
    { checks: { a: { run, uses: { etcd: external() } } }, tasks: { b: { run, uses: { etcd: external() } } } },
    "tasks.b.uses.etcd: 'etcd' is another one than at checks.a.uses.etcd; export one const, or choose another name",
  ],
  [
    {
      checks: { a: { run, uses: { one: settings(z.object({ a: z.string() })) } } },
      tasks: { b: { run, uses: { two: settings(z.object({ a: z.string() })) } } },
    },
    'tasks.b.uses.two: the variable A holds a setting of checks.a.uses.one too',
  ],
  [
    {
      checks: { a: { run, uses: { one: counter('a_total', 'A.') } } },
      endpoints: { b: { port: 1, handle, uses: { two: counter('a_total', 'A.') } } },
    },
    'endpoints.b.uses.two: the metric a_total is declared at checks.a.uses.one too; export one const',
  ],
])('%j is refused', (parts, message) => {
  expect(() => define(parts)).toThrow(message);
});

test('what a part uses is part of its model', () => {
  const etcd = external<object>();
  const uses = { etcd };
  const { checks, endpoints, tasks } = define({
    checks: { a: { run, uses } },
    endpoints: { b: { port: 1, handle, uses } },
    tasks: { c: { run, uses } },
  });
  for (const parts of [checks, endpoints, tasks]) expect(parts?.[0]?.uses).toEqual({ etcd });
});
