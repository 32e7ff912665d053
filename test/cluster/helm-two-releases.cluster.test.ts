import { mergePatch } from '@keelson/testing';
import { EtcdCluster } from '../../examples/etcd/cluster/etcd-cluster.js';
import { SCOPE_ANNOTATION } from '../../examples/etcd/cluster/names.js';
import { programsBeside } from './examples-etcd/real-world.js';
import { describeCluster } from './harness/index.js';
import { EtcdReleases } from './helm/etcd-releases.js';

/** Releases by name, each in a namespace of its own. */
const WIDE = { release: 'wide', namespace: 'etcd-system', values: { settings: { scope: 'clusterwide' } } };
const TEAM = {
  release: 'team',
  namespace: 'team-etcd',
  values: { settings: { scope: 'namespaced' }, watchNamespaces: ['team-a'], crds: { enabled: false }, rbac: { aggregate: false } },
};
const MARKED = { [SCOPE_ANNOTATION]: 'clusterwide' };

describeCluster('2E-18: two releases of the etcd operator at work at once', ({ connection }) => {
  let here: EtcdReleases;
  beforeAll(async () => {
    here = await EtcdReleases.open({
      etcd: programsBeside(connection.kubectl, '').etcd36,
      releases: [WIDE, TEAM],
      namespaces: ['shop', 'team-a'],
    });
  });
  afterAll(() => here?.close());

  const create = (namespace: string, name: string, annotations: Record<string, string> = {}) =>
    here.cluster.create(EtcdCluster({ metadata: { namespace, name, annotations }, spec: { size: 1, version: '3.6.16' } }));
  const serves = (key: string, size = 1) =>
    here.cluster.until(
      EtcdCluster,
      key,
      ({ status, metadata }) =>
        status?.members?.ready?.length === size &&
        status.conditions?.some(
          ({ type, status: is, observedGeneration }) => type === 'Ready' && is === 'True' && observedGeneration === metadata.generation,
        ) === true,
    );

  test('each serves its own clusters, whatever their names, and none that is not for it', async () => {
    // For neither: without the annotation, where the second release does not look.
    await create('shop', 'left-alone');
    await create('shop', 'data', MARKED);
    await create('team-a', 'data');
    await create('team-a', 'marked', MARKED);
    await Promise.all(['shop/data', 'team-a/data', 'team-a/marked'].map((key) => serves(key)));
    expect(await here.touchedBy(WIDE)).toEqual(['shop/data', 'team-a/marked']);
    expect(await here.touchedBy(TEAM)).toEqual(['team-a/data']);
    expect(here.podsMadeBy(WIDE)).toEqual(['shop', 'team-a']);
    expect(here.podsMadeBy(TEAM)).toEqual(['team-a']);
    expect((await here.cluster.get(EtcdCluster, 'shop/left-alone')).status).toBeUndefined();
  });

  test('what becomes of a cluster is the affair of its operator alone', async () => {
    for (const key of ['team-a/data', 'team-a/marked']) await here.cluster.patch(EtcdCluster, key, mergePatch({ spec: { size: 2 } }));
    for (const key of ['team-a/data', 'team-a/marked']) await serves(key, 2);
    expect(await here.touchedBy(WIDE)).toEqual(['shop/data', 'team-a/marked']);
    expect(await here.touchedBy(TEAM)).toEqual(['team-a/data']);
    expect(here.podsMadeBy(WIDE)).toEqual(['shop', 'team-a', 'team-a']);
    expect(here.podsMadeBy(TEAM)).toEqual(['team-a', 'team-a']);
  });

  test('both have been there all the time, each with a Lease of its own, and were refused nothing', async () => {
    for (const release of [WIDE, TEAM]) {
      expect(await here.leaderOf(release)).toMatch(new RegExp(`^${release.release}-cluster-`));
      const pods = await here.podsOf(release);
      expect(pods.map(({ status }) => status?.containerStatuses?.map(({ restartCount }) => restartCount))).toEqual([[0]]);
      here.requestsOf(release).expectNoneDenied();
    }
  });
});
