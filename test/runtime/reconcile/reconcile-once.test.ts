import { counter, defineController, defineCustomResource, external, gauge, histogram, own, read, TerminalError, watch } from 'keelson';
import { ConfigMap, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';
import { finalizeOnce, reconcileOnce } from '../../../src/runtime/reconcile/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Website, websiteController } from './website.js';
import { type Behaviour, Widget, widgetOperator } from './widget.js';

function widgetController(behaviour: Behaviour) {
  const [controller] = widgetOperator(behaviour).controllers;
  if (controller === undefined) throw new Error('no controller');
  return controller;
}

test("calls of the operator's own metrics are recorded", async () => {
  const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
  const measured = defineController({
    name: 'site',
    for: Site,
    uses: {
      sites: gauge('sites', 'Sites.', ['state']),
      runs: counter('runs_total', 'Runs.'),
      seconds: histogram('load_seconds', 'Time to load.'),
    },
    reconcile({ sites, runs, seconds, done }) {
      sites.set({ state: 'ready' }, 2);
      sites.remove({ state: 'gone' });
      seconds.observe({}, 0.5);
      runs.inc({});
      return done();
    },
  });
  const { metrics } = await reconcileOnce(measured, { object: { metadata: { name: 'a' } } });
  expect(metrics).toEqual([
    { handle: 'sites', verb: 'set', labels: { state: 'ready' }, value: 2 },
    { handle: 'sites', verb: 'remove', labels: { state: 'gone' } },
    { handle: 'seconds', verb: 'observe', labels: {}, value: 0.5 },
    { handle: 'runs', verb: 'inc', labels: {} },
  ]);
});

test('an ignored object, and an event about another one, are recorded as such', async () => {
  const regarding = Secret({ metadata: { name: 's', namespace: 'c' } });
  const controller = widgetController({
    reconcile: ({ events, done }) => {
      events.warning('Invalid', 'no key', { regarding });
      return done({ ignored: true });
    },
  });
  const { ignored, events, status } = await reconcileOnce(controller, { object: { metadata: { name: 'a' } } });
  expect({ ignored, status }).toEqual({ ignored: true, status: undefined });
  expect(events).toEqual([
    { type: 'Warning', reason: 'Invalid', note: 'no key', regarding: { kind: 'Secret', name: 's', namespace: 'c' } },
  ]);
});

test('from what is observed to what is wanted, without a server', async () => {
  const object = Website({ metadata: { name: 'a' }, spec: { title: 'A' } });
  const observed = [{ metadata: { name: 'a' }, status: { readyReplicas: 1 } }];
  const outcome = await reconcileOnce(websiteController, { object, deployments: observed });
  expect(
    Object.entries(outcome.owned ?? {}).map(
      ([handle, children = []]) => `${handle}: ${children.map(({ metadata }) => metadata.name).join()}`,
    ),
  ).toEqual(['configs: a', 'deployments: a', 'services: a']);
  expect(outcome).toMatchObject({ status: { replicas: 1 }, conditions: [{ type: 'Ready', status: true }], events: [], writes: [] });
});

test('handles are scoped and indexed as they are in a cluster; what is written is recorded', async () => {
  const controller = widgetController({
    reconcile: async ({ pods, nodes, events, done }) => {
      events.warning(
        'Found',
        `${pods.list().length} of ${pods.list({ namespace: '*' }).length}, ${pods.list({ index: { node: 'n1' } }).length} on n1`,
      );
      events.normal('Nodes', (await nodes.list()).map(({ metadata }) => metadata.name).join());
      await pods.patch('p', { metadata: { labels: { a: 'b' } } });
      return done();
    },
  });
  const { events, writes } = await reconcileOnce(controller, {
    object: Widget({ metadata: { name: 'a' }, spec: {} }),
    pods: [
      Pod({ metadata: { name: 'p' }, spec: { nodeName: 'n1', containers: [] } }),
      Pod({ metadata: { name: 'q', namespace: 'other' }, spec: { containers: [] } }),
    ],
    nodes: [{ metadata: { name: 'n1' } }],
  });
  expect(events).toEqual([
    { type: 'Warning', reason: 'Found', note: '1 of 2, 1 on n1' },
    { type: 'Normal', reason: 'Nodes', note: 'n1' },
  ]);
  expect(writes).toEqual([{ handle: 'pods', verb: 'patch', arguments: ['p', { metadata: { labels: { a: 'b' } } }] }]);
});

test('defaults are there, and the object cannot be changed', async () => {
  const controller = widgetController({
    reconcile: ({ object, done }) => {
      expect(object.spec.size).toBe(1);
      expect(object.metadata.namespace).toBe('default');
      expect(() => Object.assign(object.spec, { size: 2 })).toThrow(TypeError);
      return done();
    },
  });
  await reconcileOnce(controller, { object: { metadata: { name: 'a' }, spec: {} } });
  expect.assertions(3);
});

test('what is thrown comes through; what is not an outcome, no handle, no finalize is told', async () => {
  const failing = widgetController({ reconcile: () => Promise.reject(new TerminalError('no')) });
  const object = Widget({ metadata: { name: 'a' }, spec: {} });
  await expect(reconcileOnce(failing, { object })).rejects.toThrow(TerminalError);
  await expect(reconcileOnce(failing, { object, podz: [] })).rejects.toThrow(
    "controller widget declares no handle 'podz'; it has configs, secrets, pods, nodes",
  );
  await expect(reconcileOnce(failing, { object, pods: {} })).rejects.toThrow("the observation of 'pods' is not a list of objects");
  await expect(finalizeOnce(failing, { object })).rejects.toThrow('controller widget declares no finalize');
  const wrong = defineController({ name: 'wrong', for: ConfigMap, owns: { secrets: Secret }, reconcile: () => undefined as never });
  const returned = reconcileOnce(wrong, { object: { metadata: { name: 'a' } } });
  await expect(returned).rejects.toThrow('reconcile returned undefined');
  await expect(returned).rejects.toMatchObject({ code: 'KEELSON_OUTCOME_INVALID', actor: 'author' });
  await expect(finalizeOnce(failing, { object })).rejects.toMatchObject({ code: 'KEELSON_HANDLE', actor: 'author' });
});

test.each<[string, Behaviour['reconcile'], string]>([
  [
    'a handle that is not declared',
    ({ done }) => done({ owned: { confgs: [] } as object }),
    'owned.confgs: is not a handle of owns; known are configs',
  ],
  [
    'a handle that is not declared, during the run',
    async ({ owned, done }) => {
      await owned.apply({ confgs: [] } as object);
      return done();
    },
    'owned.confgs: is not a handle of owns; known are configs',
  ],
  [
    'a child of another kind',
    ({ done }) => done({ owned: { configs: [Secret({ metadata: { name: 's' } }) as never] } }),
    "owned.configs[0]: Secret s (v1) is not of the handle's kind",
  ],
  ['a word that nobody knows', ({ done }) => done({ statsu: {} } as object), 'done({ statsu }): is not a field of an outcome'],
  ['a status field that the schema lacks', ({ done }) => done({ status: { siez: 1 } as object }), 'status.siez: not in the schema (size?)'],
])('%s is refused as in a process', async (_, reconcile, message) => {
  const object = Widget({ metadata: { name: 'a' }, spec: {} });
  await expect(reconcileOnce(widgetController({ reconcile }), { object })).rejects.toThrow(message);
});

test('a word of reconcile that finalize does not have is refused', async () => {
  const finalize: Behaviour['finalize'] = ({ done }) => done({ ignored: true } as object);
  const controller = widgetController({ reconcile: ({ done }) => done(), finalize });
  await expect(finalizeOnce(controller, { object: { metadata: { name: 'a' }, spec: {} } })).rejects.toThrow(
    'done({ ignored }): is not a field of the outcome of finalize, which has status, conditions, requeueAfter, requeueAt, retry',
  );
});

test('finalize is called as reconcile is', async () => {
  const controller = widgetController({
    reconcile: ({ done }) => done(),
    finalize: async ({ object, pods }) => pods.delete(object.metadata.name),
  });
  expect(await finalizeOnce(controller, { object: { metadata: { name: 'a' }, spec: {} } })).toEqual({
    events: [],
    statusWrites: [],
    writes: [{ handle: 'pods', verb: 'delete', arguments: ['a'] }],
  });
});

test('what finalize tells is told; what done did not make, and children, are refused', async () => {
  const object = { metadata: { name: 'a' }, spec: {} };
  const finalizing = (finalize: Parameters<typeof widgetController>[0]['finalize'] & object) =>
    finalizeOnce(widgetController({ reconcile: ({ done }) => done(), finalize }), { object });
  const conditions = [{ type: 'Degraded', status: 'Unknown', reason: 'Finalizing' }] as const;
  expect(await finalizing(({ done }) => done({ status: { size: 0 }, conditions, requeueAfter: '10s' }))).toEqual({
    status: { size: 0 },
    conditions,
    requeueAfterMs: 10_000,
    statusWrites: [],
    writes: [],
    events: [],
  });
  await expect(finalizing(() => ({ conditions }) as never)).rejects.toThrow(
    'finalize returned {"conditions":[{"type":"Degraded","status":"Unknown","reason":"Finalizing"}]}; end it with return done({ ... }), or return nothing when all is clean',
  );
  await expect(finalizing(({ done }) => done({ owned: [] } as never))).rejects.toThrow(
    'done({ owned }) in finalize: an object that is being deleted gets no children',
  );
  await expect(finalizing(({ done }) => done({ conditions: [{ type: 'Degraded' }] } as never))).rejects.toThrow(
    'done({ conditions }): [{"type":"Degraded"}] is not a list of',
  );
});

test('the run is given the time, the trigger, the signal and the log that the test gives, or else those of a quiet first run', async () => {
  let seen: unknown[] = [];
  const controller = widgetController({
    reconcile: ({ now, trigger, signal, log, done }) => {
      log.info('it runs');
      seen = [now(), trigger, signal];
      return done();
    },
  });
  const object = { metadata: { name: 'a' }, spec: {} };
  const [now, trigger, { signal }, log] = [new Date(7), { cause: 'resync' } as const, new AbortController(), new MemoryLog()];
  await reconcileOnce(controller, { object, now, trigger, signal, log });
  expect([seen[0], seen[1]]).toEqual([now, trigger]);
  expect(seen[2]).toBe(signal);
  expect(log.texts).toEqual(['info it runs']);
  await reconcileOnce(controller, { object });
  expect([seen[0], seen[1]]).toEqual([new Date('2030-01-01T00:00:00Z'), { cause: 'object' }]);
  expect((seen[2] as AbortSignal).aborted).toBe(false);
});

test('children that are applied amid the run are recorded one by one; a handle that is given none has none', async () => {
  const [one, two] = ['one', 'two'].map((name) => ConfigMap({ metadata: { name } }));
  const controller = widgetController({
    reconcile: async ({ owned, configs, done }) => {
      await owned.apply({ configs: undefined } as never);
      const before = configs.list().length;
      await owned.apply({ configs: [one, two] } as never);
      return done({ status: { size: 10 * before + configs.list().length } });
    },
  });
  const { writes, status } = await reconcileOnce(controller, { object: { metadata: { name: 'a' }, spec: {} } });
  expect(writes).toEqual([one, two].map((child) => ({ handle: 'configs', verb: 'apply', arguments: [child] })));
  expect(status).toEqual({ size: 2 });
});

test('a polled value is as old as the run, or has not been read; a subscription has no error', async () => {
  let seen: unknown[] = [];
  const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
  const controller = defineController({
    name: 'site',
    for: Site,
    observes: ({ poll, subscribe }) => ({
      zone: poll({ every: '1m', read: async () => 'a zone' }),
      news: subscribe(async () => undefined),
    }),
    async reconcile({ zone, news, done }) {
      seen = [zone.value, zone.at, zone.error, await zone.refresh(), news];
      return done();
    },
  });
  const [object, now] = [{ metadata: { name: 'a' } }, new Date(7)];
  await reconcileOnce(controller, { object, now, zone: 'known' });
  expect(seen).toEqual(['known', now, undefined, 'known', { error: undefined }]);
  await reconcileOnce(controller, { object, now });
  expect(seen).toEqual([undefined, undefined, undefined, undefined, { error: undefined }]);
});

test('background work that the test says nothing of is absent, runs once it is started, and is cancelled once it is told', async () => {
  const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
  const states: unknown[] = [];
  const controller = defineController({
    name: 'site',
    for: Site,
    background: { copy: () => 'copied' },
    reconcile({ copy, done }) {
      states.push(copy.state('new'), copy.start('new'), copy.start('old'), copy.state('old'));
      copy.cancel('new');
      states.push(copy.state('new'));
      return done();
    },
  });
  const [now, old] = [new Date(7), { phase: 'done', at: new Date(3), result: 'copied' }];
  const { background } = await reconcileOnce(controller, { object: { metadata: { name: 'a' } }, now, copy: { old } } as never);
  expect(states).toEqual([{ phase: 'absent' }, { phase: 'running', since: now }, old, old, { phase: 'cancelled', at: now }]);
  expect(background).toEqual([
    { handle: 'copy', verb: 'start', key: 'new' },
    { handle: 'copy', verb: 'start', key: 'old' },
    { handle: 'copy', verb: 'cancel', key: 'new' },
  ]);
});

test('an external without a fake is named, with how to give one', async () => {
  const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });
  const controller = defineController({
    name: 'site',
    for: Site,
    uses: { dns: external<{ readonly find: () => string }>() },
    reconcile: ({ dns, done }) => done({ requeueAfter: dns.find() === 'soon' ? '1s' : '1h' }),
  });
  const object = { metadata: { name: 'a' } };
  expect((await reconcileOnce(controller, { object, dns: { find: () => 'soon' } })).requeueAfterMs).toBe(1_000);
  await expect(reconcileOnce(controller, { object } as never)).rejects.toThrow(
    "controller site uses the external 'dns'; give a fake of it: reconcileOnce(controller, { object, dns: fake })",
  );
});

