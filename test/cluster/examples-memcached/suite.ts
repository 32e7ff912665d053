import { jsonPatch, mergePatch, type RunningOperator, type StoredOf } from '@keelson/testing';
import { ClusterRole, Deployment, EventsV1Event, Pod, Secret } from 'keelson/kinds';
import { Memcached } from '../../../examples/memcached/memcached.js';
import { type LogLine, MemoryLog } from '../../runtime/harness/running-controller.js';
import { untilForbidden, unusedRights } from '../examples-harness/index.js';
import { retryRefused } from '../harness/retry-refused.js';
import { heldFinalizers } from './held-finalizers.js';
import { ASKED_BY_A_PLUGIN, grantedRules } from './rights.js';
import type { World } from './world.js';

type StoredMemcached = StoredOf<typeof Memcached>;
type Conditions = NonNullable<NonNullable<Memcached['status']>['conditions']>;

const memcached = (name: string, spec: Partial<Memcached['spec']> = {}) =>
  Memcached({ metadata: { name }, spec: { image: 'memcached:1.6', ...spec } });
const podsOf = (name: string) => ({ labels: { 'app.kubernetes.io/instance': name } });
const isReady = (size: number) => ({ status: { replicas: size, conditions: [{ type: 'Ready', status: 'True' }] } }) as const;

interface History {
  /** Ends when the given state has come: a watch may be behind what a read answers. */
  readonly end: (last: StoredMemcached) => Promise<StoredMemcached[]>;
  /** Ends with the first deletion. */
  readonly deleted: () => Promise<StoredMemcached[]>;
}

