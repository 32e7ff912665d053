import { ApiServer } from '../../../src/api-server/server/index.js';

let server: ApiServer;
beforeAll(async () => {
  server = await ApiServer.start({ protocol: 'http', mode: 'envtest' });
  await send('POST', '/api/v1/nodes', { metadata: { name: 'node' } });
  for (const name of ['bound', 'free', 'legacy']) await send('POST', PODS, pod(name));
  await send('POST', PODS, pod('two', ['x', 'y']));
  await send('POST', '/api/v1/namespaces/default/services', { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await send('POST', `${PODS}/bound/binding`, { metadata: { name: 'bound' }, target: { name: 'node' } });
});
afterAll(() => server.close());

const PODS = '/api/v1/namespaces/default/pods';
const BINDINGS = '/api/v1/namespaces/default/bindings';
const pod = (name: string, containers: readonly string[] = ['main']) => ({
  metadata: { name },
  spec: { containers: containers.map((container) => ({ name: container, image: 'x' })) },
});

interface Said {
  readonly status: number;
  readonly body: { readonly message?: string; readonly [field: string]: unknown };
}

async function send(method: string, path: string, body?: object): Promise<Said> {
  const headers = {
    authorization: `Bearer ${server.tokenFor({ username: 'admin', groups: ['system:masters'] })}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Said['body']) };
}

/** Every row was compared with a kube-apiserver, but for the 501. */
describe('what needs a kubelet', () => {
  const ABSENT = "is not implemented by keelson's in-process API server";
  test.each([
    ['GET', `${PODS}/none/log`, 404, 'pods "none" not found'],
    ['GET', `${PODS}/free/log?container=none`, 400, 'container none is not valid for pod free'],
    ['GET', `${PODS}/two/log`, 400, 'a container name must be specified for pod two, choose one of: [x y]'],
    ['GET', `${PODS}/free/log`, 204, undefined],
    ['GET', `${PODS}/bound/log`, 501, `pods/log ${ABSENT}`],
    ['POST', `${PODS}/none/exec?command=ls`, 404, 'pods "none" not found'],
    ['POST', `${PODS}/free/exec?command=ls`, 400, 'pod free does not have a host assigned'],
    ['POST', `${PODS}/bound/exec?command=ls`, 501, `pods/exec ${ABSENT}`],
    ['GET', `${PODS}/none/attach`, 404, 'pods "none" not found'],
    ['GET', `${PODS}/bound/attach`, 501, `pods/attach ${ABSENT}`],
    ['POST', `${PODS}/none/portforward`, 404, 'pods "none" not found'],
    ['POST', `${PODS}/bound/portforward`, 501, `pods/portforward ${ABSENT}`],
    ['GET', `${PODS}/http:none:80/proxy/a/b?c=d`, 404, 'pods "none" not found'],
    ['GET', `${PODS}/bound/proxy/a`, 400, 'address not allowed'],
    ['GET', `${PODS}/ftp:none:80/proxy`, 400, 'invalid pod request "ftp:none:80"'],
    ['PUT', '/api/v1/namespaces/default/services/none/proxy/a', 503, 'no endpoints available for service "none"'],
    ['GET', '/api/v1/namespaces/default/services/web:80/proxy/', 501, `services/proxy ${ABSENT}`],
    ['GET', '/api/v1/nodes/none/proxy/metrics', 404, 'nodes "none" not found'],
    ['GET', '/api/v1/nodes/node/proxy/metrics', 501, `nodes/proxy ${ABSENT}`],
    ['GET', '/api/v1/nodes/node/nothing/metrics', 404, 'the server could not find the requested resource'],
  ])('%s %s is %i', async (method, path, status, message) => {
    expect(await send(method, path)).toMatchObject({ status, body: message === undefined ? {} : { message } });
  });
});

describe('a binding without its Pod in the path', () => {
  test('binds the Pod that its body names', async () => {
    const binding = { metadata: { name: 'legacy', uid: 'of-nobody' }, target: { kind: 'Node', name: 'node' } };
    expect(await send('POST', `${BINDINGS}?dryRun=All`, binding)).toMatchObject({ status: 201 });
    expect((await send('GET', `${PODS}/legacy`)).body['spec']).not.toHaveProperty('nodeName');
    expect(await send('POST', BINDINGS, binding)).toMatchObject({ status: 201, body: { kind: 'Status', status: 'Success' } });
    expect((await send('GET', `${PODS}/legacy`)).body).toMatchObject({ spec: { nodeName: 'node' } });
  });

  test.each([
    [{ metadata: { name: 'none' }, target: { name: 'node' } }, 404, 'pods "none" not found'],
    [{ target: { name: 'node' } }, 400, 'Name parameter required.'],
    [
      { metadata: { name: 'free', namespace: 'other' }, target: { name: 'node' } },
      400,
      'the namespace of the provided object does not match',
    ],
    [{ kind: 'Pod', apiVersion: 'v1' }, 400, 'Pod in version "v1" cannot be handled as a Binding'],
    [{ metadata: { name: 'bound' }, target: { name: 'node' } }, 409, 'pod bound is already assigned to node "node"'],
  ])('%j is refused', async (body, status, message) => {
    expect(await send('POST', BINDINGS, body)).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  });

  test('is only made, never read', async () => {
    expect((await send('GET', BINDINGS)).status).toBe(405);
  });
});

test('of several bindings that allow a request, the reason names the first by name, those of the cluster before those of a namespace', async () => {
  const RBAC = '/apis/rbac.authorization.k8s.io/v1';
  const bound = (name: string) => ({
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'look' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  });
  const reason = async (): Promise<unknown> => {
    const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'pods' };
    const spec = { user: 'ann', resourceAttributes };
    return (await send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })).body['status'];
  };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  await send('POST', `${RBAC}/clusterroles`, { metadata: { name: 'look' }, rules });
  for (const name of ['c', 'b']) await send('POST', `${RBAC}/namespaces/default/rolebindings`, bound(name));
  expect(await reason()).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "b/default" of ClusterRole "look" to User "ann"',
  });
  for (const name of ['z', 'y']) await send('POST', `${RBAC}/clusterrolebindings`, bound(name));
  expect(await reason()).toEqual({ allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "y" of ClusterRole "look" to User "ann"' });
});

test('addresses of Services that are gone can be had again at once, however many come and go', async () => {
  const path = '/api/v1/namespaces/default/services';
  const service = (name: string) => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
  for (let number = 0; number < 260; number += 1) {
    expect(await send('POST', path, service(`s-${number}`))).toMatchObject({ status: 201 });
    await send('DELETE', `${path}/s-${number}`);
  }
  // Those that are there are as many as there are addresses: the range has 254, and two are taken.
  const made = await Promise.all(Array.from({ length: 252 }, (_, number) => send('POST', path, service(`t-${number}`))));
  expect(new Set(made.map(({ body }) => (body['spec'] as { clusterIP?: string } | undefined)?.clusterIP)).size).toBe(252);
  expect(await send('POST', path, service('more'))).toMatchObject({
    status: 500,
    body: { message: expect.stringContaining('range is full') },
  });
});

test('component statuses are those of the parts of this server', async () => {
  const statuses = '/api/v1/componentstatuses';
  const healthy = [{ type: 'Healthy', status: 'True', message: 'ok' }];
  const etcd = { metadata: { name: 'etcd-0' }, conditions: healthy };
  const absent = (message: string) => [{ type: 'Healthy', status: 'False', message }];
  expect(await send('GET', statuses)).toEqual({
    status: 200,
    body: {
      kind: 'ComponentStatusList',
      apiVersion: 'v1',
      metadata: {},
      items: [
        { metadata: { name: 'scheduler' }, conditions: absent('this server has no scheduler: it was started without workloads') },
        { metadata: { name: 'controller-manager' }, conditions: absent('this server has no controllers: its mode is envtest') },
        etcd,
      ],
    },
  });
  expect(await send('GET', `${statuses}/etcd-0`)).toEqual({ status: 200, body: { kind: 'ComponentStatus', apiVersion: 'v1', ...etcd } });
  expect(await send('GET', `${statuses}?fieldSelector=metadata.name%3Detcd-0`)).toMatchObject({ body: { items: [etcd] } });
  expect(await send('GET', `${statuses}?labelSelector=a%3Db`)).toMatchObject({ body: { items: [] } });
  expect(await send('GET', `${statuses}?fieldSelector=a%3Db`)).toMatchObject({ status: 400 });
  expect(await send('GET', `${statuses}?watch=true`)).toMatchObject({ status: 405 });
  expect(await send('GET', `${statuses}/none`)).toMatchObject({ status: 404, body: { message: 'componentstatus "none" not found' } });
});

describe('a component status as a client wants it', () => {
  const statuses = '/api/v1/componentstatuses';
  const asked = async (
    path: string,
    form: string,
  ): Promise<{ readonly status: number; readonly text: string; readonly warning: string | null }> => {
    const authorization = `Bearer ${server.tokenFor({ username: 'admin', groups: ['system:masters'] })}`;
    const answer = await fetch(server.url + path, { headers: { authorization, accept: `application/json;as=${form};v=v1;g=meta.k8s.io` } });
    return { status: answer.status, text: await answer.text(), warning: answer.headers.get('warning') };
  };
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'etcd-0' } };
  const columns = ['Name', 'Status', 'Message', 'Error'];
  const row = { cells: ['etcd-0', 'Healthy', 'ok', ''], object: partial };

  test.each([`${statuses}/etcd-0`, `${statuses}?fieldSelector=metadata.name%3Detcd-0`])(
    'is a row of a Table without a revision: %s',
    async (path) => {
      const { text, warning } = await asked(path, 'Table');
      expect(JSON.parse(text)).toEqual({
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: {},
        columnDefinitions: columns.map((name) => ({
          name,
          type: 'string',
          format: name === 'Name' ? 'name' : '',
          description: '',
          priority: 0,
        })),
        rows: [row],
      });
      expect(warning).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
    },
  );

  test('tells its health, or why there is none', async () => {
    const { rows } = JSON.parse((await asked(statuses, 'Table')).text) as {
      readonly rows: readonly { readonly cells: readonly string[] }[];
    };
    expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ['scheduler', 'Unhealthy'],
      ['controller-manager', 'Unhealthy'],
      ['etcd-0', 'Healthy'],
    ]);
  });

  test('is its metadata alone, one or a list', async () => {
    expect((await asked(`${statuses}/etcd-0`, 'PartialObjectMetadata')).text).toBe(`${JSON.stringify(partial)}\n`);
    const list = '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":';
    expect((await asked(`${statuses}?fieldSelector=metadata.name%3Detcd-0`, 'PartialObjectMetadataList')).text).toBe(
      `${list}[${JSON.stringify(partial)}]}\n`,
    );
    expect((await asked(`${statuses}?labelSelector=a%3Db`, 'PartialObjectMetadataList')).text).toBe(`${list}null}\n`);
  });

  test.each([
    [
      statuses,
      'PartialObjectMetadata',
      406,
      'you requested PartialObjectMetadata, but the requested object is a list (*core.ComponentStatusList)',
    ],
    [`${statuses}/etcd-0`, 'PartialObjectMetadataList', 406, 'the requested object is not a list (*core.ComponentStatus)'],
    [`${statuses}/etcd-0?export=true`, 'Table', 400, 'the export parameter, deprecated since v1.14, is no longer supported'],
    [`${statuses}?watch=true&limit=a`, 'Table', 400, 'invalid syntax'],
    [`${statuses}/none?includeObject=x`, 'Table', 404, 'not found'],
    [`${statuses}?includeObject=x`, 'Table', 400, 'Unable to convert to Table as requested'],
  ])('is not what it cannot be: %s as %s', async (path, form, status, message) => {
    const answer = await asked(path, form);
    expect(answer.status).toBe(status);
    expect((JSON.parse(answer.text) as { readonly message: string }).message).toContain(message);
  });
});

test('metrics count requests and objects, in the text format of Prometheus', async () => {
  const headers = { authorization: `Bearer ${server.tokenFor({ username: 'admin', groups: ['system:masters'] })}` };
  await send('GET', `${PODS}/none`);
  const answer = await fetch(`${server.url}/metrics`, { headers });
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await answer.text();
  expect(text).toMatch(/^apiserver_storage_objects\{resource="nodes"\} 1$/m);
  expect(text).toMatch(
    /^apiserver_request_total\{code="404",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"\} \d+$/m,
  );
  expect(text).toMatch(/^# TYPE apiserver_request_total counter$/m);
  const stranger = await fetch(`${server.url}/metrics`);
  expect(stranger.status).toBe(403);
});
