import { ApiServer, type ApiServerOptions } from '../../../../src/api-server/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';

const GROUP = 'admissionregistration.k8s.io/v1beta1';

let server: ApiServer;
let send: (method: string, path: string, body?: object) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;

async function start(options: ApiServerOptions = { features: ['MutatingAdmissionPolicy'] }): Promise<void> {
  server = await ApiServer.start({ protocol: 'http', mode: 'envtest', ...options });
  const token = server.tokenFor();
  send = async (method, path, body) => {
    const response = await fetch(new URL(path, server.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

afterEach(() => server.close());

async function install(name: string, spec: object): Promise<void> {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods'] };
  const policy = { metadata: { name }, spec: { reinvocationPolicy: 'Never', matchConstraints: { resourceRules: [rule] }, ...spec } };
  expect(await send('POST', `/apis/${GROUP}/mutatingadmissionpolicies`, policy)).toMatchObject({ status: 201 });
  const binding = { metadata: { name }, spec: { policyName: name } };
  expect(await send('POST', `/apis/${GROUP}/mutatingadmissionpolicybindings`, binding)).toMatchObject({ status: 201 });
}

const apply = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const created = (name: string, data: object = { a: '1' }) =>
  send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name }, data });

describe('mutating admission policies', () => {
  test('are not served unless they are asked for', async () => {
    await start({});
    expect(await send('GET', `/apis/${GROUP}`)).toMatchObject({ status: 404 });
  });

  test('a feature that nobody knows is refused', async () => {
    await start();
    const unknown = 'Everything' as 'MutatingAdmissionPolicy';
    await expect(ApiServer.start({ features: [unknown] })).rejects.toThrow(
      'features: "Everything" is not possible: give MutatingAdmissionPolicy',
    );
  });

  test('an applied configuration adds to the lists that have keys', async () => {
    await start();
    await install('sidecar', {
      matchConditions: [{ name: 'pods', expression: "request.kind.kind == 'Pod'" }],
      mutations: [apply('Object{spec: Object.spec{containers: [Object.spec.containers{name: "sidecar", image: "s:1"}]}}')],
    });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'main', image: 'm:1' }] } };
    const { body } = await send('POST', '/api/v1/namespaces/default/pods', pod);
    const { containers } = (body as unknown as Pod).spec as NonNullable<Pod['spec']>;
    expect(containers.map(({ name, image, terminationMessagePath }) => [name, image, terminationMessagePath])).toEqual([
      ['main', 'm:1', '/dev/termination-log'],
      ['sidecar', 's:1', '/dev/termination-log'],
    ]);
  });

  test('a list without keys is not replaced by accident', async () => {
    await start();
    await install('owners', {
      mutations: [
        apply(
          'Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: "1", name: "x", kind: "K", apiVersion: "v1"}]}}',
        ),
      ],
    });
    expect(await created('one')).toMatchObject({
      status: 403,
      body: {
        reason: 'Invalid',
        message:
          "policy 'owners' with binding 'owners' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .metadata.ownerReferences[0]",
      },
    });
  });

  test('the operations of a JSON Patch see what the mutation before has made', async () => {
    await start();
    await install('two', {
      variables: [{ name: 'size', expression: 'string(size(object.data))' }],
      mutations: [
        patch('[JSONPatch{op: "add", path: "/data/b", value: variables.size}]'),
        patch('[JSONPatch{op: "add", path: "/data/c", value: variables.size}]'),
      ],
    });
    expect((await created('one')).body['data']).toEqual({ a: '1', b: '1', c: '2' });
  });

  test('a value that makes the real server panic is an error of the server here', async () => {
    await start();
    await install('panic', {
      mutations: [patch('[JSONPatch{op: "add", path: "/metadata/ownerReferences", value: [Object.metadata.ownerReferences{uid: "1"}]}]')],
    });
    expect(await created('one')).toMatchObject({ status: 500 });
  });

  test.each([
    ['Fail', 403, undefined],
    ['Ignore', 201, { a: '1', b: 'x' }],
  ])('%s decides about an expression that fails; the mutations behind it are made all the same', async (failurePolicy, status, data) => {
    await start();
    await install('broken', {
      failurePolicy,
      mutations: [apply('Object{data: {"x": object.data.nope}}'), apply('Object{data: {"b": "x"}}')],
    });
    const { status: code, body } = await created('one');
    expect([code, body['data']]).toEqual([status, data]);
  });

  test('a mutation and the variables that it reads may cost ten times what one expression may', async () => {
    await start();
    // A look through a long text is dear, and soon done: nine of them cost a little less than an expression may.
    const costly = `[0, 1, 2, 3, 4, 5, 6, 7, 8].all(i, !object.data.a.contains('${'y'.repeat(100)}'))`;
    const variables = Array.from({ length: 12 }, (_, index) => ({ name: `v${index}`, expression: costly }));
    const all = variables.map(({ name }) => `variables.${name}`).join(' && ');
    await install('costly', { variables, mutations: [apply(`Object{data: {"x": string(${all})}}`)] });
    const { status, body } = await created('one', { a: 'x'.repeat(100_000) });
    expect(status).toBe(403);
    expect(body['message']).toContain('validation failed due to running out of cost budget, no further validation rules will be run');
  });

  test('a policy that wants to is asked again when another has changed the object', async () => {
    await start();
    const again = apply('Object{data: {"seen": string("late" in object.data)}}');
    await install('a', { reinvocationPolicy: 'IfNeeded', mutations: [again] });
    await install('b', { mutations: [apply('Object{data: {"late": "1"}}')] });
    expect((await created('one')).body['data']).toEqual({ a: '1', late: '1', seen: 'true' });
  });

  test('what is deleted is not changed', async () => {
    await start();
    await install('any', { mutations: [apply('Object{data: {"b": "2"}}')] });
    await created('one');
    expect(await send('DELETE', '/api/v1/namespaces/default/configmaps/one')).toMatchObject({ status: 200 });
  });
});