/** Every state of the Memcacheds from here on. */
async function follow(cluster: World['cluster']): Promise<History> {
  const seen: StoredMemcached[] = [];
  const stop = new AbortController();
  const stream = await cluster.watch(Memcached, { namespace: cluster.namespace, signal: stop.signal });
  const following = (async () => {
    for await (const event of stream) {
      if (event.type !== 'BOOKMARK') seen.push(event.object);
      if (event.type === 'DELETED') return;
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  const whole = async () => {
    await following;
    stop.abort();
    return seen;
  };
  return {
    deleted: whole,
    end: async ({ metadata: { resourceVersion } }) => {
      await cluster.until(() => seen.some(({ metadata }) => metadata.resourceVersion === resourceVersion));
      stop.abort();
      return whole();
    },
  };
}

/** What the memcached example does, told by what the API shows: the same in the process and on real binaries, under exactly the rights of its manifests. */
export function memcachedSuite(start: () => Promise<World>): void {
  let world: World;
  let cluster: World['cluster'];
  let running: RunningOperator;
  const log = new MemoryLog();
  beforeAll(async () => {
    world = await start();
    cluster = world.cluster;
    running = await cluster.startOperator({ log });
    await webhooksInForce(cluster);
  });
  afterAll(() => world?.close());

  const nodesOf = async (name: string): Promise<string[]> => {
    const pods = await cluster.list(Pod, podsOf(name));
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.name);
  };
  const conditionsOf = async (name: string): Promise<Conditions> => (await cluster.get(Memcached, name)).status?.conditions ?? [];

  test('2C-1, 2C-17: created, it goes from unknown to ready; each condition moves its time with its status alone', async () => {
    const history = await follow(cluster);
    const { metadata } = await cluster.create(memcached('first', { size: 3 }));
    await cluster.until(Memcached, 'first', isReady(3));
    const last = await cluster.get(Memcached, 'first');
    const seen = await history.end(last);

    expect(last.metadata.finalizers).toEqual(['cache.example.com/memcached']);
    const states = seen.map(({ status }) => status?.conditions ?? []).filter(({ length }) => length > 0);
    expect(states.map((conditions) => conditions[0]?.status)).toEqual(expect.arrayContaining(['Unknown', 'True']));
    expect(states[0]?.map(({ type, status }) => [type, status])).toEqual([
      ['Available', 'Unknown'],
      ['Ready', 'Unknown'],
    ]);
    for (const conditions of states) {
      expect(new Set(conditions.map(({ type }) => type)).size).toBe(conditions.length);
      expect(conditions.map(({ observedGeneration }) => observedGeneration)).toEqual(conditions.map(() => 1));
    }
    states.slice(1).forEach((conditions, index) => {
      for (const { type, status, lastTransitionTime } of conditions) {
        const before = states[index]?.find((condition) => condition.type === type);
        if (before?.status === status) expect(lastTransitionTime).toBe(before.lastTransitionTime);
      }
    });

    const child = await cluster.get(Deployment, 'first');
    expect(child.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'cache.example.com/v1alpha1',
        kind: 'Memcached',
        name: 'first',
        uid: metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
  });

  test.each([
    [0, 'spec.size in body should be greater than or equal to 1'],
    [-1, 'spec.size in body should be greater than or equal to 1'],
    [6, 'spec.size in body should be less than or equal to 5'],
  ])('2C-2: the size %i is refused by the schema', async (size, message) => {
    await expect(cluster.create(memcached('refused', { size }))).rejects.toMatchObject({
      status: { code: 422 },
      message: expect.stringContaining(message),
    });
  });

  test('2C-3: what is left out is filled in, and makes a Deployment that the API server takes', async () => {
    await cluster.create(memcached('defaulted'));
    await cluster.until(Memcached, 'defaulted', isReady(3));
    const { spec } = await cluster.get(Deployment, 'defaulted');
    expect(spec?.replicas).toBe(3);
    expect(spec?.template?.spec?.containers[0]?.ports).toMatchObject([{ containerPort: 11211 }]);
  });

  test('2C-3: the webhook asks for memory where the user did not', async () => {
    const { spec } = await cluster.create(memcached('memory', { size: 1, resources: { limits: { memory: '80Mi' } } }));
    expect(spec.resources).toEqual({ limits: { memory: '80Mi' }, requests: { memory: '80Mi' } });
    expect((await cluster.get(Memcached, 'defaulted')).spec.resources).toEqual({ requests: { memory: '96Mi' } });
  });

  test('2C-4: an even size is refused by the webhook, on create and on update; one that is there already stays', async () => {
    const even = { status: { code: 422 }, message: expect.stringContaining('spec.size: Invalid value: 2: must be odd') };
    await expect(cluster.create(memcached('even', { size: 2 }))).rejects.toMatchObject(even);
    await cluster.create(memcached('even', { size: 1 }));
    const resized = cluster.patch(Memcached, 'even', mergePatch({ spec: { size: 2 } }));
    await expect(resized).rejects.toMatchObject(even);
    // The subresource is not what the webhook asked to judge.
    await cluster.client.scale(Memcached).patch({ name: 'even', namespace: cluster.namespace }, mergePatch({ spec: { replicas: 2 } }));
    await cluster.patch(Memcached, 'even', mergePatch({ metadata: { labels: { kept: 'yes' } } }));
    await cluster.until(Memcached, 'even', isReady(2));
  });

  test('2C-5, 2C-16: the scale subresource resizes, and the nodes are the live pods in order', async () => {
    await cluster.create(memcached('scaled', { size: 1 }));
    await cluster.until(Memcached, 'scaled', isReady(1));
    for (const replicas of [3, 1]) {
      await cluster.client.scale(Memcached).patch({ name: 'scaled', namespace: cluster.namespace }, mergePatch({ spec: { replicas } }));
      await cluster.until(Memcached, 'scaled', isReady(replicas));
      expect((await cluster.get(Deployment, 'scaled')).spec?.replicas).toBe(replicas);
      expect((await cluster.get(Memcached, 'scaled')).status?.nodes).toEqual((await nodesOf('scaled')).sort());
    }
    const scale = await cluster.client.scale(Memcached).get({ name: 'scaled', namespace: cluster.namespace });
    expect(scale).toMatchObject({
      spec: { replicas: 1 },
      status: { replicas: 1, selector: expect.stringContaining('app.kubernetes.io/instance=scaled') },
    });
  });

  test('2C-6: a Deployment that is deleted is made anew; edited replicas are taken back', async () => {
    await cluster.create(memcached('repaired', { size: 1 }));
    const { metadata } = await cluster.until(Deployment, 'repaired', 'present');
    await cluster.delete(Deployment, 'repaired');
    await cluster.until(Deployment, 'repaired', (child) => child.metadata.uid !== metadata.uid);
    await cluster.patch(Deployment, 'repaired', mergePatch({ spec: { replicas: 4 } }));
    await cluster.until(Deployment, 'repaired', { spec: { replicas: 1 } });
    await cluster.until(Memcached, 'repaired', isReady(1));
  });

  test('2C-7: drift of image, command and labels is repaired', async () => {
    await cluster.create(memcached('drifted', { size: 1 }));
    const before = await cluster.until(Deployment, 'drifted', 'present');
    const path = '/spec/template/spec/containers/0';
    await cluster.patch(
      Deployment,
      'drifted',
      jsonPatch([
        { op: 'replace', path: `${path}/image`, value: 'memcached:1.5' },
        { op: 'replace', path: `${path}/command`, value: ['memcached'] },
        { op: 'remove', path: '/metadata/labels' },
      ]),
    );
    await cluster.until(
      Deployment,
      'drifted',
      ({ metadata, spec }) =>
        JSON.stringify([metadata.labels, spec?.template]) === JSON.stringify([before.metadata.labels, before.spec?.template]),
    );
  });

  test('a new image is rolled: the pods are new ones, the selector is the old one', async () => {
    await cluster.create(memcached('rolled', { size: 1 }));
    await cluster.until(Memcached, 'rolled', isReady(1));
    const [before, selector] = [await nodesOf('rolled'), (await cluster.get(Deployment, 'rolled')).spec?.selector];
    await cluster.patch(Memcached, 'rolled', mergePatch({ spec: { image: 'memcached:1.7' } }));
    await cluster.until(Memcached, 'rolled', ({ status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      return ready?.status === 'True' && ready.observedGeneration === 2 && status?.nodes?.length === 1 && status.nodes[0] !== before[0];
    });
    const pods = await cluster.list(Pod, podsOf('rolled'));
    // The old one may still be ending.
    const [pod] = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(pod?.spec?.containers[0]?.image).toBe('memcached:1.7');
    expect(pod?.metadata.labels?.['app.kubernetes.io/version']).toBe('1.7');
    expect((await cluster.get(Deployment, 'rolled')).spec?.selector).toEqual(selector);
  });

  test.each([
    ['port', 'host:5000/x:1', '1'],
    ['untagged', 'memcached', 'latest'],
  ])('2C-9: an image with a registry (%s: %s) gives labels that the API server takes', async (name, image, version) => {
    await cluster.create(memcached(name, { size: 1, image }));
    const { metadata } = await cluster.until(Deployment, name, 'present');
    expect(metadata.labels?.['app.kubernetes.io/version']).toBe(version);
  });

  test('2C-10: deleted, it tells so in a condition and an event, goes, and takes the Deployment along', async () => {
    const { metadata } = await cluster.create(memcached('deleted', { size: 1 }));
    await cluster.until(Memcached, 'deleted', isReady(1));
    const history = await follow(cluster);
    await cluster.delete(Memcached, 'deleted');
    await cluster.until(Memcached, 'deleted', 'absent');
    await cluster.until(Deployment, 'deleted', 'absent');
    const degraded = (await history.deleted())
      .filter(({ metadata: { uid } }) => uid === metadata.uid)
      .map(({ status }) => status?.conditions?.find(({ type }) => type === 'Degraded'));
    const told = degraded.flatMap((condition) => (condition === undefined ? [] : [`${condition.status} ${condition.reason}`]));
    expect([...new Set(told)]).toEqual(['Unknown Finalizing', 'True Finalizing']);
    const toldBy = async () => {
      const events = await cluster.list(EventsV1Event, { namespace: cluster.namespace });
      return events.find(({ regarding, reason }) => regarding?.uid === metadata.uid && reason === 'Deleting');
    };
    let event = await toldBy();
    while (event === undefined) event = await toldBy();
    expect(event).toMatchObject({ type: 'Warning', reportingController: 'memcached-operator/memcached' });
  });

  test('2C-11: while somebody else holds a deleted one, the own finalizer does not come back', async () => {
    const made = await cluster.create({ ...memcached('held', { size: 1 }), metadata: { name: 'held', finalizers: ['example.com/hold'] } });
    await cluster.until(Memcached, 'held', isReady(1));
    expect(made.metadata.finalizers).toEqual(['example.com/hold']);
    await cluster.delete(Memcached, 'held');
    await cluster.until(Memcached, 'held', { metadata: { finalizers: ['example.com/hold'] } });
    await cluster.settled();
    const { mark } = cluster.requests;
    await cluster.patch(Memcached, 'held', mergePatch({ metadata: { annotations: { touched: 'yes' } } }));
    await cluster.settled();
    cluster.requests.since(mark).expectNoWrites();
    await cluster.patch(Memcached, 'held', mergePatch({ metadata: { finalizers: null } }));
    await cluster.until(Memcached, 'held', 'absent');
  });

  test('2C-12: without an operator a deleted one waits; the next operator lets it go', async () => {
    await cluster.create(memcached('waiting', { size: 1 }));
    await cluster.until(Memcached, 'waiting', isReady(1));
    await running.stop();
    await cluster.delete(Memcached, 'waiting');
    expect((await cluster.get(Memcached, 'waiting')).metadata.deletionTimestamp).toBeDefined();
    running = await cluster.startOperator({ log });
    await cluster.until(Memcached, 'waiting', 'absent');
  });

  test('2C-13: two in one namespace do not count the pods of each other', async () => {
    await cluster.create(memcached('one', { size: 1 }));
    await cluster.create(memcached('two', { size: 3 }));
    await cluster.until(Memcached, 'one', isReady(1));
    await cluster.until(Memcached, 'two', isReady(3));
    const [one, two] = await Promise.all(['one', 'two'].map(async (name) => (await cluster.get(Memcached, name)).status?.nodes ?? []));
    expect([one?.length, two?.length, new Set([...(one ?? []), ...(two ?? [])]).size]).toEqual([1, 3, 4]);
  });

  test('2C-15: a container that is killed is restarted; Available and Ready follow', async () => {
    await cluster.create(memcached('killed', { size: 1 }));
    await cluster.until(Memcached, 'killed', isReady(1));
    const [pod = ''] = await nodesOf('killed');
    await world.setReady(pod, false);
    await cluster.until(Memcached, 'killed', {
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'NoPodAvailable' }] },
    });
    await world.setReady(pod, true);
    await cluster.until(Memcached, 'killed', isReady(1));
    await world.crash(pod);
    await cluster.until(Pod, pod, ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1);
    await cluster.until(Memcached, 'killed', isReady(1));
    expect((await conditionsOf('killed'))[0]).toMatchObject({ type: 'Available', status: 'True' });
  });

  test('2C-16, 2C-19: an operator that is started again writes nothing', async () => {
    await cluster.settled();
    await running.stop();
    const versions = async () => (await cluster.list(Memcached)).map(({ metadata }) => [metadata.name, metadata.resourceVersion]);
    const before = await versions();
    expect(before.length).toBeGreaterThan(5);
    const { mark } = cluster.requests;
    running = await cluster.startOperator({ log });
    await cluster.until(() => running.readinessProblems.length === 0);
    await cluster.settled();
    cluster.requests.since(mark).expectNoWrites();
    expect(await versions()).toEqual(before);
  });

  const marksOf = ({ metadata: { annotations = {} } }: Deployment): Record<string, string> =>
    Object.fromEntries(Object.entries(annotations).filter(([name]) => name.startsWith('keelson.dev/')));

  test('a child that nobody wants any more is deleted', async () => {
    const { apiVersion, kind, metadata } = await cluster.create(memcached('pruned', { size: 1 }));
    const child = await cluster.until(Deployment, 'pruned', 'present');
    const owner = { apiVersion, kind, name: 'pruned', uid: metadata.uid, controller: true, blockOwnerDeletion: true };
    await cluster.create(
      // With the mark of what this controller applied: what others made with its owner reference is theirs.
      Deployment({
        metadata: { name: 'stray', ownerReferences: [owner], annotations: marksOf(child) },
        spec: child.spec as NonNullable<Deployment['spec']>,
      }),
    );
    await cluster.until(Deployment, 'stray', 'absent');
  });

  test('nothing that went well is told as a problem', () => {
    // Of the machine, not of the operator: API server, compiler and test may share one thread with it.
    const isOfMachine = ({ message }: LogLine): boolean => message.startsWith('the event loop was blocked');
    // The operator of 2C-12 finds it as it starts: it may ask before its webhooks, which the change is for, have their certificate.
    const isOfStart = ({ fields: { object, error } }: LogLine): boolean =>
      object === `${cluster.namespace}/waiting` && error instanceof Error && error.message.includes('failed calling webhook');
    const problems = log.lines.filter(({ level }) => level === 'warn' || level === 'error');
    expect(problems.filter((line) => !isOfMachine(line) && !isOfStart(line))).toEqual([]);
  });

  test('2C-21: nothing was refused, and every right that is granted has been used', async () => {
    // Somebody's policy keeps the finalizer: the object is read anew, and finalized and told of again.
    const policy = await heldFinalizers(cluster, 'contended');
    const { metadata } = await cluster.create(memcached('contended', { size: 1 }));
    await cluster.until(Memcached, 'contended', isReady(1));
    const { mark } = cluster.requests;
    await cluster.delete(Memcached, 'contended');
    // Of this object: another one may have been told of again before.
    await cluster.until(() =>
      cluster.requests
        .since(mark)
        .filter({ verb: 'patch', kind: EventsV1Event })
        .all.some(({ name }) => name.startsWith('contended.')),
    );
    await policy.remove();
    await cluster.until(Memcached, 'contended', 'absent');
    await cluster.until(async () => {
      const events = await cluster.list(EventsV1Event, { namespace: cluster.namespace });
      const [deleting, ...others] = events.filter(({ regarding }) => regarding?.uid === metadata.uid);
      expect([deleting?.reason, others]).toEqual(['Deleting', []]);
      // As many as there were when the series was written: each try to finalize it tells of it.
      expect(deleting?.series?.count).toBeGreaterThanOrEqual(2);
    });

    await running.stop();
    // Somebody damages the certificate: it is issued anew.
    const secret = `${NAMESPACE}/memcached-operator-certificate`;
    await cluster.patch(Secret, secret, mergePatch({ data: { 'tls.crt': Buffer.from('damaged').toString('base64') } }));
    world.age?.();
    running = await cluster.startOperator({ log, settings: { leaseName: 'memcached-operator' } });
    await cluster.until(() => running.isLeader && running.isIdle);
    await running.stop();
    cluster.requests.expectNoneDenied();
    expect(unusedRights(grantedRules(), cluster.requests)).toEqual([ASKED_BY_A_PLUGIN]);
  });

  test('2C-21: the right that no request uses is one that a plugin of the API server asks for', async () => {
    const { rules = [] } = await cluster.get(ClusterRole, 'memcached-operator');
    const without = rules.filter(({ resources }) => !resources?.includes('memcacheds/finalizers'));
    expect(without).toHaveLength(rules.length - 1);
    await cluster.patch(ClusterRole, 'memcached-operator', mergePatch({ rules: without }));
    await untilForbidden(cluster, ACCOUNT, {
      verb: 'update',
      group: 'cache.example.com',
      resource: 'memcacheds',
      subresource: 'finalizers',
    });
    running = await cluster.startOperator({ log });
    await cluster.create(memcached('bereft', { size: 1 }));
    if (!world.hasOwnerPlugin) {
      await cluster.until(Memcached, 'bereft', isReady(1));
      return;
    }
    const message = expect.stringContaining(
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
    );
    await cluster.until(Memcached, 'bereft', ({ status }) => {
      expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'False', message }, {}]);
    });
    await cluster.patch(ClusterRole, 'memcached-operator', mergePatch({ rules }));
    await cluster.until(Memcached, 'bereft', isReady(1));
  });
}

const NAMESPACE = 'memcached-operator-system';
const ACCOUNT = `system:serviceaccount:${NAMESPACE}:memcached-operator`;

/** A server takes up what it is to trust a moment after that was written. */
async function webhooksInForce(cluster: World['cluster']): Promise<void> {
  await retryRefused(() => cluster.create(memcached('probe'), { dryRun: true }), { codes: [500] });
}
