import { type ClusterClient, type InProcessCluster, TestCluster } from '@keelson/testing';
import { Lease } from 'keelson/kinds/coordination/v1';
import { ConfigMap, Pod } from 'keelson/kinds/core/v1';

const MAX_REQUESTS = 8;

let cluster: InProcessCluster;
let other: ClusterClient;
beforeEach(async () => {
  cluster = await TestCluster.start({ protocol: 'http', mode: 'envtest', maxRequests: MAX_REQUESTS });
  other = cluster.as({ user: 'other', groups: ['system:masters'] });
});
afterEach(() => cluster.close());

const map = (name: string) => ConfigMap({ metadata: { name } });

test('dry runs, reviews and tokens are not writes, and renewed leases need not count', async () => {
  const { mark } = cluster.requests;
  await other.create(map('a'), { dryRun: true });
  await other.client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    },
  });
  await other.create(Lease({ metadata: { name: 'leader' } }));
  const since = cluster.requests.since(mark);
  expect(since.byVerb('create')).toHaveLength(3);
  expect(since.writes().all.map(({ resource }) => resource)).toEqual(['leases']);
  since.expectNoWrites();
  expect(() => since.expectNoWrites({ except: [] })).toThrow(
    /expected no writes, but there is 1:\n.*\n {2}other +create +leases\.coordination\.k8s\.io +default\/\* +201/,
  );
});

test('filters narrow by each property', async () => {
  await other.create(map('a'));
  await other.find(ConfigMap, 'b');
  await other.list(Pod);
  const { requests } = cluster;
  expect(requests.filter({ code: 404 }).all).toMatchObject([{ name: 'b', namespace: 'default', verb: 'get' }]);
  expect(requests.filter({ kind: Pod }).all).toMatchObject([{ namespace: '', url: expect.stringContaining('/api/v1/pods') }]);
  expect(requests.except({ verb: ['get', 'list'] }).all).toMatchObject([{ verb: 'create', user: 'other', code: 201 }]);
  expect([...requests.filter({ user: 'nobody' })]).toEqual([]);
  expect(cluster.ownRequests.byUser('other')).toHaveLength(0);
  expect(() => requests.expectNone({ verb: 'get' })).toThrow('expected no such requests, but there is 1');
});

test('what was forgotten is not a proof that there was nothing', async () => {
  const { mark } = cluster.requests;
  for (let count = 0; count < MAX_REQUESTS + 1; count += 1) await other.find(ConfigMap, 'a');
  expect(() => cluster.requests.expectNoWrites()).toThrow(
    /the first \d+ have been forgotten, so there is no answer; begin with since\(mark\)/,
  );
  expect(() => cluster.requests.since(mark)).toThrow('set marks closer, or keep more (maxRequests)');
  const later = cluster.requests.mark;
  await other.find(ConfigMap, 'a');
  cluster.requests.since(later).expectNoWrites();
});
