import type { AdmissionPlugin } from '../../../../src/api-server/access/admission/index.js';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  defaultIngressClass,
  persistentVolumeClaimResize,
  podTopologyLabels,
  runtimeClass,
  taintNodesByCondition,
} from '../../../../src/api-server/access/admission/kinds/index.js';
import { mergedTolerations } from '../../../../src/api-server/access/admission/kinds/tolerations.js';
import type { AdmissionRequest, JsonObject } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import { builtinRequest, podOf, refusalOf, roundOf, type World, world } from './surroundings.js';

type Fields = Readonly<Record<string, Json>>;

function within(objects: Readonly<Record<string, readonly JsonObject[]>> = {}): World {
  const made = world();
  for (const [plural, list] of Object.entries(objects)) made.objects.set(plural, [...list]);
  return made;
}

const mutate = (plugin: AdmissionPlugin, request: AdmissionRequest): JsonObject => plugin.mutate?.(request, roundOf()) as JsonObject;
const validate = (plugin: AdmissionPlugin, request: AdmissionRequest): Promise<string | undefined> =>
  refusalOf(() => plugin.validate?.(request));

describe('a new node', () => {
  const tainted = (taints: Json[]) => {
    const object = { metadata: { name: 'n' }, spec: { taints } };
    return (mutate(taintNodesByCondition(), builtinRequest(within(), 'nodes', { object })) as { spec: { taints: Json[] } }).spec.taints;
  };

  test('is not ready until it says so', () => {
    const own = { key: 'a', effect: 'NoExecute' };
    expect(tainted([own])).toEqual([own, { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
  });

  test('that says so already is left as it is', () => {
    const own = { key: 'node.kubernetes.io/not-ready', value: 'x', effect: 'NoSchedule' };
    expect(tainted([own])).toEqual([own]);
  });
});

describe('the labels of a pod on a node with a zone', () => {
  const zone = { 'topology.kubernetes.io/zone': 'a' };
  const inside = within({
    nodes: [{ metadata: { name: 'n', labels: { ...zone, 'example.com/rack': '7' } } }, { metadata: { name: 'bare' } }],
  });
  const labelled = (object: JsonObject, subresource = ''): unknown =>
    (mutate(podTopologyLabels(inside.cluster), builtinRequest(inside, 'pods', { object, subresource }))['metadata'] as JsonObject)[
      'labels'
    ];

  test('have the zone, whether it is made on the node or bound to it, and nothing else of the node', () => {
    expect(labelled(podOf({ nodeName: 'n' }, { labels: { app: 'web' } }))).toEqual({ app: 'web', ...zone });
    expect(labelled({ metadata: { name: 'one' }, target: { kind: 'Node', name: 'n' } }, 'binding')).toEqual(zone);
  });

  test('stay as they are without a node, and on a node without topology', () => {
    expect(labelled(podOf({}, { labels: { app: 'web' } }))).toEqual({ app: 'web' });
    expect(labelled(podOf({ nodeName: 'bare' }))).toBeUndefined();
    expect(labelled(podOf({ nodeName: 'unknown' }))).toBeUndefined();
  });
});

describe('an ingress without a class', () => {
  const named = (name: string, creationTimestamp: string, isDefault = 'true'): JsonObject => ({
    metadata: { name, creationTimestamp, annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } },
  });
  const classOf = (ingressclasses: JsonObject[], object: JsonObject) => {
    const inside = within({ ingressclasses });
    const made = mutate(defaultIngressClass(inside.cluster), builtinRequest(inside, 'ingresses.networking.k8s.io', { object }));
    return (made['spec'] as { ingressClassName?: string }).ingressClassName;
  };
  const plain = { metadata: { name: 'i' }, spec: {} };

  test('gets the newest default, of equally old ones the first by name', () => {
    const classes = [named('old', '2026-01-01T00:00:00Z'), named('z', '2026-01-02T00:00:00Z'), named('b', '2026-01-02T00:00:00Z')];
    expect(classOf([...classes, named('none', '2026-01-03T00:00:00Z', 'false')], plain)).toBe('b');
  });

  test('keeps the one that it names, in either way', () => {
    const classes = [named('default', '2026-01-01T00:00:00Z')];
    expect(classOf(classes, { ...plain, spec: { ingressClassName: 'own' } })).toBe('own');
    expect(classOf(classes, { ...plain, metadata: { annotations: { 'kubernetes.io/ingress.class': 'own' } } })).toBeUndefined();
  });
});

describe('a runtime class', () => {
  const heavy = {
    metadata: { name: 'heavy' },
    overhead: { podFixed: { cpu: '250m' } },
    scheduling: { nodeSelector: { zone: 'a' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
  };
  const inside = within({ runtimeclasses: [heavy, { metadata: { name: 'light' } }] });
  const plugin = runtimeClass(inside.cluster);
  const request = (spec: Fields) => builtinRequest(inside, 'pods', { object: podOf({ containers: [], ...spec }) });

  test('gives its pods overhead, nodes and tolerations', () => {
    const covered = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
    const other = { key: 'x', operator: 'Equal', value: 'v' };
    const made = mutate(plugin, request({ runtimeClassName: 'heavy', nodeSelector: { more: 'm' }, tolerations: [covered, other] }));
    expect(made['spec']).toEqual({
      containers: [],
      runtimeClassName: 'heavy',
      overhead: { cpu: '250m' },
      nodeSelector: { more: 'm', zone: 'a' },
      tolerations: [other, { key: 'k', operator: 'Exists' }],
    });
  });

  test('adds no toleration that the pod has already, in whichever way', () => {
    for (const own of [{ key: 'k', operator: 'Exists' }, { operator: 'Exists' }]) {
      const made = mutate(plugin, request({ runtimeClassName: 'heavy', tolerations: [own] }));
      expect((made['spec'] as { tolerations: Json[] }).tolerations).toEqual([own]);
    }
    const brief = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 } as const;
    const long = { ...brief, tolerationSeconds: 6 };
    expect(mergedTolerations([brief], [long])).toEqual([long]);
    expect(mergedTolerations([brief], [{ ...brief, effect: 'NoSchedule' }])).toHaveLength(2);
  });

  test.each<[Fields, string | undefined]>([
    [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
    [{ runtimeClassName: 'heavy', overhead: { cpu: '1' } }, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"],
    [{ runtimeClassName: 'heavy', overhead: { cpu: '0.25' } }, undefined],
    [
      { runtimeClassName: 'heavy', nodeSelector: { zone: 'b' } },
      'conflict: runtimeClass.scheduling.nodeSelector[zone] = a; pod.spec.nodeSelector[zone] = b',
    ],
  ])('%j', async (spec, text) => {
    expect(await refusalOf(() => mutate(plugin, request(spec)))).toBe(text === undefined ? undefined : `pods "one" is forbidden: ${text}`);
  });

  test('alone may say what overhead is', async () => {
    const text = 'pods "one" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
    expect(await validate(plugin, request({ overhead: { cpu: '1' } }))).toBe(text);
    expect(await validate(plugin, request({ runtimeClassName: 'light', overhead: { cpu: '1' } }))).toBe(text);
    expect(await validate(plugin, request({ runtimeClassName: 'heavy' }))).toContain("doesn't match");
    expect(await validate(plugin, request({ runtimeClassName: 'heavy', overhead: { cpu: '250m' } }))).toBeUndefined();
  });
});

test.each<[string, string, Fields, string | undefined]>([
  ['Pending', 'elastic', {}, 'Only bound persistent volume claims can be expanded'],
  ['Bound', 'elastic', {}, undefined],
  ['Bound', 'fixed', {}, 'only dynamically provisioned pvc can be resized'],
  ['Bound', 'missing', {}, 'only dynamically provisioned pvc can be resized'],
  ['Bound', '', {}, 'only dynamically provisioned pvc can be resized'],
  ['Bound', 'fixed', { storage: '1Gi' }, undefined],
  ['Bound', 'fixed', { storage: '1Mi' }, undefined],
])('a claim that is %s, of class "%s", grows (to %j): %s', async (phase, storageClassName, amounts, text) => {
  const inside = within({
    storageclasses: [{ metadata: { name: 'elastic' }, allowVolumeExpansion: true }, { metadata: { name: 'fixed' } }],
  });
  const claim = (requests: Fields): JsonObject => ({
    metadata: { name: 'one' },
    spec: { storageClassName, resources: { requests } },
    status: { phase },
  });
  const fields = { operation: 'UPDATE', object: claim({ storage: '2Gi', ...amounts }), oldObject: claim({ storage: '1Gi' }) } as const;
  const refusal = await validate(persistentVolumeClaimResize(inside.cluster), builtinRequest(inside, 'persistentvolumeclaims', fields));
  if (text === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toContain(text);
});

describe('a certificate signing request', () => {
  const CSRS = 'certificatesigningrequests.certificates.k8s.io';
  const inside = within();
  const authorizer = { authorize: (attributes: object) => ({ allowed: rights.has(JSON.stringify(attributes)), reason: '' }) };
  const right = (verb: string, name: string): string =>
    JSON.stringify({
      type: 'resource',
      user: { username: 'ann', groups: ['dev'] },
      verb,
      apiGroup: 'certificates.k8s.io',
      resource: 'signers',
      name,
    });
  const rights = new Set([right('approve', 'example.com/a'), right('sign', 'example.org/*'), right('attest', 'example.com/a')]);
  const update = (subresource: string, signerName: string, status: Fields = {}) =>
    builtinRequest(inside, CSRS, {
      operation: 'UPDATE',
      subresource,
      object: { spec: { signerName: 'other/x' }, status },
      oldObject: { spec: { signerName } },
    });

  test('is approved by who may approve for its signer, as it was', async () => {
    const plugin = certificateApproval(authorizer);
    expect(await validate(plugin, update('approval', 'example.com/a'))).toBeUndefined();
    expect(await validate(plugin, update('approval', 'example.com/b'))).toContain(
      'user not permitted to approve requests with signerName "example.com/b"',
    );
    expect(await validate(plugin, update('status', 'example.com/b'))).toBeUndefined();
  });

  test('is signed by who may sign for its domain; other changes are free', async () => {
    const plugin = certificateSigning(authorizer);
    const signed = { certificate: 'eA==' };
    expect(await validate(plugin, update('status', 'example.org/any', signed))).toBeUndefined();
    expect(await validate(plugin, update('status', 'example.com/a', signed))).toContain(
      'user not permitted to sign requests with signerName "example.com/a"',
    );
    expect(await validate(plugin, update('status', 'example.com/a'))).toBeUndefined();
  });

  test('has its signer published by who may attest for it; references are free', async () => {
    const bundle = (signerName: string, metadata: Fields = {}): JsonObject => ({
      metadata: { name: 'b', ...metadata },
      spec: { signerName },
    });
    const written = (object: JsonObject, oldObject?: JsonObject) =>
      validate(
        clusterTrustBundleAttest(authorizer),
        builtinRequest(inside, 'clustertrustbundles.certificates.k8s.io', {
          object,
          ...(oldObject === undefined ? {} : { operation: 'UPDATE', oldObject }),
        }),
      );
    const refusal = 'user not permitted to attest for signerName "example.com/b"';
    expect(await written(bundle('example.com/a'))).toBeUndefined();
    expect(await written(bundle('example.com/b'))).toContain(refusal);
    expect(await written(bundle('example.com/b'), bundle('example.com/a'))).toContain(refusal);
    expect(await written(bundle('example.com/b', { finalizers: ['x/y'] }), bundle('example.com/b'))).toBeUndefined();
    expect(await written(bundle(''))).toBeUndefined();
  });

  const requested = (signerName: string, request: string) =>
    validate(
      certificateSubjectRestriction(),
      builtinRequest(inside, CSRS, { object: { metadata: { name: 'one' }, spec: { signerName, request } } }),
    );
  const CLIENT = 'kubernetes.io/kube-apiserver-client';

  test('makes nobody administrator', async () => {
    expect(await requested(CLIENT, ADMIN_REQUEST)).toBe(
      `certificatesigningrequests.certificates.k8s.io "one" is forbidden: use of ${CLIENT} signer with system:masters group is not allowed`,
    );
    expect(await requested(CLIENT, DEV_REQUEST)).toBeUndefined();
    expect(await requested('example.com/a', ADMIN_REQUEST)).toBeUndefined();
  });

  test.each([
    ['', 'PEM block type must be CERTIFICATE REQUEST'],
    [
      Buffer.from('-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n').toString('base64'),
      'malformed certificate request',
    ],
  ])('that cannot be read (%j) is refused', async (request, text) => {
    expect(await requested(CLIENT, request)).toContain(`failed to parse CSR: `);
    expect(await requested(CLIENT, request)).toContain(text);
  });
});

/** Subjects `O=dev,CN=a` and `O=system:masters,O=x,CN=a`. */
const DEV_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVU1Id0NBUUF3R2pFTU1Bb0dBMVVFQ2d3RFpHVjJNUW93Q0FZRFZRUUREQUZoTUZrd0V3WUhLb1pJemowQwpBUVlJS29aSXpqMERBUWNEUWdBRWRpS3M2WFByTFZ4N0xWSDBrNzUrVjRVbE1ueDAzUXkxYW00Q3ovWkRoVXJYCmhONHFwOU16M3gvdnJ6Z0dOVUVpN2pocjhJQnJrYktNbSs4bWFsRjFacUFBTUFvR0NDcUdTTTQ5QkFNQ0EwZ0EKTUVVQ0lRRHk4TVlTOW9IaGRnL2JqVEpkVXdUK0FHd2RkaDZSNjNieS9INTFZVjNhMXdJZ0UxNEZ2eC9aU2UvVApmODZ1bzJ4aHJFenlPajVaTFgvcjBLY01pRUhuMlNBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
const ADMIN_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdE1JR1RBZ0VBTURFeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFLREFGNApNUW93Q0FZRFZRUUREQUZoTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFZGlLczZYUHJMVng3CkxWSDBrNzUrVjRVbE1ueDAzUXkxYW00Q3ovWkRoVXJYaE40cXA5TXozeC92cnpnR05VRWk3amhyOElCcmtiS00KbSs4bWFsRjFacUFBTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFEb1hoNzJzUU02QUFiOHhveWFGWEZSQ0NtVApKa2QxeTN1TFcvUklpQ0JoUkFJaEFNdU1ja0xLMENWbGdBdUsvNXBsalNuWVd5RktKS3phd1g1WGdnUGVHY3BxCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
