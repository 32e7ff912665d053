import { getEventListeners } from 'node:events';
import { FakeClock, mergePatch } from '@keelson/testing';
import { type Done, defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ClusterRole, ConfigMap, Deployment, Secret, Service } from 'keelson/kinds';
import { z } from 'zod';
import { limited } from '../../../src/runtime/reconcile/time-limit.js';
import { RunningController, type StartOptions } from '../harness/running-controller.js';
import { Website, websiteOperator } from './website.js';
import { type Behaviour, Widget, widgetOperator } from './widget.js';

let running: RunningController | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(behaviour: Behaviour, options?: StartOptions): Promise<RunningController> {
  running = await RunningController.start(widgetOperator(behaviour), options);
  return running;
}

const widget = (name: string, spec = {}) => Widget({ metadata: { name }, spec });
const USER = 'system:serviceaccount:widget-operator-system:widget-operator';

describe('what triggers a run', () => {
  test('H36: a finalizer that somebody takes away is put back, and a deletion is seen', async () => {
    const finalized: string[] = [];
    const { cluster } = await start({
      reconcile: ({ done }) => done(),
      finalize: ({ object }) => void finalized.push(object.metadata.name),
    });
    await cluster.create(widget('a'));
    const has = ({ metadata }: Widget): boolean => metadata.finalizers?.includes('test.example.com/widget') === true;
    await cluster.until(Widget, 'a', has);
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { finalizers: null } }));
    await cluster.until(Widget, 'a', has);
    await cluster.delete(Widget, 'a');
    await cluster.until(Widget, 'a', 'absent');
    expect(finalized).toEqual(['a']);
  });

  test('H36 H38: nothing runs and nothing is written for an hour; after the resync time everything has run again', async () => {
    const clock = new FakeClock();
    const runs: string[] = [];
    const { cluster } = await start(
      {
        reconcile: ({ object, trigger, done }) => {
          runs.push(trigger.cause);
          return done({
            status: { size: object.spec.size },
            owned: { configs: [ConfigMap({ metadata: { name: object.metadata.name } })] },
          });
        },
      },
      { clock, cluster: { clock }, random: () => 0.5 },
    );
    await cluster.create(widget('a'));
    await running?.settled();
    const mark = cluster.requests.mark;
    runs.length = 0;
    for (let minute = 0; minute < 60; minute += 5) {
      clock.advance('5m');
      await running?.settled();
    }
    expect(runs).toEqual([]);
    clock.advance('9h');
    await running?.settled();
    expect(runs).toEqual(['resync']);
    expect(cluster.requests.since(mark).writes().byUser(USER).all).toEqual([]);
  });

  test.each([
    ['the shortest', 0, 9 * 3_600],
    ['the longest', 1, 11 * 3_600],
  ])('resyncs are spread, so that objects that started together do not come together: %s', async (_name, random, seconds) => {
    const clock = new FakeClock();
    const runs: string[] = [];
    const behaviour: Behaviour = {
      reconcile: ({ trigger, done }) => {
        runs.push(trigger.cause);
        return done();
      },
    };
    const { cluster } = await start(behaviour, { clock, cluster: { clock }, random: () => random });
    await cluster.create(widget('a'));
    await running?.settled();
    runs.length = 0;
    clock.advance((seconds - 1) * 1_000);
    await running?.settled();
    expect(runs).toEqual([]);
    clock.advance(1_000);
    await running?.settled();
    expect(runs).toEqual(['resync']);
  });

  test('H40: a requeue in 720 hours does not come early', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          return done({ requeueAfter: '720h' });
        },
      },
      { clock, cluster: { clock }, resyncMs: Number.POSITIVE_INFINITY },
    );
    await cluster.create(widget('a'));
    await running?.settled();
    clock.advance('719h');
    await running?.settled();
    expect(runs).toBe(1);
    clock.advance('2h');
    await running?.settled();
    expect(runs).toBe(2);
  });
});

