import { mergePatch } from '@keelson/testing';
import type { PolicyRule } from 'keelson';
import { ClusterRole } from 'keelson/kinds';
import { SidecarSet } from '../../../examples/sidecarset/sidecar-set.js';
import { untilForbidden, unusedRights } from '../examples-harness/index.js';
import { documentsOf } from '../manifests/index.js';
import { ACCOUNT, OPERATOR, type World } from './world.js';

/** Under which rights all of it was done: the last of the suites, since it looks back. */
export function rightsSuite(worldOf: () => World): void {
  let world: World;
  let cluster: World['cluster'];
  beforeAll(() => {
    world = worldOf();
    ({ cluster } = world);
  });

  test('nothing that the operator asked for was refused, and every right that the manifests grant has been used', () => {
    const requests = cluster.requests.byUser(ACCOUNT);
    requests.expectNoneDenied();
    expect(unusedRights(rulesIn(world.manifests), requests)).toEqual([...OF_A_MIGRATION, ASKED_BY_A_PLUGIN]);
  });

  test('the right that no request uses is one that a plugin of the API server asks for', async () => {
    const { rules = [] } = await cluster.get(ClusterRole, OPERATOR);
    const without = rules.filter(({ resources }) => !resources?.includes('sidecarsets/finalizers'));
    expect(without).toHaveLength(rules.length - 1);
    await cluster.patch(ClusterRole, OPERATOR, mergePatch({ rules: without }));
    const right = { verb: 'update', group: 'apps.example.com', resource: 'sidecarsets', subresource: 'finalizers' };
    await untilForbidden(cluster, ACCOUNT, right);
    await cluster.create(
      SidecarSet({
        metadata: { name: 'bereft' },
        spec: { selector: { matchLabels: { app: 'bereft' } }, containers: [{ name: 'bereft', image: 'proxy:1' }] },
      }),
    );
    const message = expect.stringContaining(
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on",
    );
    await cluster.until(SidecarSet, 'bereft', ({ status }) => {
      expect(status?.conditions).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'False', message })]));
    });
    await cluster.patch(ClusterRole, OPERATOR, mergePatch({ rules }));
    await world.untilObserved('bereft');
  });

  test('in steady state nothing is written, by new replicas neither', async () => {
    await cluster.settled();
    await world.scaleOperator(0);
    const { mark } = cluster.requests;
    await world.scaleOperator(2);
    await cluster.settled();
    cluster.requests.since(mark).byUser(ACCOUNT).expectNoWrites();
  });
}

/** Docs: docs/decisions/014-rights-in-use.md. */
/** Nothing is stored in an old version here, so nothing is migrated; `stored-versions.cluster.test.ts` holds that a migration uses these. */
const OF_A_MIGRATION = [
  'get sidecarsets.apps.example.com',
  'patch customresourcedefinitions/status.apiextensions.k8s.io',
  'patch sidecarsets.apps.example.com',
];
const ASKED_BY_A_PLUGIN = 'update sidecarsets/finalizers.apps.example.com';

/** Of all roles that the operator's account has. */
function rulesIn(file: string): PolicyRule[] {
  return documentsOf(file)
    .filter(
      ({ kind, metadata }) => ['ClusterRole', 'Role'].includes(kind) && [OPERATOR, `${OPERATOR}-runtime`].includes(metadata.name ?? ''),
    )
    .flatMap((role) => role['rules'] as PolicyRule[]);
}
