import { createServer, type Socket } from 'node:net';
import { type InProcessCluster, mergePatch, type RunningOperator, TestCluster } from '@keelson/testing';
import { ControllerRevision, Deployment, MutatingWebhookConfiguration, Namespace, Pod } from 'keelson/kinds';
import { DEADLINE_MS } from '../../test/deadline.cjs';
import { hashesOf } from './hashes.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION, SYSTEM_NAMESPACE } from './names.js';
import { hashesIn } from './pod-marks.js';
import { SidecarSet } from './sidecar-set.js';
import { operator } from './sidecarset-operator.js';

// #region start
let cluster: InProcessCluster;
let running: RunningOperator;
beforeAll(async () => {
  cluster = await TestCluster.start({
    operator,
    operatorNamespace: SYSTEM_NAMESPACE,
    workloads: true,
    namespace: 'shop',
    namespaces: ['other'],
  });
  running = await cluster.startOperator();
});
afterAll(() => cluster.close());
// #endregion

const OPERATOR = `system:serviceaccount:${SYSTEM_NAMESPACE}:${operator.name}`;

type Spec = Parameters<typeof SidecarSet>[0]['spec'];

/** A SidecarSet for Pods labelled `app: <name>`, whose sidecar has its name. */
async function createSet(name: string, spec: Partial<Spec> = {}): Promise<SidecarSet> {
  const containers = [{ name: `${name}-proxy`, image: 'proxy:1' }];
  const set = await cluster.create(
    SidecarSet({ metadata: { name }, spec: { selector: { matchLabels: { app: name } }, containers, ...spec } }),
  );
  await cluster.settled();
  return set as SidecarSet;
}

const podOf = (name: string, app: string, namespace = 'shop') =>
  Pod({ metadata: { name, namespace, labels: { app } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } });
const containersOf = async (key: string) => (await cluster.get(Pod, key)).spec?.containers.map(({ name }) => name);
const imagesOf = async (names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await cluster.get(Pod, name)).spec?.containers[1]?.image));
const countsOf = async (name: string) => {
  const { status } = await cluster.get(SidecarSet, name);
  return [status?.matchedPods, status?.updatedPods, status?.readyPods];
};
const useImage = async (set: string, image: string) => {
  await cluster.patch(SidecarSet, set, mergePatch({ spec: { containers: [{ name: `${set}-proxy`, image }] } }));
  await cluster.settled();
};

async function createPods(app: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `${app}-${index}`);
  for (const name of names) await cluster.create(podOf(name, app));
  await cluster.settled();
  return names;
}

interface SlowKubelets {
  /** The image of these Pods is there now: the container starts. */
  start(names: readonly string[]): Promise<void>;
}

/** Kubelets that have stopped a container whose image has changed, and do not have the new image yet. */
function slowKubelets(names: readonly string[]): SlowKubelets {
  const held = new Map(names.map((name) => [name, cluster.pods.holdBack(name, { before: 'running' })]));
  return {
    async start(ready) {
      for (const name of ready) held.get(name)?.release();
      await cluster.settled();
    },
  };
}

/** Those whose sidecar is to be of this image. */
async function withImage(names: readonly string[], image: string): Promise<string[]> {
  const images = await imagesOf(names);
  return names.filter((_, index) => images[index] === image);
}

test('what is created is completed, and tells its hashes', async () => {
  await createSet('complete', { containers: [{ name: 'test-sidecar', image: 'test-image:v1', ports: [{ containerPort: 80 }] }] });
  const { metadata, spec } = await cluster.get(SidecarSet, 'complete');
  expect(spec.containers).toEqual([
    {
      name: 'test-sidecar',
      image: 'test-image:v1',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    },
  ]);
  const { hash, hashWithoutImage } = hashesOf(spec);
  expect(metadata.annotations).toMatchObject({ [HASH_ANNOTATION]: hash, [HASH_WITHOUT_IMAGE_ANNOTATION]: hashWithoutImage });
  expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate', paused: false, partition: 0, maxUnavailable: 1 });
});

