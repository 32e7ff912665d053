import { RequestError } from '../../../src/runtime/client/index.js';
import { json } from '../http/scripted-server.js';
import { failure, type ScriptedClient, scriptedClient } from './scripted-client.js';

let scripted: ScriptedClient;
beforeEach(async () => {
  scripted = await scriptedClient();
});
afterEach(() => scripted.stop());

const resource = (name: string, kind: string, namespaced = true): object => ({ name, kind, namespaced, verbs: ['get'] });

test('a kind of the core group has its resource, its scope and its subresources', async () => {
  scripted.server.script(
    json({
      kind: 'APIResourceList',
      resources: [
        resource('nodes/status', 'Node', false),
        resource('nodes', 'Node', false),
        resource('pods', 'Pod'),
        resource('nodes/proxy', 'NodeProxyOptions', false),
        resource('pods/log', 'Pod'),
      ],
    }),
  );
  expect(await scripted.client.discover({ apiVersion: 'v1', kind: 'Node' })).toEqual({
    group: '',
    version: 'v1',
    kind: 'Node',
    plural: 'nodes',
    scope: 'Cluster',
    subresources: ['status', 'proxy'],
  });
  expect(scripted.server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/v1']);
});

test('a kind of another group is asked for below its group and version', async () => {
  scripted.server.script(json({ resources: [resource('deploymentsets', 'DeploymentSet'), resource('deployments', 'Deployment')] }));
  expect(await scripted.client.discover({ apiVersion: 'apps/v1', kind: 'Deployment' })).toEqual({
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    plural: 'deployments',
    scope: 'Namespaced',
    subresources: [],
  });
  expect(scripted.server.requests.map(({ url }) => url)).toEqual(['/apis/apps/v1']);
});

test('a kind that is only the body of a subresource is not served', async () => {
  scripted.server.script(json({ resources: [resource('deployments', 'Deployment'), resource('deployments/scale', 'Scale')] }));
  const error = await failure(scripted.client.discover({ apiVersion: 'apps/v1', kind: 'Scale' }));
  expect(error).toBeInstanceOf(RequestError);
  expect((error as Error).message).toBe(
    'GET /apis/apps/v1: the server does not serve Scale in apps/v1; is its CustomResourceDefinition installed?',
  );
});

test.each([
  undefined,
  'resources',
  null,
  [null],
  [{ ...resource('a', 'A'), name: 1 }],
  [{ ...resource('a', 'A'), kind: 1 }],
  [{ ...resource('a', 'A'), namespaced: 'yes' }],
  [resource('a', 'A'), {}],
])('resources that are %j are not read', async (resources) => {
  scripted.server.script(json({ resources }));
  expect(await failure(scripted.client.discover({ apiVersion: 'v1', kind: 'A' }))).toMatchObject({ code: 'KEELSON_RESPONSE_MALFORMED' });
});
