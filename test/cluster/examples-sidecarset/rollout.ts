import { isConflict, isNotFound, mergePatch } from '@keelson/testing';
import { EventsV1Event, Pod } from 'keelson/kinds';
import { SYSTEM_NAMESPACE } from '../../../examples/sidecarset/names.js';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { mostUnavailable } from './most-unavailable.js';
import { ACCOUNT, OPERATOR, podOf, type World } from './world.js';

/** What becomes of Pods that run. */
export function rolloutSuite(worldOf: () => World): void {
  let world: World;
  let cluster: World['cluster'];
  beforeAll(() => {
    world = worldOf();
    ({ cluster } = world);
  });
  afterEach(() => world.player.held.clear());

  const updatedOf = async (names: readonly string[], image: string): Promise<string[]> => {
    const images = await world.imagesOf(names);
    return names.filter((_, index) => images[index] === image);
  };

  test('2B-7: the counts follow what Pods do', async () => {
    await world.createSet('counts');
    const [first = '', second = ''] = await world.createPods('counts', 2);
    await world.untilCounts('counts', 2, 2, 2);
    world.player.setReady(first, false);
    await world.untilCounts('counts', 2, 2, 1);
    world.player.setReady(first, true);
    await world.untilCounts('counts', 2, 2, 2);
    await cluster.patch(Pod, first, mergePatch({ metadata: { labels: { app: 'left' } } }));
    await world.untilCounts('counts', 1, 1, 1);
    await cluster.patch(Pod, first, mergePatch({ metadata: { labels: { app: 'counts' } } }));
    await world.untilCounts('counts', 2, 2, 2);
    await cluster.delete(Pod, second);
    await world.untilCounts('counts', 1, 1, 1);
  });

  test('2B-11: a new image reaches running Pods one at a time, each when the one before is ready with it; each is written once', async () => {
    const set = await world.createSet('rolling');
    const names = await world.createPods('rolling', 4);
    const before = await Promise.all(names.map((name) => cluster.get(Pod, name)));
    const history = await world.follow('rolling');
    const { mark } = cluster.requests;
    await world.useImage('rolling', 'proxy:2');
    await world.untilCounts('rolling', 4, 4, 4);
    await cluster.until(SidecarSet, 'rolling', { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'PodsUpdated' }] } });
    expect(mostUnavailable(await history.end(), set)).toBe(1);
    const patches = cluster.requests.since(mark).byUser(ACCOUNT).filter({ verb: 'patch', kind: Pod, code: 200 });
    expect(patches.all.map(({ name }) => name).sort()).toEqual(names);
    // In place: the same Pods, whose kubelet has started one container anew.
    const after = await Promise.all(names.map((name) => cluster.get(Pod, name)));
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid));
    expect(after.map(({ status }) => status?.containerStatuses?.map(({ image, restartCount }) => [image, restartCount]))).toEqual(
      names.map(() => [
        ['app:1', 0],
        ['proxy:2', 1],
      ]),
    );
  });

  test('2B-11: the next Pod waits until the kubelet has started the image, however ready the Pod is', async () => {
    await world.createSet('pulling');
    const names = await world.createPods('pulling', 3);
    world.player.held.add('proxy:slow');
    await world.useImage('pulling', 'proxy:slow');
    await world.untilCounts('pulling', 3, 1, 3);
    await cluster.settled();
    expect(await updatedOf(names, 'proxy:slow')).toHaveLength(1);
    world.player.held.clear();
    await world.untilCounts('pulling', 3, 3, 3);
  });

  test('2B-12: the update waits while a Pod is not ready, and goes on when it is', async () => {
    await world.createSet('unready');
    const names = await world.createPods('unready', 3);
    world.player.held.add('proxy:2');
    await world.useImage('unready', 'proxy:2');
    await world.untilCounts('unready', 3, 1, 3);
    const [updated = ''] = await updatedOf(names, 'proxy:2');
    world.player.setReady(updated, false);
    world.player.held.clear();
    await cluster.until(Pod, updated, ({ status }) => status?.containerStatuses?.[1]?.image === 'proxy:2');
    await cluster.settled();
    expect(await world.countsOf('unready')).toEqual([3, 1, 2]);
    world.player.setReady(updated, true);
    await world.untilCounts('unready', 3, 3, 3);
  });

  test('2B-11: maxUnavailable lets so many go at once, and partition keeps so many as they are', async () => {
    const set = await world.createSet('shares', { updateStrategy: { maxUnavailable: '50%', partition: 1 } });
    const names = await world.createPods('shares', 4);
    world.player.held.add('proxy:2');
    const history = await world.follow('shares');
    await world.useImage('shares', 'proxy:2');
    await world.untilCounts('shares', 4, 2, 4);
    await cluster.settled();
    expect(await updatedOf(names, 'proxy:2')).toHaveLength(2);
    world.player.held.clear();
    await world.untilCounts('shares', 4, 3, 4);
    await cluster.settled();
    expect(await updatedOf(names, 'proxy:2')).toHaveLength(3);
    expect(mostUnavailable(await history.end(), set)).toBe(2);
    await world.change('shares', { updateStrategy: { partition: 0 } });
    await world.untilCounts('shares', 4, 4, 4);
  });

  test('2B-13: paused mid-way it stops, while new Pods get the image; it goes on from there', async () => {
    await world.createSet('paused');
    const names = await world.createPods('paused', 3);
    world.player.held.add('proxy:2');
    await world.useImage('paused', 'proxy:2');
    await world.untilCounts('paused', 3, 1, 3);
    await world.change('paused', { updateStrategy: { paused: true } });
    world.player.held.clear();
    await world.untilCounts('paused', 3, 1, 3);
    await cluster.settled();
    expect(await updatedOf(names, 'proxy:2')).toHaveLength(1);
    await cluster.create(podOf('paused-new', 'paused'));
    await world.untilCounts('paused', 4, 2, 4);
    expect(await world.imagesOf(['paused-new'])).toEqual(['proxy:2']);
    await world.change('paused', { updateStrategy: { paused: false } });
    await world.untilCounts('paused', 4, 4, 4);
  });

  test.each([
    ['2B-14', 'the environment', 'proxy:1'],
    ['2B-15', 'image and environment', 'proxy:2'],
  ])('%s: when %s change no Pod is touched, and those that are created anew have it', async (point, _, image) => {
    const name = `more-${point.slice(-2)}`;
    await world.createSet(name);
    const [first = '', second = ''] = await world.createPods(name, 2);
    await world.untilCounts(name, 2, 2, 2);
    const specs = async () => Promise.all([first, second].map(async (key) => (await cluster.get(Pod, key)).spec));
    const before = await specs();
    await world.change(name, { containers: [{ name: `${name}-proxy`, image, env: [{ name: 'A', value: '1' }] }] });
    await world.untilCounts(name, 2, 0, 2);
    await cluster.settled();
    expect(await specs()).toEqual(before);
    await cluster.until(SidecarSet, name, { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'PodsNeedRecreation' }] } });
    await cluster.delete(Pod, first);
    await cluster.until(Pod, first, 'absent');
    const { spec } = await cluster.create(podOf(first, name));
    expect(spec?.containers[1]).toMatchObject({ image, env: [{ name: 'A' }, { name: 'IS_INJECTED' }] });
    await world.untilCounts(name, 2, 1, 2);
  });

  test('2B-25: where a Pod has changed meanwhile the API server refuses, and it is tried again', async () => {
    await world.createSet('contended');
    const names = await world.createPods('contended', 3);
    const stop = new AbortController();
    const busy = names.map(async (name) => {
      for (let count = 0; !stop.signal.aborted; count++)
        await cluster.patch(Pod, name, mergePatch({ metadata: { annotations: { count: `${count}` } } }));
    });
    const { mark } = cluster.requests;
    const refused = () => cluster.requests.since(mark).byUser(ACCOUNT).filter({ verb: 'patch', kind: Pod, code: 409 }).length;
    let version = 1;
    do {
      version += 1;
      await world.useImage('contended', `proxy:${version}`);
      await world.untilCounts('contended', 3, 3, 3);
    } while (refused() === 0);
    stop.abort();
    await Promise.all(busy);
    expect(await updatedOf(names, `proxy:${version}`)).toEqual(names);
  });

  test('2B-25: an operator that is replaced mid-way goes on, and never takes a second Pod away', async () => {
    const set = await world.createSet('restart');
    const names = await world.createPods('restart', 3);
    const history = await world.follow('restart');
    world.player.held.add('proxy:2');
    await world.useImage('restart', 'proxy:2');
    await world.untilCounts('restart', 3, 1, 3);
    const former = [...world.operators.pods.keys()];
    for (const name of former) await cluster.delete(Pod, `${SYSTEM_NAMESPACE}/${name}`).catch(ignoreNotFound);
    for (const name of former) await cluster.until(Pod, `${SYSTEM_NAMESPACE}/${name}`, 'absent');
    await world.untilReplicas(2);
    await cluster.settled();
    expect(await updatedOf(names, 'proxy:2')).toHaveLength(1);
    world.player.held.clear();
    await world.untilCounts('restart', 3, 3, 3);
    expect(mostUnavailable(await history.end(), set)).toBe(1);
    expect(world.operators.exitCodes).toEqual(former.map(() => 0));
  });

  test('who looks at a SidecarSet is told of each Pod; of one that goes to and fro, in a series', async () => {
    const { metadata } = await world.createSet('told');
    const [pod = ''] = await world.createPods('told', 1);
    const told = async () =>
      (await cluster.list(EventsV1Event, { namespace: 'default' })).filter(({ regarding }) => regarding?.uid === metadata.uid);
    const latest = async () => (await cluster.get(SidecarSet, 'told')).status?.latestRevision;
    for (const image of ['proxy:2', 'proxy:1', 'proxy:2']) {
      await world.useImage('told', image);
      await world.untilCounts('told', 1, 1, 1);
      expect(await world.imagesOf([pod])).toEqual([image]);
    }
    const note = `Pod shop/${pod} gets the images of ${await latest()}`;
    await world.eventually(async () => (await told()).some((event) => event.note === note && event.series?.count === 2));
    expect(await told()).toMatchObject(
      (await told()).map(() => ({ type: 'Normal', reason: 'PodUpdated', reportingController: `${OPERATOR}/sidecarset` })),
    );
  });
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
  return undefined;
}