test.each<[string, object, string]>([
  ['an empty selector', { selector: {} }, 'spec.selector: Invalid value'],
  ['no selector', { selector: undefined }, 'spec.selector: Required value'],
  ['no containers', { containers: [] }, 'spec.containers: Invalid value'],
  ['two containers of one name', { containers: [1, 2].map(() => ({ name: 'a', image: 'a:1' })) }, 'spec.containers[1]: Duplicate value'],
  ['no image', { containers: [{ name: 'a' }] }, 'spec.containers[0].image: Required value: must name an image'],
  [
    'a canary beside a partition',
    { updateStrategy: { selector: { matchLabels: { a: 'b' } }, partition: 1 } },
    'spec.updateStrategy.partition: Invalid value',
  ],
  ['a container name in upper case', { containers: [{ name: 'A', image: 'a:1' }] }, 'spec.containers[0].name: Invalid value'],
])('%s is refused at its field', async (_, change, message) => {
  const spec = { selector: { matchLabels: { app: 'refused' } }, containers: [{ name: 'a', image: 'a:1' }], ...change } as Spec;
  await expect(cluster.create(SidecarSet({ metadata: { name: 'refused' }, spec }))).rejects.toThrow(message);
});

test('a name that is not a label is refused', async () => {
  const spec = { selector: { matchLabels: { app: 'refused' } }, containers: [{ name: 'a', image: 'a:1' }] };
  await expect(cluster.create(SidecarSet({ metadata: { name: 'a.b' }, spec }))).rejects.toThrow('metadata.name: Invalid value: "a.b"');
});

test('Pods of all namespaces get sidecars, but for those of the system and those that are labelled control-plane', async () => {
  await createSet('where');
  await cluster.create(Namespace({ metadata: { name: 'plane', labels: { 'control-plane': 'yes' } } }));
  for (const namespace of ['shop', 'other', 'plane', 'kube-system', SYSTEM_NAMESPACE]) await cluster.create(podOf('p', 'where', namespace));
  expect(await containersOf('shop/p')).toEqual(['app', 'where-proxy']);
  expect(await containersOf('other/p')).toEqual(['app', 'where-proxy']);
  for (const namespace of ['plane', 'kube-system', SYSTEM_NAMESPACE]) expect(await containersOf(`${namespace}/p`)).toEqual(['app']);
  await cluster.settled();
  expect(await countsOf('where')).toEqual([2, 2, 2]);
});

test('a dry run shows the sidecars, and counts for nothing', async () => {
  await createSet('dry');
  const shown = await cluster.create(podOf('dry-run', 'dry'), { dryRun: true });
  expect(shown.spec?.containers.map(({ name }) => name)).toEqual(['app', 'dry-proxy']);
  await cluster.settled();
  expect(await countsOf('dry')).toEqual([0, 0, 0]);
});

test('two SidecarSets add to one Pod', async () => {
  await createSet('first');
  await createSet('second', { selector: { matchLabels: { app: 'first' } } });
  await cluster.create(podOf('both', 'first'));
  expect(await containersOf('both')).toEqual(['app', 'first-proxy', 'second-proxy']);
  const pod = await cluster.get(Pod, 'both');
  expect([hashesIn(pod, 'first'), hashesIn(pod, 'second')]).not.toContain(undefined);
});

test('one name for the containers of two SidecarSets is refused, and one that the Pod has itself', async () => {
  await createSet('taken');
  const again = createSet('again', { selector: { matchLabels: { team: 'a' } }, containers: [{ name: 'taken-proxy', image: 'a:1' }] });
  await expect(again).rejects.toThrow('spec.containers[0].name: Invalid value: "taken-proxy": is taken by SidecarSet taken');
  const spec = { containers: [{ name: 'taken-proxy', image: 'app:1' }] };
  const pod = cluster.create(Pod({ metadata: { name: 'clash', labels: { app: 'taken' } }, spec }));
  await expect(pod).rejects.toThrow("spec.containers[0].name: Forbidden: 'taken-proxy' is the name of a sidecar of SidecarSet 'taken'");
});