describe('load', () => {
  test('H32: however many objects there are, no more are worked on at once than asked for', async () => {
    let now = 0;
    let most = 0;
    const seen = new Set<string>();
    const { cluster } = await start(
      {
        reconcile: async ({ object, done }) => {
          now += 1;
          most = Math.max(most, now);
          await new Promise((resolve) => setImmediate(resolve));
          now -= 1;
          seen.add(object.metadata.name);
          return done();
        },
      },
      { concurrency: 3 },
    );
    await running?.stop();
    await Promise.all(Array.from({ length: 200 }, (_, index) => cluster.create(widget(`w${index}`))));
    await running?.begin();
    await running?.settled();
    expect([seen.size, most]).toEqual([200, 3]);
  });

  test('H33 TR5: after many failures one more is not an end, though nothing happens any more', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const { cluster } = await start(
      {
        reconcile: ({ done }) => {
          runs += 1;
          if (runs < 12) throw new Error(`no ${runs}`);
          return done({ status: { size: 1 } });
        },
      },
      { clock, cluster: { clock } },
    );
    await cluster.create(widget('a', { secret: 's' }));
    for (let tries = 0; tries < 6; tries += 1) {
      await running?.settled();
      clock.advance('5m');
    }
    await running?.settled();
    const before = runs;
    await cluster.create(Secret({ metadata: { name: 's' } }));
    await running?.settled();
    // The change is looked at without the wait, and fails as well.
    expect(runs).toBe(before + 1);
    for (let tries = 0; tries < 8; tries += 1) {
      clock.advance('5m');
      await running?.settled();
    }
    expect((await cluster.get(Widget, 'a')).status?.size).toBe(1);
  });

  test('H64: a hundred thousand runs under one signal leave no listener and no timer', async () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    for (let run = 0; run < 100_000; run += 1) {
      await limited(() => undefined, { clock, limitMs: 300_000, signal, onLeft: () => undefined });
      if (run % 10_000 === 0) expect([getEventListeners(signal, 'abort').length, clock.pending]).toEqual([0, 0]);
    }
    await expect(limited(() => Promise.reject(new Error('no')), { clock, limitMs: 1, signal, onLeft: () => undefined })).rejects.toThrow(
      'no',
    );
    expect([getEventListeners(signal, 'abort').length, clock.pending]).toEqual([0, 0]);
  });
});

describe('children', () => {
  const Part = defineCustomResource({
    group: 'test.example.com',
    kind: 'Part',
    versions: {
      v1: {
        spec: z.object({
          memory: k.quantity().optional(),
          port: k.intOrString().optional(),
          mode: z.string().default('fast'),
          tags: k.set(z.string()).default([]),
        }),
      },
    },
  });

  const desired = () => ({
    parts: [Part({ metadata: { name: 'p' }, spec: { memory: '1024Mi', port: 80, tags: ['b', 'a'] } })],
    services: [
      Service({
        metadata: { name: 's' },
        spec: {
          selector: { a: 'b' },
          ports: [{ port: 80 }, { port: 443, name: 'https', targetPort: 'https' }].map((port, index) => ({ name: `p${index}`, ...port })),
        },
      }),
    ],
    deployments: [
      Deployment({
        metadata: { name: 'd', annotations: {} },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: {
            metadata: { labels: { a: 'b' } },
            spec: {
              tolerations: [{ key: 'x', operator: 'Exists' }],
              volumes: [{ name: 'v', emptyDir: { sizeLimit: '1024Mi' } }],
              containers: [
                {
                  name: 'b',
                  image: 'b',
                  resources: { requests: { cpu: '1000m', memory: '0.5Gi' }, limits: { cpu: 1 as never } },
                  securityContext: { privileged: false },
                },
                {
                  name: 'a',
                  image: 'a',
                  env: [
                    { name: 'Z', value: '' },
                    { name: 'A', value: '1' },
                  ],
                  ports: [{ containerPort: 80 }],
                },
              ],
            },
          },
        },
      }),
    ],
  });

  test('H39: quantities, defaults and lists of any order are written once, and after a restart at most once without effect', async () => {
    const controller = defineController({
      name: 'parts',
      for: Widget,
      owns: { parts: Part, services: Service, deployments: Deployment },
      reconcile: ({ done }): Done => done({ owned: desired() as never }),
    });
    running = await RunningController.start(defineOperator({ name: 'widget-operator', controllers: [controller] }), {
      cluster: { resources: [Part.customResource] },
    });
    const { cluster } = running;
    await cluster.create(widget('a'));
    await running.settled();
    const revisions = async (): Promise<unknown[]> =>
      [await cluster.get(Part, 'p'), await cluster.get(Service, 's'), await cluster.get(Deployment, 'd')].map(
        ({ metadata }) => metadata.resourceVersion,
      );
    expect(running.log.lines.filter(({ level }) => /warn|error/.test(level))).toEqual([]);
    const before = await revisions();
    const mark = cluster.requests.mark;
    for (let run = 0; run < 5; run += 1) {
      await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { run: String(run) } } }));
      await running.settled();
    }
    expect(cluster.requests.since(mark).writes().byUser(USER).all).toEqual([]);
    await running.stop();
    await running.begin();
    await running.settled();
    const again = cluster.requests.since(mark).writes().byUser(USER).all;
    expect(again.length).toBeLessThanOrEqual(3);
    await cluster.patch(Widget, 'a', mergePatch({ metadata: { labels: { run: 'last' } } }));
    await running.settled();
    expect(cluster.requests.since(mark).writes().byUser(USER).length).toBe(again.length);
    expect(await revisions()).toEqual(before);
  });

  test('H45: a body that is applied leaves finalizer and status, whatever comes first, and the object can go', async () => {
    const order: string[] = [];
    const inner = defineController({
      name: 'inner',
      for: Widget,
      reconcile: ({ object, done }) => {
        order.push('status');
        return done({ status: { size: object.spec.size } });
      },
      finalize: () => void order.push('finalize'),
    });
    running = await RunningController.start(defineOperator({ name: 'widget-operator', controllers: [inner] }));
    const { cluster } = running;
    const apply = (size: number) =>
      cluster.apply(Widget({ metadata: { name: 'a' }, spec: { size } }), { fieldManager: 'outer/parents', force: true });
    for (const size of [1, 2, 3]) {
      await apply(size);
      await running.settled();
      const { metadata, status } = await cluster.get(Widget, 'a');
      expect([metadata.finalizers, status?.size]).toEqual([['test.example.com/inner'], size]);
    }
    await running.stop();
    await cluster.patchStatus(Widget, 'a', { size: 9 });
    await apply(4);
    await running.begin();
    await running.settled();
    expect((await cluster.get(Widget, 'a')).status?.size).toBe(4);
    await cluster.delete(Widget, 'a');
    await cluster.until(Widget, 'a', 'absent');
    expect(order.at(-1)).toBe('finalize');
  });
});

