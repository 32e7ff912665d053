import { GoDecodeError, type GoStruct, GoTypes, readTypeMeta } from '../../../../src/api-server/values/go-types/index.js';
import { groupVersionOf } from '../../../../src/kubernetes/apimachinery/index.js';

const types = new GoTypes();

function struct(apiVersion: string, kind: string): GoStruct {
  const found = types.typeOf({ ...groupVersionOf(apiVersion), kind });
  if (found === undefined) throw new Error(`no ${kind} in ${apiVersion}`);
  return found;
}

const deployment = struct('apps/v1', 'Deployment');
const pod = struct('v1', 'Pod');
const configMap = struct('v1', 'ConfigMap');
const secret = struct('v1', 'Secret');
const role = struct('rbac.authorization.k8s.io/v1', 'Role');

const written = (type: GoStruct, value: unknown): string => JSON.stringify(types.decodeJson(type, value).value);

function problem(type: GoStruct, value: unknown): string {
  try {
    types.decodeJson(type, value);
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) return (error as GoDecodeError).message;
    throw error;
  }
  return 'no problem';
}

describe('what is written', () => {
  test('structs that are not pointers appear, in the order of Go', () => {
    expect(written(deployment, { spec: { replicas: 1 }, kind: 'Deployment', apiVersion: 'apps/v1' })).toBe(
      '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{},"spec":{"replicas":1,"selector":null,' +
        '"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    );
    expect(JSON.stringify(types.emptyValue(deployment))).toBe(
      '{"metadata":{},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
    );
  });

  test('an empty value is a new one each time', () => {
    const first = types.emptyValue(pod);
    (first['metadata'] as Record<string, unknown>)['name'] = 'changed';
    expect(types.emptyValue(pod)).toEqual({ metadata: {}, spec: { containers: null }, status: {} });
  });

  test('null is the zero value, and what is empty is left out where Go leaves it out', () => {
    expect(written(configMap, { metadata: null, data: { b: 'x', a: null }, binaryData: null, immutable: false })).toBe(
      '{"metadata":{},"immutable":false,"data":{"a":"","b":"x"}}',
    );
    expect(written(role, { rules: [] })).toBe('{"metadata":{},"rules":[]}');
    expect(written(role, { rules: null })).toBe('{"metadata":{},"rules":null}');
  });

  test('keys of maps are sorted by bytes, and no key reaches a prototype', () => {
    const labels = JSON.parse('{"metadata":{"labels":{"b":"2","\\uffee":"4","\\ud83d\\ude00":"5","__proto__":"3","a":"1"}}}') as unknown;
    expect(written(configMap, labels)).toBe('{"metadata":{"labels":{"__proto__":"3","a":"1","b":"2","\uffee":"4","\u{1f600}":"5"}}}');
  });

  test('bytes are canonical base64', () => {
    expect(written(secret, { data: { a: 'YR==', b: 'YW\nJj', c: null, d: [97, 98] } })).toContain(
      '"data":{"a":"YQ==","b":"YWJj","c":null,"d":"YWI="}',
    );
    expect(problem(secret, { data: { a: 'YW' } })).toBe('illegal base64 data at input byte 0');
    expect(problem(secret, { data: { a: 'YWJjYWJ*' } })).toBe('illegal base64 data at input byte 7');
    expect(problem(secret, { data: { a: 'YQ==YQ==' } })).toBe('illegal base64 data at input byte 4');
  });

  test('quantities, times and numbers-or-texts', () => {
    const spec = {
      containers: [{ name: 'c', resources: { limits: { cpu: 0.5, memory: '1024Mi', x: 1 } }, livenessProbe: { httpGet: { port: '80' } } }],
    };
    expect(written(pod, { metadata: { deletionTimestamp: '2024-01-31T23:30:00.7-01:00' }, spec })).toContain(
      '"metadata":{"deletionTimestamp":"2024-02-01T00:30:00Z"},"spec":{"containers":[{"name":"c","resources":{"limits":' +
        '{"cpu":"500m","memory":"1Gi","x":"1"}},"livenessProbe":{"httpGet":{"port":"80"}}}]}',
    );
  });
});

describe('unknown fields', () => {
  test('are told with their way, in the order of the document, once each', () => {
    const decoded = types.decodeJson(deployment, {
      spec: { foo: 1, template: { spec: { containers: [{ name: 'a' }, { Name: 'b', env: [{ x: 1 }, { x: 2 }] }] } } },
      Kind: 'x',
      metadata: { labels: { a: 'b' }, annotation: {} },
    });
    expect(decoded.unknown).toEqual([
      'unknown field "spec.foo"',
      'unknown field "spec.template.spec.containers[1].Name"',
      'unknown field "spec.template.spec.containers[1].env[0].x"',
      'unknown field "spec.template.spec.containers[1].env[1].x"',
      'unknown field "Kind"',
      'unknown field "metadata.annotation"',
    ]);
  });

  test('are told up to a hundred, as Go does', () => {
    expect(types.decodeJson(pod, Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}`, 1]))).unknown).toHaveLength(
      100,
    );
  });

  test('inside the unions of a JSON schema are dropped in silence', () => {
    const crd = struct('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    const schema = { openAPIV3Schema: { foo: 1, items: { type: 'string', foo: 2 }, additionalProperties: { foo: 3 } } };
    const { value, unknown } = types.decodeJson(crd, { spec: { versions: [{ schema }] } });
    expect(unknown).toEqual(['unknown field "spec.versions[0].schema.openAPIV3Schema.foo"']);
    expect(JSON.stringify(value)).toContain('"openAPIV3Schema":{"items":{"type":"string"},"additionalProperties":{}}');
  });
});

describe('values of a wrong type', () => {
  test.each<[GoStruct, unknown, string]>([
    [
      deployment,
      { spec: { replicas: '3' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployment,
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployment,
      { spec: { replicas: 2 ** 31 } },
      'json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      deployment,
      { spec: { template: { spec: { containers: {} } } } },
      'json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container',
    ],
    [
      deployment,
      { spec: { template: { spec: { containers: ['a'] } } } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of type v1.Container',
    ],
    [deployment, [], 'json: cannot unmarshal array into Go value of type v1.Deployment'],
    [
      pod,
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      pod,
      { metadata: { creationTimestamp: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    [
      pod,
      { spec: { restartPolicy: 1 } },
      'json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy',
    ],
    [
      pod,
      { spec: { overhead: { cpu: 'x' } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [pod, { metadata: { creationTimestamp: 'x' } }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    [
      struct('v1', 'Service'),
      { spec: { ports: [{ targetPort: true }] } },
      'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
    ],
    [secret, { data: ['x'] }, 'json: cannot unmarshal array into Go struct field Secret.data of type map[string][]uint8'],
  ])('%#: %j', (type, value, text) => {
    expect(problem(type, value)).toBe(text);
  });

  test('the first counts, but a decoder that gives up at once is first', () => {
    expect(problem(pod, { metadata: { name: 1 }, spec: 1 })).toContain('ObjectMeta.metadata.name');
    expect(problem(pod, { metadata: { name: 1 }, spec: { overhead: { cpu: 'x' } } })).toContain('quantities must match');
  });

  test('a schema of endless depth ends with an error', () => {
    const crd = struct('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    let schema: unknown = {};
    for (let depth = 0; depth < 50_000; depth += 1) schema = depth % 2 === 0 ? { not: schema } : { items: { properties: { a: schema } } };
    expect(problem(crd, { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } })).toBe('exceeded max depth');
  });
});

describe('after storage', () => {
  const stored = (type: GoStruct, value: unknown): string => JSON.stringify(types.storedForm(type, value));

  test('empty lists and maps are nil', () => {
    expect(stored(role, { rules: [] })).toBe('{"metadata":{},"rules":null}');
    expect(stored(role, { rules: [{ verbs: [], apiGroups: [''] }] })).toBe('{"metadata":{},"rules":[{"verbs":null,"apiGroups":[""]}]}');
    expect(stored(pod, { spec: { containers: [] } })).toBe('{"metadata":{},"spec":{"containers":null},"status":{}}');
  });

  test('a pointer to something empty is kept', () => {
    expect(stored(pod, { spec: { securityContext: {}, volumes: [{ name: 'a', emptyDir: {} }], containers: null } })).toBe(
      '{"metadata":{},"spec":{"volumes":[{"name":"a","emptyDir":{}}],"containers":null,"securityContext":{}},"status":{}}',
    );
    expect(stored(secret, { data: { a: '', b: null } })).toBe('{"metadata":{},"data":{"a":"","b":""}}');
  });

  test('what is stored as JSON keeps them', () => {
    const crd = struct('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    expect(stored(crd, { spec: { versions: [] }, status: { conditions: [], storedVersions: [] } })).toContain('"versions":[]');
  });
});

describe('the kind of a document', () => {
  test('is read without an eye on the case of names', () => {
    expect(readTypeMeta({ apiVersion: 'apps/v1', Kind: 'Deployment', other: [] })).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment' });
  });

  test.each<[unknown, string]>([
    [{ kind: 1 }, "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string"],
    [
      [],
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    ],
    [{ apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
  ])('%j', (document, text) => {
    expect(() => readTypeMeta(document)).toThrow(text);
  });

  test('DeleteOptions are a kind of every version that is served, and of no other', () => {
    expect(types.typeOf({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.name).toBe('meta/v1.DeleteOptions');
    expect(types.typeOf({ group: 'apps', version: 'v9', kind: 'DeleteOptions' })).toBeUndefined();
    expect(types.typeOf({ group: '', version: 'v1', kind: 'toString' })).toBeUndefined();
  });
});
