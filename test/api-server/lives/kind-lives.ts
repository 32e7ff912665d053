import { type Life, life, NAMESPACE, objectRequests, type Request } from './life.js';

/** Applied by two managers: the managed fields tell how each list and map of the kind merges. */
function applied(apiVersion: string, kind: string, plural: string, whole: object): Life {
  const requests = objectRequests({ apiVersion, kind, plural, name: 'merged' });
  return life(
    `types: ${apiVersion} ${kind}`,
    requests.apply('ann', whole),
    requests.apply('bob', whole),
    requests.get(),
    requests.delete(),
  );
}

const container = {
  name: 'main',
  image: 'i',
  args: ['a'],
  command: ['c'],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  envFrom: [{ configMapRef: { name: 'c' } }],
  ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'u' }],
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
  volumeDevices: [{ name: 'd', devicePath: '/d' }],
  resources: { limits: { cpu: '1' }, requests: { cpu: '500m' } },
  securityContext: { capabilities: { add: ['A'], drop: ['ALL'] } },
  readinessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'h', value: 'v' }] } },
};
const claims = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
const podSpec = {
  containers: [container],
  initContainers: [{ name: 'init', image: 'i' }],
  volumes: [
    { name: 'v', projected: { sources: [{ configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }] } },
    { name: 'd', persistentVolumeClaim: { claimName: 'd' } },
  ],
  imagePullSecrets: [{ name: 's' }],
  nodeSelector: { a: 'b' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  hostAliases: [{ ip: '10.1.1.1', hostnames: ['a', 'b'] }],
  readinessGates: [{ conditionType: 'example.com/ready' }],
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
  schedulingGates: [{ name: 'example.com/gate' }],
  dnsConfig: { nameservers: ['10.1.1.2'], searches: ['a'], options: [{ name: 'n' }] },
  securityContext: { supplementalGroups: [1], sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
  },
};
const labels = { app: 'a' };
const { schedulingGates: _, ...templateSpec } = podSpec;
const workload = { selector: { matchLabels: labels }, template: { metadata: { labels, annotations: { a: 'b' } }, spec: templateSpec } };
const selector = { matchLabels: labels, matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] };

/** Built-in kinds with their lists and maps filled, as far as a server without nodes takes them. */
export const kindLives: readonly Life[] = [
  applied('v1', 'Pod', 'pods', {
    metadata: {
      labels,
      annotations: { a: 'b' },
      finalizers: [],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
    },
    spec: podSpec,
  }),
  applied('v1', 'Service', 'services', {
    spec: {
      clusterIP: 'None',
      selector: labels,
      externalIPs: ['10.2.2.2'],
      ports: [
        { port: 80, name: 'a' },
        { port: 80, protocol: 'UDP', name: 'b' },
      ],
    },
  }),
  applied('v1', 'Endpoints', 'endpoints', { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80 }] }] }),
  applied('v1', 'ServiceAccount', 'serviceaccounts', { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
  applied('v1', 'LimitRange', 'limitranges', { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } }),
  applied('v1', 'ResourceQuota', 'resourcequotas', {
    spec: { hard: { pods: '1' }, scopeSelector: { matchExpressions: [{ operator: 'Exists', scopeName: 'PriorityClass' }] } },
  }),
  applied('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', { spec: { ...claims.spec, selector, storageClassName: 's' } }),
  applied('apps/v1', 'Deployment', 'deployments', { spec: workload }),
  applied('apps/v1', 'DaemonSet', 'daemonsets', { spec: workload }),
  applied('apps/v1', 'StatefulSet', 'statefulsets', {
    spec: { ...workload, serviceName: 's', volumeClaimTemplates: [{ metadata: { name: 'c' }, ...claims }] },
  }),
  applied('batch/v1', 'Job', 'jobs', {
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'i' }] } },
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }] },
    },
  }),
  applied('batch/v1', 'CronJob', 'cronjobs', {
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'i' }] } } } },
    },
  }),
  applied('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
      behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    },
  }),
  applied('networking.k8s.io/v1', 'Ingress', 'ingresses', {
    spec: {
      tls: [{ hosts: ['a.example.com'], secretName: 's' }],
      rules: [
        {
          host: 'a.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
        },
      ],
    },
  }),
  applied('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: selector }], ports: [{ port: 80, protocol: 'TCP' }] }],
    },
  }),
  applied('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', { spec: { minAvailable: 1, selector } }),
  applied('rbac.authorization.k8s.io/v1', 'Role', 'roles', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] }),
  applied('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'n' }],
  }),
  applied('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.1.1'], conditions: { ready: true } }],
    ports: [{ name: 'a', port: 80 }],
  }),
];

const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
const pod = (name: string): ReturnType<typeof objectRequests> => objectRequests({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', name });
const plain = (app: string): object => ({ metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'i' }] } });

const statuses = '/api/v1/componentstatuses';

/** Of the store alone: the other components are not there in a server by itself, and each server says that in its own words. */
export const componentLives: readonly Life[] = [
  life(
    'the health of components',
    ...['/etcd-0', '/none', '?fieldSelector=metadata.name%3Detcd-0', '?fieldSelector=a%3Db', '?labelSelector=a%3Db', '?watch=true'].map(
      (rest): Request => ({ method: 'GET', path: `${statuses}${rest}` }),
    ),
  ),
];

/** The same Pods in each form in which a client can read several. */
export const listLives: readonly Life[] = [
  life(
    'Pods in lists, in pages and in watches',
    ...['a', 'b', 'c'].map((name) => pod(name).create(plain(name === 'b' ? 'other' : 'app'))),
    { method: 'GET', path: pods },
    { method: 'GET', path: `${pods}?labelSelector=app%3Dapp` },
    { method: 'GET', path: `${pods}?fieldSelector=metadata.name%3Db` },
    { method: 'GET', path: `${pods}?limit=2` },
    { method: 'GET', path: `${pods}?watch=true&resourceVersion=0&timeoutSeconds=1` },
    { method: 'GET', path: `${pods}?watch=true&resourceVersion=0&timeoutSeconds=1&labelSelector=app%3Dother` },
    {
      method: 'GET',
      path: `${pods}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
    },
    { method: 'GET', path: `${pods}?watch=true&resourceVersion=nonsense&timeoutSeconds=1` },
    { method: 'GET', path: `${pods}?resourceVersion=1&resourceVersionMatch=Exact&limit=nonsense` },
    { method: 'DELETE', path: `${pods}?labelSelector=app%3Dapp` },
    { method: 'GET', path: pods },
    { method: 'DELETE', path: pods },
  ),
];