test('Pods that a Deployment makes get sidecars too', async () => {
  await createSet('generated');
  const labels = { app: 'generated' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  await cluster.create(Deployment({ metadata: { name: 'web' }, spec: { replicas: 2, selector: { matchLabels: labels }, template } }));
  await cluster.settled();
  const pods = await cluster.list(Pod, { labels });
  expect(pods.map(({ spec }) => spec?.containers.length)).toEqual([2, 2]);
  expect(await countsOf('generated')).toEqual([2, 2, 2]);
});

test('a Pod from before is not counted, and never changed', async () => {
  const older = await cluster.create(podOf('older', 'late'));
  await cluster.settled();
  await createSet('late');
  await useImage('late', 'proxy:2');
  expect(await countsOf('late')).toEqual([0, 0, 0]);
  expect((await cluster.get(Pod, 'older')).spec).toMatchObject({ containers: older.spec?.containers });
});

test('the counts follow what Pods do', async () => {
  await createSet('counts');
  const [first = '', second = ''] = await createPods('counts', 2);
  expect(await countsOf('counts')).toEqual([2, 2, 2]);
  await cluster.pods.setReady(first, false);
  await cluster.settled();
  expect(await countsOf('counts')).toEqual([2, 2, 1]);
  await cluster.pods.setReady(first, true);
  await cluster.patch(Pod, first, mergePatch({ metadata: { labels: { app: 'left' } } }));
  await cluster.settled();
  expect(await countsOf('counts')).toEqual([1, 1, 1]);
  await cluster.patch(Pod, first, mergePatch({ metadata: { labels: { app: 'counts' } } }));
  await cluster.settled();
  expect(await countsOf('counts')).toEqual([2, 2, 2]);
  await cluster.delete(Pod, second);
  await cluster.settled();
  expect(await countsOf('counts')).toEqual([1, 1, 1]);
});

test('the status is written as such, and speaks of the generation of the spec', async () => {
  const { metadata } = await createSet('generations');
  await useImage('generations', 'proxy:2');
  const after = await cluster.get(SidecarSet, 'generations');
  expect([metadata.generation, after.metadata.generation, after.status?.observedGeneration]).toEqual([1, 2, 2]);
  const edited = { ...after, spec: { ...after.spec, injectionPaused: true }, status: { ...after.status, matchedPods: 7 } };
  const stored = await cluster.client.subresource(SidecarSet, 'status').update({ name: 'generations' }, edited);
  expect(stored).toMatchObject({ spec: { injectionPaused: false }, status: { matchedPods: 7 } });
  const { spec, metadata: unchanged } = await cluster.get(SidecarSet, 'generations');
  expect([spec.injectionPaused, unchanged.generation]).toEqual([false, 2]);
});

describe('a new image', () => {
  test('reaches running Pods one at a time, each when the one before is ready with it', async () => {
    await createSet('rolling');
    const names = await createPods('rolling', 3);
    const kubelets = slowKubelets(names);
    await useImage('rolling', 'proxy:2');
    for (const done of [1, 2, 3]) {
      const updated = await withImage(names, 'proxy:2');
      expect(updated).toHaveLength(done);
      expect(await countsOf('rolling')).toEqual([3, done, 2]);
      await kubelets.start(updated);
    }
    expect(await countsOf('rolling')).toEqual([3, 3, 3]);
    const { status } = await cluster.get(SidecarSet, 'rolling');
    expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: 'PodsUpdated' }]);
  });

  test('waits while a Pod is not ready', async () => {
    await createSet('unready');
    const names = await createPods('unready', 3);
    const kubelets = slowKubelets(names);
    await useImage('unready', 'proxy:2');
    const [updated = ''] = await withImage(names, 'proxy:2');
    await cluster.pods.setReady(updated, false);
    await kubelets.start([updated]);
    expect((await countsOf('unready'))[1]).toBe(1);
    await cluster.pods.setReady(updated, true);
    await cluster.settled();
    expect((await countsOf('unready'))[1]).toBe(2);
  });

  test('waits while it is paused; new Pods get it all the same', async () => {
    await createSet('paused');
    const names = await createPods('paused', 2);
    const kubelets = slowKubelets(names);
    await cluster.patch(SidecarSet, 'paused', mergePatch({ spec: { updateStrategy: { paused: true } } }));
    await useImage('paused', 'proxy:2');
    expect(await imagesOf(names)).toEqual(['proxy:1', 'proxy:1']);
    await cluster.create(podOf('paused-new', 'paused'));
    await cluster.settled();
    expect(await imagesOf(['paused-new'])).toEqual(['proxy:2']);
    await cluster.patch(SidecarSet, 'paused', mergePatch({ spec: { updateStrategy: { paused: false } } }));
    await cluster.settled();
    expect(await countsOf('paused')).toEqual([3, 2, 2]);
    await kubelets.start(names);
    expect(await countsOf('paused')).toEqual([3, 3, 3]);
  });

  test('goes on after a restart, and no second Pod is touched for it', async () => {
    await createSet('restart');
    const names = await createPods('restart', 3);
    const kubelets = slowKubelets(names);
    await useImage('restart', 'proxy:2');
    await running.stop();
    running = await cluster.startOperator();
    await cluster.settled();
    const updated = await withImage(names, 'proxy:2');
    expect(updated).toHaveLength(1);
    await kubelets.start(updated);
    expect(await withImage(names, 'proxy:2')).toHaveLength(2);
  });

  test('is tried again when the Pod has changed meanwhile', async () => {
    await createSet('conflict');
    const names = await createPods('conflict', 1);
    cluster.faults.fail({ verb: 'patch', kind: Pod, name: 'conflict-0', status: 409, times: 1, user: OPERATOR });
    await useImage('conflict', 'proxy:2');
    await cluster.until(Pod, 'conflict-0', (pod) => pod?.spec?.containers[1]?.image === 'proxy:2');
    expect(await imagesOf(names)).toEqual(['proxy:2']);
  });

  test('leaves Pods alone when more changes than images: those that are created anew have it', async () => {
    await createSet('more');
    const names = await createPods('more', 2);
    const containers = [{ name: 'more-proxy', image: 'proxy:2', env: [{ name: 'A', value: '1' }] }];
    await cluster.patch(SidecarSet, 'more', mergePatch({ spec: { containers } }));
    await cluster.settled();
    expect([await imagesOf(names), await countsOf('more')]).toEqual([
      ['proxy:1', 'proxy:1'],
      [2, 0, 2],
    ]);
    await cluster.delete(Pod, 'more-0');
    await cluster.settled();
    await cluster.create(podOf('more-0', 'more'));
    await cluster.settled();
    expect([await imagesOf(names), await countsOf('more')]).toEqual([
      ['proxy:2', 'proxy:1'],
      [2, 1, 2],
    ]);
  });
});

