import { Chart, Testing } from 'cdk8s';
import { defineCustomResource, k } from 'keelson';
import { UserRoles } from 'keelson/constructs';
import { z } from 'zod';

const Memcached = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Memcached',
  versions: { v1: { spec: z.object({ size: k.int32() }) } },
});
const chart = new Chart(Testing.app(), 'chart');

// --- roles for users ---

new UserRoles(chart, 'everywhere', { definition: Memcached.customResource });
new UserRoles(chart, 'aggregated', { definition: Memcached.customResource, aggregate: true, names: { view: 'memcached-viewer-role' } });
new UserRoles(chart, 'somewhere', { definition: Memcached.customResource, namespaces: ['team-a'] }).role('view', 'team-a');
// @ts-expect-error Kubernetes aggregates ClusterRoles alone
new UserRoles(chart, 'wrong', { definition: Memcached.customResource, namespaces: ['team-a'], aggregate: true });
// @ts-expect-error the roles are view, edit and admin
new UserRoles(chart, 'unknown', { definition: Memcached.customResource }).role('viewer');
