import { apiVersionOf, groupVersionOf, type Json } from '../../../src/kubernetes/apimachinery/index.js';

/** A resource with a body that the server takes. */
export interface Sample {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly subresources: readonly string[];
  /** Without metadata: whoever sends it names it. */
  readonly body: { readonly [field: string]: Json };
}

type Options = Partial<Pick<Sample, 'isNamespaced' | 'subresources'>>;

function sample([apiVersion, kind, plural]: readonly [string, string, string], body: Sample['body'], options: Options = {}): Sample {
  return { ...groupVersionOf(apiVersion), kind, plural, isNamespaced: true, subresources: [], body, ...options };
}

const LABELS = { app: 'a' };
const POD_SPEC = {
  containers: [
    {
      name: 'main',
      image: 'example.com/a:1',
      ports: [{ containerPort: 80, name: 'http' }],
      env: [
        { name: 'A', value: 'b' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: '1' } },
      livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    },
  ],
  initContainers: [{ name: 'init', image: 'b', command: ['sh'] }],
  volumes: [
    { name: 'data', emptyDir: {} },
    { name: 'config', configMap: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
  ],
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: LABELS } },
  ],
  securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
};
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD_SPEC };
const JOB_SPEC = { template: { spec: { ...POD_SPEC, restartPolicy: 'Never' } }, completions: 2, parallelism: 1, backoffLimit: 3 };
const RULES = [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['get', 'list'], resourceNames: ['a'] }];
const SELECTOR = { matchLabels: LABELS, matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['c'] }] };
const ADMISSION_RULES = [{ apiGroups: ['x.example.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] }];
const WEBHOOK = {
  name: 'a.example.com',
  clientConfig: { service: { namespace: 'default', name: 'a', path: '/x' }, caBundle: 'YQ==' },
  rules: ADMISSION_RULES,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  matchConditions: [{ name: 'a', expression: 'request.userInfo.username != "x"' }],
};

export const WIDGETS = { group: 'fuzz.example.com', plural: 'widgets' };

/** A definition with most of what a schema can have. */
export const WIDGET_DEFINITION: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${WIDGETS.plural}.${WIDGETS.group}` },
  spec: {
    group: WIDGETS.group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['wi'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          { name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name' },
        ],
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                'x-kubernetes-validations': [
                  {
                    rule: '!has(self.limit) || self.size <= self.limit',
                    // Not string(self.size): the API server takes the length of a converted number for unbounded, and refuses the cost.
                    messageExpression: 'self.size > 999 ? "size is far beyond the limit" : "size is beyond the limit"',
                    fieldPath: '.size',
                  },
                  { rule: 'self.color == oldSelf.color', message: 'color is immutable', reason: 'FieldValueForbidden' },
                ],
                properties: {
                  size: { type: 'integer', format: 'int32', minimum: 0, maximum: 1000 },
                  limit: { type: 'integer', default: 900 },
                  color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                  at: { type: 'string', format: 'date-time' },
                  ratio: { type: 'number', multipleOf: 0.5, nullable: true },
                  match: { type: 'string', pattern: '^(a|b)+$', maxLength: 20 },
                  port: { 'x-kubernetes-int-or-string': true },
                  parts: {
                    type: 'array',
                    maxItems: 20,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, value: { type: 'string', default: 'v' } },
                    },
                  },
                  tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 50 }, maxItems: 20 },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  map: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 10 },
                  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
                  either: {
                    anyOf: [{ required: ['left'] }, { required: ['right'] }],
                    type: 'object',
                    properties: { left: { type: 'string' }, right: { type: 'boolean' } },
                  },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
            },
          },
        },
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

const WIDGET_BODY = {
  spec: {
    size: 3,
    color: 'green',
    at: '2026-01-02T03:04:05Z',
    ratio: 1.5,
    match: 'ab',
    port: 'http',
    parts: [{ name: 'a' }, { name: 'b', value: 'x' }],
    tags: ['a', 'b'],
    free: { any: [1, { thing: null }] },
    map: { a: 1 },
    embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
    either: { left: 'x' },
  },
};

const POLICY = {
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: ['fuzz.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }],
    },
    variables: [{ name: 'size', expression: 'object.spec.size' }],
    validations: [{ expression: 'variables.size < 800', messageExpression: "'size ' + string(variables.size)", reason: 'Invalid' }],
    auditAnnotations: [{ key: 'k', valueExpression: "'v'" }],
    failurePolicy: 'Fail',
  },
};

const CLUSTER: Options = { isNamespaced: false };

export const SAMPLES: readonly Sample[] = [
  sample(['v1', 'ConfigMap', 'configmaps'], { data: { a: 'b' }, binaryData: { c: 'YQ==' } }),
  sample(['v1', 'Secret', 'secrets'], { type: 'Opaque', data: { a: 'YQ==' }, stringData: { b: 'c' } }),
  sample(
    ['v1', 'Service', 'services'],
    { spec: { selector: LABELS, ports: [{ port: 80, targetPort: 'http', name: 'http' }], type: 'ClusterIP' } },
    { subresources: ['status'] },
  ),
  sample(
    ['v1', 'Pod', 'pods'],
    { spec: POD_SPEC },
    { subresources: ['status', 'binding', 'eviction', 'ephemeralcontainers', 'resize', 'log'] },
  ),
  sample(['v1', 'ServiceAccount', 'serviceaccounts'], { secrets: [{ name: 'a' }] }, { subresources: ['token'] }),
  sample(
    ['v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'],
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    { subresources: ['status'] },
  ),
  sample(
    ['v1', 'PersistentVolume', 'persistentvolumes'],
    { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    { ...CLUSTER, subresources: ['status'] },
  ),
  sample(['v1', 'Event', 'events'], {
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
    reason: 'A',
    type: 'Normal',
    message: 'm',
  }),
  sample(
    ['v1', 'Node', 'nodes'],
    { spec: { podCIDR: '10.1.0.0/24', taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    { ...CLUSTER, subresources: ['status'] },
  ),
  sample(['v1', 'Namespace', 'namespaces'], {}, { ...CLUSTER, subresources: ['status', 'finalize'] }),
  sample(['v1', 'ResourceQuota', 'resourcequotas'], { spec: { hard: { pods: '5' } } }, { subresources: ['status'] }),
  sample(['v1', 'LimitRange', 'limitranges'], { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
  sample(['v1', 'Endpoints', 'endpoints'], { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
  sample(
    ['apps/v1', 'Deployment', 'deployments'],
    { spec: { replicas: 2, selector: SELECTOR, template: TEMPLATE } },
    { subresources: ['status', 'scale'] },
  ),
  sample(
    ['apps/v1', 'StatefulSet', 'statefulsets'],
    { spec: { serviceName: 'a', selector: SELECTOR, template: TEMPLATE } },
    { subresources: ['status', 'scale'] },
  ),
  sample(['apps/v1', 'DaemonSet', 'daemonsets'], { spec: { selector: SELECTOR, template: TEMPLATE } }, { subresources: ['status'] }),
  sample(
    ['apps/v1', 'ReplicaSet', 'replicasets'],
    { spec: { selector: SELECTOR, template: TEMPLATE } },
    { subresources: ['status', 'scale'] },
  ),
  sample(['apps/v1', 'ControllerRevision', 'controllerrevisions'], { revision: 1, data: { a: 1 } }),
  sample(['batch/v1', 'Job', 'jobs'], { spec: JOB_SPEC }, { subresources: ['status'] }),
  sample(
    ['batch/v1', 'CronJob', 'cronjobs'],
    { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: JOB_SPEC } } },
    { subresources: ['status'] },
  ),
  sample(
    ['autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'],
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
      },
    },
    { subresources: ['status'] },
  ),
  sample(['autoscaling/v1', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'], {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' }, maxReplicas: 3 },
  }),
  sample(
    ['policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets'],
    { spec: { minAvailable: '50%', selector: SELECTOR } },
    { subresources: ['status'] },
  ),
  sample(
    ['networking.k8s.io/v1', 'Ingress', 'ingresses'],
    {
      spec: {
        rules: [
          {
            host: 'a.example.com',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 80 } } } }] },
          },
        ],
      },
    },
    { subresources: ['status'] },
  ),
  sample(['networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'], {
    spec: {
      podSelector: SELECTOR,
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] }],
    },
  }),
  sample(['discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices'], {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  }),
  sample(['coordination.k8s.io/v1', 'Lease', 'leases'], {
    spec: { holderIdentity: 'a', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000006Z' },
  }),
  sample(['rbac.authorization.k8s.io/v1', 'Role', 'roles'], { rules: RULES }),
  sample(
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles'],
    { rules: RULES, aggregationRule: { clusterRoleSelectors: [SELECTOR] } },
    CLUSTER,
  ),
  sample(['rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings'], {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
    subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'default' }],
  }),
  sample(
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'clusterrolebindings'],
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }, subjects: [{ kind: 'User', name: 'a' }] },
    CLUSTER,
  ),
  sample(['storage.k8s.io/v1', 'StorageClass', 'storageclasses'], { provisioner: 'a.example.com', reclaimPolicy: 'Delete' }, CLUSTER),
  sample(['scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses'], { value: 5, description: 'x' }, CLUSTER),
  sample(
    ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations'],
    { webhooks: [WEBHOOK] },
    CLUSTER,
  ),
  sample(
    ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations'],
    { webhooks: [{ ...WEBHOOK, reinvocationPolicy: 'IfNeeded' }] },
    CLUSTER,
  ),
  sample(['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies'], POLICY, {
    ...CLUSTER,
    subresources: ['status'],
  }),
  sample(
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'],
    { spec: { policyName: 'a', validationActions: ['Deny'] } },
    CLUSTER,
  ),
  sample(
    ['authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews'],
    { spec: { user: 'a', resourceAttributes: { verb: 'get', resource: 'pods' } } },
    CLUSTER,
  ),
  sample(
    ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'],
    { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
    CLUSTER,
  ),
  sample(['authentication.k8s.io/v1', 'TokenReview', 'tokenreviews'], { spec: { token: 'a.b.c', audiences: ['x'] } }, CLUSTER),
  sample([`${WIDGETS.group}/v1`, 'Widget', WIDGETS.plural], WIDGET_BODY, { subresources: ['status', 'scale'] }),
  sample([`${WIDGETS.group}/v1beta1`, 'Widget', WIDGETS.plural], WIDGET_BODY),
  sample(
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions'],
    { spec: (WIDGET_DEFINITION as { spec: Json }).spec },
    { ...CLUSTER, subresources: ['status'] },
  ),
];

/** The sample as an object with a name. */
export function objectOf(of: Sample, name: string, namespace?: string): { readonly [field: string]: Json } {
  const metadata = { name, ...(namespace === undefined || !of.isNamespaced ? {} : { namespace }), labels: LABELS };
  // Reviews are questions: they have no name.
  const isReview = of.kind.endsWith('Review');
  return { apiVersion: apiVersionOf(of), kind: of.kind, ...(isReview ? {} : { metadata }), ...of.body };
}
