import { bootstrapPolicy } from '../../../src/api-server/access/auth/index.js';
import { FakeClock } from '../../../src/api-server/clock/index.js';
import type { JsonObject } from '../../../src/api-server/contract/index.js';
import { ownContext } from '../../../src/api-server/server/bootstrap.js';
import { ApiServer } from '../../../src/api-server/server/index.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.start({ protocol: 'http', mode: 'envtest', clock: new FakeClock(), uids: () => 'the-uid' });
});
afterAll(() => server?.close());

test('roles and bindings that were stored as others of their shape are what the API makes of them', async () => {
  const { api, catalog, cluster, clock } = server.core;
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = bootstrapPolicy();
  const objects = [...clusterRoles, ...clusterRoleBindings, ...roles, ...roleBindings];
  expect(objects.length).toBeGreaterThan(100);
  for (const object of objects) {
    const { kind, metadata } = object;
    const served = catalog.ofKind('rbac.authorization.k8s.io', 'v1', kind);
    if (served === undefined) throw new Error(`${kind} is not served`);
    const namespace = metadata.namespace ?? '';
    const stored = cluster.get(served.resource, { namespace, name: metadata.name ?? '' });
    // A second time under another name, by all the steps of a create.
    const copy = { ...object, metadata: { ...metadata, name: `${metadata.name}-copy` } };
    const target = { served, namespace, name: '', subresource: '' };
    const made = await api.create(target, { value: copy as never, strictProblems: [] }, ownContext(clock));
    expect(text(stored as JsonObject)).toBe(text(made).replaceAll(`"${metadata.name}-copy"`, `"${metadata.name}"`));
  }
});

function text(object: JsonObject): string {
  return JSON.stringify(object).replace(/"resourceVersion":"\d+"/, '"resourceVersion":"0"');
}
