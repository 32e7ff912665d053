import type { Step } from '../differential/exchange.js';
import { noticed } from '../differential/noticed.js';
import type { Script, StepMaker } from '../differential/script.js';

type Fields = Readonly<Record<string, unknown>>;

const create = (path: string, body: Fields, user?: string): Step => ({
  method: 'POST',
  path,
  body,
  ...(user === undefined ? {} : { user }),
});
const remove = (path: string): Step => ({ method: 'DELETE', path });

const INGRESS_CLASSES = '/apis/networking.k8s.io/v1/ingressclasses';
const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses';
const ingress = (name: string, spec: Fields = {}, annotations: Fields = {}): Step =>
  create(INGRESSES, {
    metadata: { name, annotations },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
  });
const ingressClass = (name: string, isDefault: string): Step =>
  create(INGRESS_CLASSES, {
    metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': isDefault } },
    spec: { controller: 'example.com/c' },
  });

const ingressClasses: Script = {
  name: 'default ingress class',
  steps: [
    ingress('before'),
    ingressClass('b', 'true'),
    ingressClass('c', 'false'),
    noticed('"ingressClassName":"b"', ingress('probe')),
    ingress('default'),
    ingress('own', { ingressClassName: 'c' }),
    ingress('annotated', {}, { 'kubernetes.io/ingress.class': 'x' }),
    { method: 'PATCH', path: `${INGRESSES}/before`, body: { metadata: { labels: { a: 'b' } } } },
    ...['b', 'c'].map((name) => remove(`${INGRESS_CLASSES}/${name}`)),
  ],
};

const nodes: Script = {
  name: 'taint nodes by condition',
  namespaced: false,
  steps: [
    create('/api/v1/nodes', { metadata: { name: 'n1' } }),
    create('/api/v1/nodes', { metadata: { name: 'n2' }, spec: { taints: [{ key: 'a', value: 'b', effect: 'NoExecute' }] } }),
    create('/api/v1/nodes', {
      metadata: { name: 'n3' },
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', value: 'v', effect: 'NoSchedule' }] },
    }),
    { method: 'PUT', path: '/api/v1/nodes/n1', body: { metadata: { name: 'n1' }, spec: {} } },
    ...['n1', 'n2', 'n3'].map((name) => remove(`/api/v1/nodes/${name}`)),
  ],
};

const RUNTIME_CLASSES = '/apis/node.k8s.io/v1/runtimeclasses';
const pod = (name: string, spec: Fields): Step =>
  create('/api/v1/namespaces/{ns}/pods', { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

const runtimeClasses: Script = {
  name: 'runtime class',
  steps: [
    create(RUNTIME_CLASSES, {
      metadata: { name: 'heavy' },
      handler: 'h',
      overhead: { podFixed: { cpu: '250m', memory: '64Mi' } },
      scheduling: {
        nodeSelector: { runtime: 'h', zone: 'a' },
        tolerations: [
          { key: 'k', operator: 'Exists', effect: 'NoSchedule' },
          { key: 'x', operator: 'Equal', value: 'v' },
        ],
      },
    }),
    create(RUNTIME_CLASSES, { metadata: { name: 'light' }, handler: 'h' }),
    pod('a', { runtimeClassName: 'none' }),
    pod('b', { runtimeClassName: 'heavy' }),
    pod('c', { runtimeClassName: 'heavy', overhead: { cpu: '0.25', memory: '64Mi' } }),
    pod('d', { runtimeClassName: 'heavy', overhead: { cpu: '0.25' } }),
    pod('e', { runtimeClassName: 'light', overhead: { cpu: '0.25' } }),
    pod('f', { overhead: { cpu: '0.25' } }),
    pod('g', { runtimeClassName: 'light' }),
    pod('h', { runtimeClassName: 'heavy', nodeSelector: { zone: 'b' } }),
    pod('i', {
      runtimeClassName: 'heavy',
      nodeSelector: { zone: 'a', more: 'm' },
      tolerations: [
        { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' },
        { key: 'x', value: 'v', effect: 'NoExecute', tolerationSeconds: 5 },
        { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
      ],
    }),
    ...['heavy', 'light'].map((name) => remove(`${RUNTIME_CLASSES}/${name}`)),
  ],
};

const CLAIMS = '/api/v1/namespaces/{ns}/persistentvolumeclaims';
const STORAGE_CLASSES = '/apis/storage.k8s.io/v1/storageclasses';
const claim = (name: string, storageClassName: string | undefined): readonly Step[] => [
  create(CLAIMS, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage: '1Gi' } } },
  }),
  grow(name),
  { method: 'PATCH', path: `${CLAIMS}/${name}/status`, body: { status: { phase: 'Bound' } } },
  ...(storageClassName === 'elastic' ? [noticed('"kind":"PersistentVolumeClaim"', grow(name))] : []),
  grow(name),
];
const grow = (name: string): Step => ({
  method: 'PATCH',
  path: `${CLAIMS}/${name}`,
  body: { spec: { resources: { requests: { storage: '2Gi' } } } },
});

const resize: Script = {
  name: 'persistent volume claim resize',
  steps: [
    create(STORAGE_CLASSES, { metadata: { name: 'elastic' }, provisioner: 'p', allowVolumeExpansion: true }),
    create(STORAGE_CLASSES, { metadata: { name: 'fixed' }, provisioner: 'p' }),
    ...claim('a', 'elastic'),
    ...claim('b', 'fixed'),
    ...claim('c', ''),
    ...claim('d', 'missing'),
    ...claim('e', undefined),
    ...['elastic', 'fixed'].map((name) => remove(`${STORAGE_CLASSES}/${name}`)),
  ],
};

