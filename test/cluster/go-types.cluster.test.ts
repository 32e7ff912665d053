import { GoDecodeError, GoTypes } from '../../src/api-server/values/go-types/index.js';
import { apiVersionOf, type JsonObject } from '../../src/kubernetes/apimachinery/index.js';
import { DECODED_FIELD } from './differential/masking.js';
import { describeCluster } from './harness/index.js';

const types = new GoTypes();

interface Place {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
}

const place = (group: string, version: string, [kind, plural]: readonly [string, string], namespace = 'default'): Place => {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return { group, version, kind, path: `${root}/${namespace === '' ? '' : `namespaces/${namespace}/`}${plural}` };
};

const configMaps = place('', 'v1', ['ConfigMap', 'configmaps']);
const secrets = place('', 'v1', ['Secret', 'secrets']);
const quotas = place('', 'v1', ['ResourceQuota', 'resourcequotas']);
const pods = place('', 'v1', ['Pod', 'pods']);
const services = place('', 'v1', ['Service', 'services']);
const endpoints = place('', 'v1', ['Endpoints', 'endpoints']);
const accounts = place('', 'v1', ['ServiceAccount', 'serviceaccounts']);
const deployments = place('apps', 'v1', ['Deployment', 'deployments']);
const revisions = place('apps', 'v1', ['ControllerRevision', 'controllerrevisions']);
const roles = place('rbac.authorization.k8s.io', 'v1', ['Role', 'roles']);
const clusterRoles = place('rbac.authorization.k8s.io', 'v1', ['ClusterRole', 'clusterroles'], '');
const leases = place('coordination.k8s.io', 'v1', ['Lease', 'leases']);
const budgets = place('policy', 'v1', ['PodDisruptionBudget', 'poddisruptionbudgets']);
const capacities = place('storage.k8s.io', 'v1', ['CSIStorageCapacity', 'csistoragecapacities']);
const definitions = place('apiextensions.k8s.io', 'v1', ['CustomResourceDefinition', 'customresourcedefinitions'], '');

/** Objects of kinds that nobody defaults: what comes back is what the decoders make of them. */
const ACCEPTED: readonly (readonly [Place, JsonObject])[] = [
  [configMaps, {}],
  [configMaps, { data: {}, binaryData: {} }],
  [configMaps, { data: { b: 'x', a: null, 'Z.y': '<&>' }, immutable: false }],
  [configMaps, { data: null, binaryData: { a: 'YR==', b: '', c: null, d: [97, 98] } }],
  [configMaps, { metadata: { annotations: {}, labels: {}, finalizers: [], ownerReferences: [] } }],
  [configMaps, { metadata: { annotations: { a: null }, labels: null }, data: { a: '' } }],
  [secrets, { type: 'Opaque', data: { a: 'YQ==', b: null, c: 'YWJj\nZGVm' } }],
  [secrets, { type: 'Opaque', data: {} }],
  [roles, { rules: [] }],
  [roles, { rules: null }],
  [roles, {}],
  [roles, { rules: [{ verbs: ['get'], resources: ['pods'], apiGroups: [''], resourceNames: [], nonResourceURLs: [] }] }],
  [clusterRoles, { rules: [], aggregationRule: { clusterRoleSelectors: [{ matchLabels: {} }, { matchExpressions: [] }] } }],
  [accounts, { secrets: [], imagePullSecrets: [{}, { name: '' }, null], automountServiceAccountToken: null }],
  [accounts, { secrets: [{ name: 'a', fieldPath: '' }, {}] }],
  [
    quotas,
    {
      spec: { hard: { pods: 1, cpu: 0.5, memory: '1024Mi', 'requests.cpu': '1.500', 'limits.memory': '+1' } },
    },
  ],
  [
    quotas,
    { spec: { hard: { 'requests.memory': ' 1.5Gi ', 'requests.storage': '1e3', 'count/a.b': '1000m', services: '001', secrets: '0Ki' } } },
  ],
  [quotas, { spec: { hard: {} }, status: null }],
  [quotas, { spec: { scopes: [], scopeSelector: { matchExpressions: [] } } }],
  [leases, { spec: {} }],
  [leases, {}],
  [leases, { spec: { renewTime: '2024-01-31T00:00:00.123456+01:00', acquireTime: null, leaseDurationSeconds: 1 } }],
  [endpoints, { subsets: [] }],
  [
    endpoints,
    {
      subsets: [
        { addresses: [{ ip: '10.1.2.3', targetRef: {} }], notReadyAddresses: [], ports: [{ port: 80, protocol: 'TCP', name: '' }] },
      ],
    },
  ],
  [revisions, { revision: 1, data: { spec: { b: [], a: {}, c: null, d: 1.5 } } }],
  [capacities, { storageClassName: 'a', nodeTopology: {}, capacity: '1.5Ki', maximumVolumeSize: '0.0000000001' }],
];