test('a container that is added later is completed as the first ones', async () => {
  await createSet('grown');
  const containers = [
    { name: 'grown-proxy', image: 'proxy:1' },
    { name: 'grown-more', image: 'more' },
  ];
  await cluster.patch(SidecarSet, 'grown', mergePatch({ spec: { containers } }));
  expect((await cluster.get(SidecarSet, 'grown')).spec.containers[1]).toMatchObject({
    imagePullPolicy: 'Always',
    terminationMessagePolicy: 'File',
  });
});

test('revisions are kept beside the operator, and go with their SidecarSet; sidecars that run stay', async () => {
  await createSet('kept');
  await createPods('kept', 1);
  await useImage('kept', 'proxy:2');
  const revisions = async () =>
    (await cluster.list(ControllerRevision, { namespace: SYSTEM_NAMESPACE })).filter(({ metadata }) => metadata.name.startsWith('kept-'));
  expect((await revisions()).map(({ revision = 0 }) => revision).sort((left, right) => left - right)).toEqual([1, 2]);
  const { status } = await cluster.get(SidecarSet, 'kept');
  expect((await revisions()).find(({ revision }) => revision === 2)?.metadata.name).toBe(status?.latestRevision);
  await cluster.delete(SidecarSet, 'kept');
  await cluster.settled();
  expect(await revisions()).toEqual([]);
  expect(await containersOf('kept-0')).toEqual(['app', 'kept-proxy']);
  await cluster.create(podOf('kept-after', 'kept'));
  expect(await containersOf('kept-after')).toEqual(['app']);
});

test('the first version is served, and who writes it does not lose what it cannot say', async () => {
  const V1alpha1 = SidecarSet.versions.v1alpha1;
  await createSet('versions', { volumes: [{ name: 'v', emptyDir: {} }], updateStrategy: { partition: '20%' } });
  const old = await cluster.get(V1alpha1, 'versions');
  expect(Object.keys(old.spec).sort()).toEqual(['containers', 'paused', 'selector']);
  await cluster.update({ ...old, spec: { ...old.spec, paused: true } } as typeof old);
  const { spec } = await cluster.get(SidecarSet, 'versions');
  expect(spec).toMatchObject({ volumes: [{ name: 'v' }], updateStrategy: { paused: true, partition: '20%' } });
});