/** Of CN=a; O=dev, and of CN=a; O=system:masters. */
const REQUESTS = {
  dev: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIVU1Id0NBUUF3R2pFTU1Bb0dBMVVFQ2d3RFpHVjJNUW93Q0FZRFZRUUREQUZoTUZrd0V3WUhLb1pJemowQwpBUVlJS29aSXpqMERBUWNEUWdBRWRpS3M2WFByTFZ4N0xWSDBrNzUrVjRVbE1ueDAzUXkxYW00Q3ovWkRoVXJYCmhONHFwOU16M3gvdnJ6Z0dOVUVpN2pocjhJQnJrYktNbSs4bWFsRjFacUFBTUFvR0NDcUdTTTQ5QkFNQ0EwZ0EKTUVVQ0lRRHk4TVlTOW9IaGRnL2JqVEpkVXdUK0FHd2RkaDZSNjNieS9INTFZVjNhMXdJZ0UxNEZ2eC9aU2UvVApmODZ1bzJ4aHJFenlPajVaTFgvcjBLY01pRUhuMlNBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
  admin:
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIdE1JR1RBZ0VBTURFeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFLREFGNApNUW93Q0FZRFZRUUREQUZoTUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFZGlLczZYUHJMVng3CkxWSDBrNzUrVjRVbE1ueDAzUXkxYW00Q3ovWkRoVXJYaE40cXA5TXozeC92cnpnR05VRWk3amhyOElCcmtiS00KbSs4bWFsRjFacUFBTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFEb1hoNzJzUU02QUFiOHhveWFGWEZSQ0NtVApKa2QxeTN1TFcvUklpQ0JoUkFJaEFNdU1ja0xLMENWbGdBdUsvNXBsalNuWVd5RktKS3phd1g1WGdnUGVHY3BxCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=',
};

const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const csr = (name: string, signerName: string, request: keyof typeof REQUESTS = 'dev'): Step =>
  create(CSRS, { metadata: { name }, spec: { signerName, usages: ['client auth'], request: REQUESTS[request] } });
const APPROVED = { type: 'Approved', status: 'True', reason: 'r', message: 'm', lastUpdateTime: '2026-01-01T00:00:00Z' };

const approve = (name: string, user: string): Step => ({
  method: 'PATCH',
  path: `${CSRS}/${name}/approval`,
  user,
  contentType: 'application/merge-patch+json',
  body: { status: { conditions: [APPROVED] } },
});

const sign = (name: string, user: string): StepMaker => ({
  method: 'PATCH',
  path: `${CSRS}/${name}/status`,
  user,
  contentType: 'application/merge-patch+json',
  body: { status: { conditions: [APPROVED, { type: 'Failed', status: 'True', reason: 'r', lastUpdateTime: '2026-01-01T00:00:00Z' }] } },
});

const rule = (resources: readonly string[], verbs: readonly string[], resourceNames?: readonly string[]): Fields => ({
  apiGroups: ['certificates.k8s.io'],
  resources,
  verbs,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const certificates: Script = {
  name: 'certificate signing requests',
  namespaced: false,
  steps: [
    create(`${RBAC}/clusterroles`, {
      metadata: { name: 'signing' },
      rules: [
        rule(['certificatesigningrequests/approval', 'certificatesigningrequests/status'], ['patch', 'update']),
        rule(['signers'], ['approve'], ['example.com/a']),
        rule(['signers'], ['sign'], ['example.org/*']),
      ],
    }),
    create(`${RBAC}/clusterrolebindings`, {
      metadata: { name: 'signing' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'signing' },
      subjects: [{ kind: 'User', name: 'ann' }],
    }),
    csr('admin', 'kubernetes.io/kube-apiserver-client', 'admin'),
    csr('dev', 'kubernetes.io/kube-apiserver-client'),
    csr('a', 'example.com/a'),
    csr('b', 'example.com/b'),
    csr('c', 'example.org/c', 'admin'),
    noticed('"kind":"CertificateSigningRequest"', approve('a', 'ann')),
    ...['a', 'b', 'c'].map((name) => approve(name, 'ann')),
    approve('c', 'admin'),
    ...['a', 'b', 'c'].map((name) => sign(name, 'ann')),
    {
      method: 'PATCH',
      path: `${CSRS}/a/status`,
      user: 'ann',
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { a: 'b' } } },
    },
    ...['dev', 'a', 'b', 'c'].map((name) => remove(`${CSRS}/${name}`)),
    remove(`${RBAC}/clusterrolebindings/signing`),
    remove(`${RBAC}/clusterroles/signing`),
  ],
};

const nameless = (spec: Fields): Step =>
  create('/api/v1/namespaces/{ns}/pods', {
    metadata: { generateName: 'generated-' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });

/** What is refused before its name is made is called by its prefix. */
const namelessObjects: Script = {
  name: 'refusals of what has no name yet',
  steps: [
    nameless({ priorityClassName: 'none' }),
    nameless({ priority: 5 }),
    nameless({ preemptionPolicy: 'Never' }),
    nameless({ runtimeClassName: 'none' }),
    remove('/api/v1/namespaces/{ns}'),
    nameless({}),
    pod('named', {}),
    create('/api/v1/namespaces/{ns}/configmaps', { metadata: {} }),
  ],
};

export const kindScripts: readonly Script[] = [ingressClasses, nodes, runtimeClasses, resize, certificates, namelessObjects];