/** Documents that end in the decoder. */
const REFUSED: readonly (readonly [Place, JsonObject])[] = [
  [configMaps, { data: { a: 1 } }],
  [configMaps, { data: [] }],
  [configMaps, { data: 'x' }],
  [configMaps, { immutable: 'true' }],
  [configMaps, { metadata: [] }],
  [configMaps, { metadata: { labels: { a: true } } }],
  [configMaps, { metadata: { generation: 1.5 } }],
  [configMaps, { metadata: { creationTimestamp: 'yesterday' } }],
  [configMaps, { metadata: { creationTimestamp: '2023-02-29T00:00:00Z' } }],
  [configMaps, { metadata: { deletionTimestamp: 5 } }],
  [configMaps, { metadata: { ownerReferences: {} } }],
  [configMaps, { metadata: { ownerReferences: [{ controller: 1 }] } }],
  [configMaps, { binaryData: { a: 'YQ' } }],
  [configMaps, { binaryData: { a: '!' } }],
  [configMaps, { binaryData: { a: [256] } }],
  [secrets, { data: { a: 'YQ==YQ==' } }],
  [secrets, { data: { a: {} } }],
  [deployments, { spec: { replicas: '3' } }],
  [deployments, { spec: { replicas: 3_000_000_000 } }],
  [deployments, { spec: { replicas: true, selector: 1 } }],
  [deployments, { spec: { template: { spec: { containers: {} } } } }],
  [deployments, { spec: { template: { spec: { containers: ['a'] } } } }],
  [deployments, { spec: { template: { spec: { containers: [{ env: [{ valueFrom: 'x' }] }] } } } }],
  [deployments, { spec: { template: { spec: { containers: [{ ports: [{ containerPort: '80' }] }] } } } }],
  [deployments, { spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } } }],
  [pods, { spec: { overhead: { cpu: 'much' } } }],
  [pods, { spec: { overhead: { cpu: '1kk' } } }],
  [pods, { metadata: { name: 1 }, spec: { overhead: { cpu: [] } } }],
  [pods, { spec: { restartPolicy: {} } }],
  [pods, { spec: { volumes: [{ emptyDir: { sizeLimit: true } }] } }],
  [services, { spec: { ports: [{ targetPort: true }] } }],
  [services, { spec: { ports: [{ targetPort: 99_999_999_999 }] } }],
  [leases, { spec: { renewTime: '2024-01-01T00:00:00Z' } }],
  [leases, { spec: { renewTime: 1 } }],
  [budgets, { spec: { minAvailable: [] } }],
  [roles, { rules: [{ verbs: 'get' }] }],
  [definitions, { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: 1 } } } }] } }],
  [definitions, { spec: { versions: [{ schema: { openAPIV3Schema: { items: { type: 1 } } } }] } }],
  [definitions, { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 'yes' } } }] } }],
];

/** Documents with fields that their types do not have. */
const UNKNOWN: readonly (readonly [Place, JsonObject])[] = [
  [configMaps, { foo: 1, Data: {}, metadata: { 'x y': 1, labels: { any: 'thing' } } }],
  [configMaps, { metadata: { ownerReferences: [], managedField: [] }, '"\n': {} }],
  [
    roles,
    {
      rules: [
        { verbs: ['get'], resources: ['pods'], apiGroups: [''], verb: 'x' },
        { verbs: ['get'], resources: ['a'], apiGroups: [''], verb: 'y' },
      ],
    },
  ],
  [secrets, { type: 'Opaque', data: {}, stringdata: { a: 'b' } }],
  [leases, { spec: { foo: { deep: [1] }, Bar: null }, status: {} }],
];

