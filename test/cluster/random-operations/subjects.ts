import { CACHES_V1, CACHES_V2, cacheFields, cacheStatusFields } from './cache-definition.js';
import { type Field, field } from './field.js';

/** What steps are about. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Of the collection; `{ns}` is the namespace. */
  readonly path: string;
  readonly names: readonly string[];
  /** What an object needs to be accepted. */
  readonly base: object;
  readonly fields: readonly Field[];
  readonly statusFields?: readonly Field[];
  readonly scale?: boolean;
  /** Custom resources have no strategic merge patch; that it is refused is worth a step now and then. */
  readonly strategic: boolean;
}

const metadataFields: readonly Field[] = [
  field('metadata.labels.l', '1', '2', ''),
  field('metadata.labels.m', '1', '2', 'no good'),
  field('metadata.annotations.n', 'x', 'y', ''),
  field('metadata.finalizers', ['example.com/a'], ['example.com/b', 'example.com/a'], [], ['nodomain']),
  field(
    'metadata.ownerReferences',
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' }],
    [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1', controller: true },
      { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u2', blockOwnerDeletion: true },
    ],
    [],
  ),
];

const container = (name: string, more: object = {}): object => ({ name, image: `${name}:1`, ...more });
const containerLists: readonly unknown[] = [
  [container('main')],
  [container('main', { image: 'main:2', env: [{ name: 'A', value: '1' }] })],
  [container('main'), container('side', { ports: [{ containerPort: 80 }] })],
  [container('side'), container('main', { ports: [{ containerPort: 80, name: 'http' }, { containerPort: 81 }] })],
  [container('main', { resources: { requests: { cpu: '0.5', memory: '1Gi' } }, env: [{ name: 'A' }, { name: 'B', value: 'x' }] })],
  [container('main', { livenessProbe: { httpGet: { port: 'http', path: '/' } }, volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
  [{ image: 'nameless' }],
  [],
];
const volumeLists: readonly unknown[] = [
  [{ name: 'v', emptyDir: {} }],
  [
    { name: 'v', configMap: { name: 'one' } },
    { name: 'w', secret: { secretName: 's' } },
  ],
  [],
];

export const subjects: readonly Subject[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: '/api/v1/namespaces/{ns}/configmaps',
    names: ['one', 'two'],
    base: {},
    strategic: true,
    fields: [
      ...metadataFields,
      field('data.a', '1', '2', ''),
      field('data.b', '1', '2'),
      field('data.c', 'x'),
      field('data', { a: '1', d: '4' }, {}),
      field('binaryData.x', 'AAEC', 'AAE=', '*'),
      field('binaryData', { y: 'AAEC' }),
      field('immutable', false),
    ],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/{ns}/deployments',
    names: ['web', 'api'],
    base: {
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container('main')] } },
      },
    },
    strategic: true,
    scale: true,
    fields: [
      ...metadataFields,
      field('spec.replicas', 0, 1, 3, -1),
      field('spec.paused', true, false),
      field('spec.minReadySeconds', 0, 5, 700),
      field('spec.revisionHistoryLimit', 3),
      field('spec.strategy', { type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 0 } }),
      field('spec.strategy.rollingUpdate.maxSurge', 1, '10%', 0, 'many'),
      field('spec.strategy.type', 'Recreate', 'RollingUpdate'),
      field('spec.selector.matchLabels.app', 'y'),
      field('spec.template.metadata.labels.tier', 'front', 'back'),
      field('spec.template.metadata.annotations.note', 'x'),
      field('spec.template.spec.containers', ...containerLists),
      field('spec.template.spec.initContainers', [container('init')], [container('init', { restartPolicy: 'Always' })]),
      field('spec.template.spec.volumes', ...volumeLists),
      field('spec.template.spec.tolerations', [{ key: 'k', operator: 'Exists' }], [{ operator: 'Equal', key: 'k', value: 'v' }]),
      field('spec.template.spec.serviceAccountName', 'robot', ''),
      field('spec.template.spec.nodeSelector.disk', 'ssd'),
      field('spec.template.spec.restartPolicy', 'Always', 'Never'),
      field('spec.template.spec.hostNetwork', true, false),
      field('spec.template.spec.securityContext.runAsNonRoot', true),
      field('spec.template.spec.terminationGracePeriodSeconds', 0, 10),
    ],
    statusFields: [
      field('status.replicas', 0, 2, -1),
      field('status.observedGeneration', 1, 2),
      field('status.readyReplicas', 1, 3),
      field(
        'status.conditions',
        [{ type: 'Available', status: 'True' }],
        [
          { type: 'Progressing', status: 'True', reason: 'X', message: 'm' },
          { type: 'Available', status: 'False' },
        ],
      ),
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    path: '/api/v1/namespaces/{ns}/services',
    names: ['svc', 'db'],
    base: { spec: { ports: [{ port: 80 }] } },
    strategic: true,
    fields: [
      ...metadataFields,
      // Without ExternalName: the server keeps a policy of such a Service that it hides, which is a difference on purpose.
      field('spec.type', 'ClusterIP', 'NodePort', 'LoadBalancer'),
      field('spec.externalName', 'example.com', ''),
      field('spec.clusterIP', 'None', ''),
      field('spec.selector.app', 'x', 'y'),
      field('spec.selector', { app: 'z' }, {}),
      field('spec.sessionAffinity', 'ClientIP', 'None'),
      field('spec.externalTrafficPolicy', 'Local', 'Cluster'),
      field('spec.internalTrafficPolicy', 'Cluster'),
      field('spec.publishNotReadyAddresses', true, false),
      field('spec.externalIPs', ['1.2.3.4'], []),
      field('spec.loadBalancerClass', 'example.com/lb'),
      field('spec.allocateLoadBalancerNodePorts', false, true),
      field(
        'spec.ports',
        [{ port: 80, targetPort: 'http' }],
        [
          { port: 80, name: 'http' },
          { port: 443, name: 'https', protocol: 'TCP', targetPort: 8443 },
        ],
        [
          { port: 53, name: 'dns', protocol: 'UDP' },
          { port: 53, name: 'dns-tcp' },
        ],
        [{ port: 80 }, { port: 81 }],
        [{ port: 0 }],
      ),
    ],
    statusFields: [
      field('status.loadBalancer', { ingress: [{ ip: '1.2.3.4' }] }, { ingress: [{ hostname: 'lb.example.com' }] }, {}),
      field('status.conditions', [{ type: 'Ready', status: 'True', reason: 'X', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' }]),
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    path: '/api/v1/namespaces/{ns}/pods',
    names: ['p', 'q'],
    base: { spec: { containers: [container('main')] } },
    strategic: true,
    fields: [
      ...metadataFields,
      field('spec.containers', ...containerLists),
      field('spec.initContainers', [container('init')]),
      field('spec.volumes', ...volumeLists),
      field('spec.activeDeadlineSeconds', 10, 5, 0),
      field('spec.terminationGracePeriodSeconds', 0, 5),
      field(
        'spec.tolerations',
        [{ key: 'k', operator: 'Exists' }],
        [{ key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
      ),
      field('spec.nodeName', 'node-a'),
      field('spec.restartPolicy', 'Never', 'OnFailure'),
      field('spec.hostname', 'h'),
      field('spec.schedulingGates', [{ name: 'example.com/g' }], []),
      field('spec.priority', 0, 5),
    ],
    statusFields: [
      field('status.phase', 'Running', 'Succeeded', 'Failed'),
      field('status.podIP', '10.1.2.3', 'nonsense'),
      field('status.conditions', [{ type: 'Ready', status: 'True' }], [{ type: 'example.com/x', status: 'False' }]),
      field('status.containerStatuses', [
        {
          name: 'main',
          ready: true,
          image: 'main:1',
          imageID: '',
          restartCount: 0,
          state: { running: { startedAt: '2024-01-01T00:00:00Z' } },
        },
      ]),
      field('status.reason', 'X'),
    ],
  },
  ...[CACHES_V1, CACHES_V2].map(({ apiVersion, path }) => ({
    apiVersion,
    kind: 'Cache',
    path,
    names: ['c', 'd'],
    base: { spec: { size: 1 } },
    strategic: false,
    scale: true,
    // The server keeps empty lists of custom resources' metadata, where no client sees them, and counts them as a change.
    fields: [
      ...metadataFields.map(({ path, values }) => ({ path, values: values.filter((value) => !isEmptyList(value)) })),
      ...cacheFields,
    ],
    statusFields: cacheStatusFields,
  })),
];

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