describe('an optional handle', () => {
  const Site = defineCustomResource({
    group: 'web.example.com',
    kind: 'Site',
    versions: { v1: { spec: z.object({ force: z.boolean().default(false) }) } },
  });
  const seen: unknown[] = [];
  const controller = defineController({
    name: 'site',
    for: Site,
    owns: { configs: own(ConfigMap, { optional: true }) },
    watches: { pods: watch(Pod, { optional: true, verbs: ['delete'] }) },
    reads: { secrets: read(Secret, { optional: true }) },
    async reconcile({ object, configs, pods, secrets, done }) {
      seen.push([configs.isServed, pods.isServed, secrets.isServed, pods.list().length, (await secrets.list()).length]);
      if (object.spec.force) await pods.delete('a');
      const child = ConfigMap({ metadata: { name: 'a' } });
      return done({ owned: { configs: configs.isServed || object.metadata.name === 'bold' ? [child] : [] } });
    },
  });
  beforeEach(() => void seen.splice(0));
  const site = (name: string, spec: object = {}) => ({ object: { metadata: { name }, spec } });

  test('that a test leaves out is of a kind that is not served: it is empty, and writes through it fail as in a process', async () => {
    const { owned, writes } = await reconcileOnce(controller, site('a'));
    expect([seen, owned, writes]).toEqual([[[false, false, false, 0, 0]], { configs: [] }, []]);
    await expect(reconcileOnce(controller, site('a', { force: true }))).rejects.toThrow(
      'pods: the API server does not serve pods in version v1, so nothing can be written; install the CustomResourceDefinition pods, or write only while pods.isServed is true',
    );
    await expect(reconcileOnce(controller, site('bold'))).rejects.toThrow(
      'configs: the API server does not serve configmaps in version v1',
    );
  });

  test('that a test gives is of a kind that is served, be its list empty', async () => {
    const { owned, writes } = await reconcileOnce(controller, {
      ...site('a', { force: true }),
      configs: [],
      pods: [],
      secrets: [{ metadata: { name: 's' } }],
    });
    expect(seen).toEqual([[true, true, true, 0, 1]]);
    expect(owned?.['configs']).toHaveLength(1);
    expect(writes).toMatchObject([{ handle: 'pods', verb: 'delete' }]);
  });
});