test('what keeps it from counting for the first time is told', async () => {
  const fault = cluster.faults.fail({ verb: 'patch', kind: ControllerRevision, status: 422, user: OPERATOR });
  await cluster.create(
    SidecarSet({
      metadata: { name: 'failing' },
      spec: { selector: { matchLabels: { app: 'failing' } }, containers: [{ name: 'failing', image: 'proxy:1' }] },
    }),
  );
  await cluster.until(SidecarSet, 'failing', {
    status: { matchedPods: 0, conditions: [{ type: 'Ready', status: 'False', reason: 'ReconcileFailed' }] },
  });
  fault.remove();
  await cluster.until(SidecarSet, 'failing', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
});

test('a list shows how far the update is', async () => {
  await createSet('listed');
  await createPods('listed', 1);
  const path = '/apis/apps.example.com/v1beta1/sidecarsets/listed';
  const table = await cluster.client.request({ method: 'GET', path, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  const { columnDefinitions, rows } = table as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Matched', 'Updated', 'Ready', 'Age']);
  expect(rows.map(({ cells }) => cells.slice(0, 4))).toEqual([['listed', 1, 1, 1]]);
});

test('many Pods at once cost few writes of the status', async () => {
  await createSet('many');
  await cluster.settled();
  const { mark } = cluster.requests;
  for (let batch = 0; batch < 4; batch += 1) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => cluster.create(podOf(`many-${batch}-${index}`, 'many'))));
  }
  await cluster.until(SidecarSet, 'many', { status: { matchedPods: 80, updatedPods: 80, readyPods: 80 } }, { timeout: DEADLINE_MS });
  const writes = cluster.requests.since(mark).writes().filter({ kind: SidecarSet }).all;
  expect(writes.length).toBeLessThan(60);
});

test('nothing was asked for without a right, and in steady state nothing is written', async () => {
  cluster.requests.expectNoneDenied();
  await running.stop();
  const { mark } = cluster.requests;
  running = await cluster.startOperator();
  await cluster.settled();
  cluster.requests.since(mark).expectNoWrites();
});

test('nobody answers: no Pod is created without its sidecars, but where nothing is added Pods start', async () => {
  await running.stop();
  await expect(cluster.create(podOf('lost', 'where'))).rejects.toThrow('failed calling webhook "mutating.pods.core"');
  await cluster.create(podOf('operator', 'where', SYSTEM_NAMESPACE));
  await cluster.create(podOf('dns', 'where', 'kube-system'));
  running = await cluster.startOperator();
  await cluster.create(podOf('found', 'where'));
  expect(await containersOf('found')).toEqual(['app', 'where-proxy']);
});

describe('where the configuration is changed', () => {
  const change = async (options: object) => {
    const { webhooks = [] } = await cluster.get(MutatingWebhookConfiguration, operator.name);
    const changed = webhooks.map((webhook) => (webhook.name === 'mutating.pods.core' ? { ...webhook, ...options } : webhook));
    await cluster.patch(MutatingWebhookConfiguration, operator.name, mergePatch({ webhooks: changed }));
    await cluster.settled();
  };

  test('to ignore failures, a Pod of a time without operator has no sidecars, and is not counted', async () => {
    await createSet('ignored');
    await change({ failurePolicy: 'Ignore' });
    await running.stop();
    await cluster.create(podOf('alone', 'ignored'));
    running = await cluster.startOperator();
    await cluster.settled();
    expect([await containersOf('alone'), await countsOf('ignored')]).toEqual([['app'], [0, 0, 0]]);
    await change({ failurePolicy: 'Fail' });
  });

  test('to a time limit, a webhook that hangs costs no more; namespaces that are left out do not wait', async () => {
    await change({ timeoutSeconds: 1 });
    await running.stop();
    const sockets: Socket[] = [];
    const hung = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
    cluster.serveWebhooksAt(`${SYSTEM_NAMESPACE}/${operator.name}-webhook`, (hung.address() as { port: number }).port);
    try {
      await expect(cluster.create(podOf('waits', 'where'))).rejects.toThrow('failed calling webhook "mutating.pods.core"');
      await cluster.create(podOf('does-not-wait', 'where', 'kube-system'));
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => hung.close(resolve));
      running = await cluster.startOperator();
    }
  });
});
