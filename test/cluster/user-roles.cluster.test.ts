import { defineCustomResource, k } from 'keelson';
import { ManifestObject, UserRoles } from 'keelson/constructs';
import { z } from 'zod';
import { applyAll, expectRights, type Right, untilAllowed } from './checks/index.js';
import { describeCluster } from './harness/index.js';
import { manifestsOf } from './manifests/index.js';

const Fleet = defineCustomResource({
  group: 'roles.example.com',
  kind: 'Fleet',
  versions: { v1: { spec: z.object({ size: k.int32() }), status: z.object({ size: k.int32().optional() }) } },
});
const RBAC_GROUP = 'rbac.authorization.k8s.io';

const on = (verb: string, namespace: string, subresource?: string): Right => ({
  verb,
  group: 'roles.example.com',
  resource: 'fleets',
  namespace,
  ...(subresource === undefined ? {} : { subresource }),
});

describeCluster('roles for users of a custom resource', (cluster) => {
  test('in one namespace, a viewer reads, an editor writes and an admin writes the status; elsewhere none of them may do anything', async () => {
    const [team, elsewhere] = (await Promise.all(['team', 'elsewhere'].map((prefix) => cluster.namespace(prefix)))) as [string, string];
    const user = (level: string): { readonly user: string } => ({ user: `${level}@${team}` });
    const objects = manifestsOf(team, (chart) => {
      const roles = new UserRoles(chart, 'roles', { definition: Fleet.customResource, namespaces: [team] });
      for (const level of ['view', 'edit', 'admin'] as const)
        new ManifestObject(chart, `binding-${level}`, {
          apiVersion: `${RBAC_GROUP}/v1`,
          kind: 'RoleBinding',
          scope: 'Namespaced',
          metadata: { name: `fleet-${level}`, namespace: team },
          body: {
            roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: roles.role(level, team).name },
            subjects: [{ kind: 'User', name: user(level).user, apiGroup: RBAC_GROUP }],
          },
        });
    });
    await applyAll(cluster, objects);
    const nowhere = ['get', 'list', 'create', 'update'].map((verb) => on(verb, elsewhere));
    const reads = [...['get', 'list', 'watch'].map((verb) => on(verb, team)), on('get', team, 'status')];
    const writes = ['create', 'update', 'patch', 'delete'].map((verb) => on(verb, team));
    const repairs = ['update', 'patch'].map((verb) => on(verb, team, 'status'));
    const never = [on('deletecollection', team), on('*', team), on('update', team, 'finalizers')];
    for (const level of ['view', 'edit', 'admin']) await untilAllowed(cluster, user(level), [on('get', team)]);
    await expectRights(cluster, user('view'), { allowed: reads, refused: [...writes, ...repairs, ...never, ...nowhere] });
    await expectRights(cluster, user('edit'), { allowed: [...reads, ...writes], refused: [...repairs, ...never, ...nowhere] });
    await expectRights(cluster, user('admin'), { allowed: [...reads, ...writes, ...repairs], refused: [...never, ...nowhere] });
  });
});