/** With a title. */
const rows = (cases: readonly (readonly [Place, JsonObject])[]) =>
  cases.map(([where, body]) => [where.kind, JSON.stringify(body), where, body] as const);

const SERVERS_OWN = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];

describeCluster('Go types', (cluster) => {
  let count = 0;
  const documentOf = ({ group, version, kind, path }: Place, body: JsonObject): JsonObject => {
    count += 1;
    const { metadata } = body;
    const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
    const named = {
      name: `odd-${count}.example`,
      ...(path.includes('/namespaces/') ? { namespace: 'default' } : {}),
      ...(isObject ? metadata : {}),
    };
    return { apiVersion: apiVersionOf({ group, version }), kind, ...body, metadata: metadata === undefined || isObject ? named : metadata };
  };
  const send = (where: Place, document: JsonObject, fieldValidation: string) =>
    cluster.request<JsonObject>('POST', where.path, JSON.stringify(document), { query: { dryRun: 'All', fieldValidation } });
  const structOf = (where: Place): NonNullable<ReturnType<GoTypes['typeOf']>> => {
    const struct = types.typeOf(where);
    if (struct === undefined) throw new Error(`${where.kind} has no type`);
    return struct;
  };

  test.each(rows(ACCEPTED))('%s %s comes back as it is written here', async (_kind, _title, where, body) => {
    const document = documentOf(where, body);
    const answer = await send(where, document, 'Strict');
    expect([answer.status, answer.body['message']]).toEqual([201, undefined]);
    const metadata = Object.fromEntries(
      Object.entries(answer.body['metadata'] as JsonObject).filter(([name]) => !SERVERS_OWN.includes(name)),
    );
    const theirs = Object.fromEntries(Object.entries(answer.body).map(([name, value]) => [name, name === 'metadata' ? metadata : value]));
    const struct = structOf(where);
    expect(JSON.stringify(types.storedForm(struct, types.decodeJson(struct, document).value))).toBe(JSON.stringify(theirs));
  });

  test.each(rows(REFUSED))('%s %s is refused in the same words', async (_kind, _title, where, body) => {
    const document = documentOf(where, body);
    const answer = await send(where, document, 'Strict');
    let text = 'nothing';
    try {
      types.decodeJson(structOf(where), document);
    } catch (error) {
      if (!GoDecodeError.isGoDecodeError(error)) throw error;
      text = (error as GoDecodeError).message;
    }
    const message = String(answer.body['message']).replace(DECODED_FIELD, '<field>');
    expect({ status: answer.status, message }).toEqual({
      status: 400,
      message: `${where.kind} in version "${where.version}" cannot be handled as a ${where.kind}: ${text.replace(DECODED_FIELD, '<field>')}`,
    });
  });

  test.each(rows(UNKNOWN))('%s %s has the same unknown fields', async (_kind, _title, where, body) => {
    const document = documentOf(where, body);
    const { unknown } = types.decodeJson(structOf(where), document);
    const strict = await send(where, document, 'Strict');
    expect({ status: strict.status, message: strict.body['message'] }).toEqual({
      status: 400,
      message: `${where.kind} in version "${where.version}" cannot be handled as a ${where.kind}: strict decoding error: ${unknown.join(', ')}`,
    });
    const warned = await send(where, document, 'Warn');
    expect([warned.status, warned.warnings]).toEqual([201, unknown]);
    const ignored = await send(where, document, 'Ignore');
    expect([ignored.status, ignored.warnings]).toEqual([201, []]);
    expect(JSON.stringify({ ...ignored.body, metadata: 0 })).toBe(
      JSON.stringify({ ...types.storedForm(structOf(where), document), metadata: 0 }),
    );
  });
});