describe('rights', () => {
  test('H51: without any one of its rules an operator says what it may not, and works again when it may', async () => {
    running = await RunningController.start(websiteOperator);
    const { cluster } = running;
    const roles = await cluster.list(ClusterRole);
    const rules = roles.flatMap(({ metadata: { name, labels }, rules: given = [] }) =>
      labels?.['app.kubernetes.io/name'] === 'website-operator' || name.startsWith('website-operator')
        ? given
            .filter(({ apiGroups = [] }) => !apiGroups.some((group) => /authenti|authori/.test(group)))
            .map((rule, index) => ({ name, rule, index, given }))
        : [],
    );
    expect(rules.length).toBeGreaterThan(3);
    const unseen: string[] = [];
    const without = (rule: (typeof rules)[number]['rule'], resource: string) => ({
      ...rule,
      resources: (rule.resources ?? []).filter((left) => left !== resource),
    });
    for (const { name, rule, given } of rules) {
      for (const resource of rule.resources ?? []) {
        if (/events|leases|finalizers|customresourcedefinitions|secrets|webhookconfig/.test(resource)) continue;
        await running.stop();
        await cluster.patch(
          ClusterRole,
          { name },
          mergePatch({
            rules: given.map((one) => (one === rule ? without(rule, resource) : one)).filter(({ resources = [] }) => resources.length > 0),
          }),
        );
        running.log.lines.length = 0;
        const website = `w-${resource.replace('/', '-')}`;
        await running.begin();
        await cluster.create(Website({ metadata: { name: website }, spec: {} }));
        const told = (): boolean =>
          running?.log.lines.some(
            ({ level, message, fields }) =>
              /warn|error/.test(level) && `${message} ${String((fields as { error?: unknown }).error ?? '')}`.includes(resource),
          ) === true;
        await cluster.until(told).catch(() => unseen.push(`${rule.verbs.join()} ${resource}`));
        await cluster.patch(ClusterRole, { name }, mergePatch({ rules: given }));
        await cluster.until(Website, website, { status: { observedGeneration: 1 } });
      }
    }
    expect(unseen).toEqual([]);
  });
});
