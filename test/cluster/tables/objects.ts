import { POD_STATES, podIn } from '../../api-server/documents/tables/pod-states.js';
import type { TestObject } from '../harness/index.js';

const OLD = '2020-01-01T00:00:00Z';
const OLDER = '2012-06-01T00:00:00Z';
const labels = { app: 'shown', tier: 'front' };
const selector = { matchLabels: labels, matchExpressions: [{ key: 'zone', operator: 'In', values: ['b', 'a'] }] };
const template = {
  metadata: { labels: { ...labels, zone: 'a' } },
  spec: {
    containers: [
      { name: 'one', image: 'registry/one:1' },
      { name: 'two', image: 'two' },
    ],
    nodeSelector: { disk: 'ssd', arch: 'arm' },
  },
};

interface Namer {
  readonly namespace: string;
  /** Of cluster-scoped objects: other suites have some of these kinds too. */
  readonly prefix: string;
}

/** One object of each kind or more; where there is a status, it is written through the subresource. */
export function shownObjects({ namespace, prefix }: Namer): readonly TestObject[] {
  const object = (kind: string, name: string, fields: object): TestObject => {
    const [apiVersion, local] = kind.split(' ') as [string, string];
    return { apiVersion, kind: local, metadata: { name, namespace }, ...fields };
  };
  const global = (kind: string, name: string, fields: object): TestObject => {
    const [apiVersion, local] = kind.split(' ') as [string, string];
    return { apiVersion, kind: local, metadata: { name: `${prefix}-${name}` }, ...fields };
  };
  const pods = Object.entries(POD_STATES).map(([name, state]) => {
    const { metadata, ...pod } = podIn(name, state);
    void metadata;
    return object('v1 Pod', name, pod);
  });
  return [...pods, ...workloads(object), ...network(object, global), ...storage(object, global), ...others(object, global)];
}

function withMetadata(object: TestObject, metadata: object): TestObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

type Maker = (kind: string, name: string, fields: object) => TestObject;

function workloads(object: Maker): readonly TestObject[] {
  const job = (name: string, fields: object, status: object = {}): TestObject =>
    object('batch/v1 Job', name, { spec: { template: jobTemplate, suspend: true, ...fields }, status });
  const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } };
  const cronJob = (name: string, fields: object, status: object = {}): TestObject =>
    object('batch/v1 CronJob', name, {
      spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: jobTemplate } }, ...fields },
      status,
    });
  return [
    object('apps/v1 Deployment', 'shown', {
      spec: { replicas: 0, paused: true, selector, template },
      status: { replicas: 5, updatedReplicas: 4, readyReplicas: 3, availableReplicas: 2, unavailableReplicas: 3 },
    }),
    object('apps/v1 Deployment', 'bare', { spec: { replicas: 0, paused: true, selector: { matchLabels: labels }, template } }),
    object('apps/v1 ReplicaSet', 'shown', { spec: { replicas: 0, selector, template }, status: { replicas: 4, readyReplicas: 2 } }),
    object('apps/v1 StatefulSet', 'shown', {
      spec: { replicas: 0, serviceName: 's', selector, template },
      status: { replicas: 2, readyReplicas: 1 },
    }),
    object('apps/v1 DaemonSet', 'shown', {
      spec: { selector, template },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
        numberMisscheduled: 0,
      },
    }),
    object('v1 ReplicationController', 'shown', {
      spec: { replicas: 0, selector: labels, template },
      status: { replicas: 3, readyReplicas: 1 },
    }),
    object('v1 PodTemplate', 'shown', { template }),
    object('apps/v1 ControllerRevision', 'alone', { revision: 3, data: {} }),
    withMetadata(object('apps/v1 ControllerRevision', 'owned', { revision: 4, data: {} }), {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'shown', uid: 'u', controller: true }],
    }),
    job('plain', {}),
    job('parallel', { parallelism: 3 }),
    job('counted', { completions: 5, parallelism: 2 }, { succeeded: 2, startTime: OLD }),
    cronJob('plain', {}),
    cronJob(
      'zoned',
      { timeZone: 'Etc/UTC', suspend: true },
      { lastScheduleTime: OLD, active: [{ kind: 'Job', name: 'a', namespace: 'b' }] },
    ),
    object('policy/v1 PodDisruptionBudget', 'least', { spec: { minAvailable: 2, selector } }),
    object('policy/v1 PodDisruptionBudget', 'most', {
      spec: { maxUnavailable: '30%', selector },
      status: { disruptionsAllowed: 3, currentHealthy: 4, desiredHealthy: 1, expectedPods: 4 },
    }),
    ...autoscalers(object),
  ];
}

function autoscalers(object: Maker): readonly TestObject[] {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shown' };
  const metric = { name: 'm' };
  const describedObject = { kind: 'Service', name: 's' };
  const autoscaler = (name: string, metrics: readonly object[], currentMetrics: readonly object[] = []): TestObject =>
    object('autoscaling/v2 HorizontalPodAutoscaler', name, {
      spec: { scaleTargetRef, maxReplicas: 7, ...(metrics.length === 0 ? {} : { metrics }) },
      status: { currentReplicas: 2, desiredReplicas: 2, currentMetrics },
    });
  const resource = (target: object): object => ({ type: 'Resource', resource: { name: 'memory', target } });
  const current = (value: object): object => ({ type: 'Resource', resource: { name: 'memory', current: value } });
  return [
    autoscaler('by-default', []),
    autoscaler(
      'utilization',
      [resource({ type: 'Utilization', averageUtilization: 60 })],
      [current({ averageUtilization: 30, averageValue: '10Mi' })],
    ),
    autoscaler('average', [resource({ type: 'AverageValue', averageValue: '20Mi' })], [current({ averageValue: '10Mi' })]),
    autoscaler('unknown', [resource({ type: 'AverageValue', averageValue: '20Mi' })]),
    autoscaler(
      'pods',
      [{ type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '3' } } }],
      [{ type: 'Pods', pods: { metric, current: { averageValue: '1500m' } } }],
    ),
    autoscaler(
      'object',
      [{ type: 'Object', object: { metric, describedObject, target: { type: 'Value', value: '10k' } } }],
      [{ type: 'Object', object: { metric, describedObject, current: { value: '5k' } } }],
    ),
    autoscaler('object-average', [
      { type: 'Object', object: { metric, describedObject, target: { type: 'AverageValue', averageValue: '4' } } },
    ]),
    autoscaler(
      'external',
      [{ type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '4' } } }],
      [{ type: 'External', external: { metric, current: { averageValue: '2', value: '8' } } }],
    ),
    autoscaler(
      'external-value',
      [{ type: 'External', external: { metric, target: { type: 'Value', value: '9' } } }],
      [{ type: 'External', external: { metric, current: { value: '8' } } }],
    ),
    autoscaler('many', [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'one', target: { type: 'Utilization', averageUtilization: 50 } },
      },
      resource({ type: 'Utilization', averageUtilization: 60 }),
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '3' } } },
    ]),
    object('autoscaling/v1 HorizontalPodAutoscaler', 'old', {
      spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 7, targetCPUUtilizationPercentage: 70 },
      status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 35 },
    }),
  ];
}

function network(object: Maker, global: Maker): readonly TestObject[] {
  const ports = [
    { name: 'web', port: 80 },
    { name: 'dns', port: 53, protocol: 'UDP' },
  ];
  const service = (name: string, spec: object, status: object = {}): TestObject => object('v1 Service', name, { spec, status });
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } };
  const rule = (host: string): object => ({ ...(host === '' ? {} : { host }), http: { paths: [path] } });
  const endpoints = (name: string, subsets: readonly object[]): TestObject => object('v1 Endpoints', name, { subsets });
  const slice = (name: string, fields: object): TestObject =>
    object('discovery.k8s.io/v1 EndpointSlice', name, { addressType: 'IPv4', endpoints: [], ports: [], ...fields });
  return [
    service('plain', { ports, selector: labels }),
    service('headless', { clusterIP: 'None' }),
    service('outside', { ports, externalIPs: ['192.0.2.7', '192.0.2.8'] }),
    service('node-port', { type: 'NodePort', ports }),
    service('pending', { type: 'LoadBalancer', ports }),
    service(
      'balanced',
      { type: 'LoadBalancer', ports, externalIPs: ['192.0.2.9'] },
      { loadBalancer: { ingress: [{ hostname: 'a-very-long-name.example.com' }, { ip: '192.0.2.2' }, { ip: '192.0.2.1' }] } },
    ),
    service('elsewhere', { type: 'ExternalName', externalName: 'example.com' }),
    endpoints('none', []),
    endpoints('few', [{ addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }] }]),
    endpoints('many', [
      {
        addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }],
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81 },
        ],
      },
      { addresses: [{ ip: '192.0.2.3' }] },
    ]),
    slice('none', {}),
    slice('few', { endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ name: 'a', port: 80 }] }),
    slice('many', {
      endpoints: [{ addresses: ['192.0.2.1', '192.0.2.2'] }, { addresses: ['192.0.2.3', '192.0.2.4'] }],
      ports: [{ name: 'a', port: 80 }, { name: 'b' }, { name: 'c', port: 81 }, { name: 'd', port: 82 }],
    }),
    object('networking.k8s.io/v1 Ingress', 'plain', { spec: { defaultBackend: path.backend } }),
    object('networking.k8s.io/v1 Ingress', 'full', {
      spec: { ingressClassName: 'c', tls: [{ hosts: ['a'] }], rules: ['a.b', '', 'c.d', 'e.f', 'g.h', 'i.j'].map(rule) },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { hostname: 'b.c' }] } },
    }),
    global('networking.k8s.io/v1 IngressClass', 'plain', { spec: { controller: 'example.com/c' } }),
    global('networking.k8s.io/v1 IngressClass', 'full', {
      spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'Parameters', name: 'p' } },
    }),
    object('networking.k8s.io/v1 NetworkPolicy', 'all', { spec: { podSelector: {} } }),
    object('networking.k8s.io/v1 NetworkPolicy', 'some', { spec: { podSelector: selector } }),
  ];
}

function storage(object: Maker, global: Maker): readonly TestObject[] {
  const claim = (name: string, spec: object, status: object = {}): TestObject =>
    object('v1 PersistentVolumeClaim', name, {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
      status,
    });
  const volume = {
    capacity: { storage: '1024Mi' },
    accessModes: ['ReadOnlyMany', 'ReadWriteOnce', 'ReadWriteMany'],
    hostPath: { path: '/data' },
  };
  return [
    claim('plain', { storageClassName: 'absent' }),
    claim(
      'bound',
      { volumeName: 'v', volumeMode: 'Block', storageClassName: 'absent' },
      { phase: 'Bound', capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOncePod', 'ReadWriteMany'] },
    ),
    global('v1 PersistentVolume', 'plain', { spec: volume }),
    global('v1 PersistentVolume', 'claimed', {
      spec: { ...volume, storageClassName: 'fast', persistentVolumeReclaimPolicy: 'Delete', claimRef: { namespace: 'a', name: 'b' } },
      status: { phase: 'Failed', reason: 'Because' },
    }),
    global('storage.k8s.io/v1 StorageClass', 'plain', { provisioner: 'example.com/p' }),
    withMetadata(
      global('storage.k8s.io/v1 StorageClass', 'full', {
        provisioner: 'example.com/p',
        reclaimPolicy: 'Retain',
        volumeBindingMode: 'WaitForFirstConsumer',
        allowVolumeExpansion: true,
      }),
      // The older annotation: it is shown, and makes nothing the default.
      { annotations: { 'storageclass.beta.kubernetes.io/is-default-class': 'true' } },
    ),
    global('storage.k8s.io/v1 VolumeAttributesClass', 'plain', { driverName: 'example.com', parameters: { a: 'b' } }),
    global('storage.k8s.io/v1 VolumeAttachment', 'plain', {
      spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true },
    }),
    global('storage.k8s.io/v1 CSINode', 'empty', { spec: { drivers: [] } }),
    global('storage.k8s.io/v1 CSINode', 'full', { spec: { drivers: [{ name: 'example.com', nodeID: 'n' }] } }),
    global('storage.k8s.io/v1 CSIDriver', 'plain', { spec: {} }),
    global('storage.k8s.io/v1 CSIDriver', 'full', {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
      },
    }),
    object('storage.k8s.io/v1 CSIStorageCapacity', 'plain', { storageClassName: 'fast', capacity: '1Gi' }),
  ];
}

function others(object: Maker, global: Maker): readonly TestObject[] {
  const event = (name: string, namespace: string, fields: object): TestObject =>
    object('v1 Event', name, {
      involvedObject: { kind: 'Pod', name: 'p', namespace, fieldPath: 'spec.x' },
      reason: 'R',
      type: 'Normal',
      message: ' m \n',
      ...fields,
    });
  const { namespace } = object('v1 Event', 'x', {}).metadata as { namespace: string };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  const subjects = [
    { apiGroup: roleRef.apiGroup, kind: 'User', name: 'u' },
    { apiGroup: roleRef.apiGroup, kind: 'Group', name: 'g' },
    { kind: 'ServiceAccount', name: 's', namespace: 'n' },
    { kind: 'ServiceAccount', name: 't', namespace: 'n' },
  ];
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [{ apiGroups: ['absent.example.com'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const policyRules = { matchConstraints: { resourceRules: webhook.rules }, validations: [{ expression: 'true' }, { expression: 'true' }] };
  const mutation = { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/metadata/labels"}]' } };
  const mutations = {
    ...{ matchConstraints: { resourceRules: [{ ...webhook.rules[0], operations: ['CREATE'] }] }, reinvocationPolicy: 'Never' },
    mutations: [mutation, mutation],
  };
  const ofPolicy = (name: string, paramRef: object): TestObject =>
    global('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding', name, {
      spec: { policyName: 'absent', validationActions: ['Deny'], paramRef: { parameterNotFoundAction: 'Allow', ...paramRef } },
    });
  const nodeInfo = {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '6.1',
    osImage: 'OS',
    containerRuntimeVersion: 'c://1',
    kubeletVersion: 'v1.34.4',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
  return [
    event('plain', namespace, { firstTimestamp: OLDER, lastTimestamp: OLD, count: 4, source: { component: 'c', host: 'h' } }),
    event('single', namespace, { source: { component: 'c' } }),
    event('series', namespace, {
      eventTime: '2020-01-01T00:00:00.000000Z',
      action: 'A',
      reportingComponent: 'example.com/r',
      reportingInstance: 'i',
      message: 'm',
      series: { count: 5, lastObservedTime: '2012-06-01T00:00:00.000000Z' },
    }),
    object('v1 ConfigMap', 'full', { data: { a: 'b', c: 'd' }, binaryData: { e: 'Zg==' } }),
    object('v1 Secret', 'full', { type: 'Opaque', data: { a: 'Yg==' } }),
    object('v1 ServiceAccount', 'full', { secrets: [{ name: 'a' }, { name: 'b' }] }),
    object('v1 LimitRange', 'plain', { spec: { limits: [] } }),
    object('v1 ResourceQuota', 'full', {
      spec: { hard: { pods: '1k', 'limits.cpu': '2', 'requests.memory': '1Gi', 'limits.memory': '4Gi' } },
      status: {
        hard: { pods: '1k', 'limits.cpu': '2', 'requests.memory': '1Gi', 'limits.memory': '4Gi' },
        used: { pods: '5', 'limits.cpu': '500m' },
      },
    }),
    object('rbac.authorization.k8s.io/v1 Role', 'plain', { rules: [] }),
    object('rbac.authorization.k8s.io/v1 RoleBinding', 'full', { roleRef, subjects }),
    object('rbac.authorization.k8s.io/v1 RoleBinding', 'empty', { roleRef }),
    global('rbac.authorization.k8s.io/v1 ClusterRoleBinding', 'full', { roleRef, subjects: subjects.slice(2) }),
    object('coordination.k8s.io/v1 Lease', 'held', { spec: { holderIdentity: 'me' } }),
    object('coordination.k8s.io/v1 Lease', 'free', { spec: {} }),
    global('v1 Node', 'bare', {}),
    withMetadata(
      global('v1 Node', 'full', {
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: 'Ready', status: 'False', lastHeartbeatTime: OLD, lastTransitionTime: OLD, reason: 'R', message: 'm' }],
          addresses: [
            { type: 'InternalIP', address: '192.0.2.1' },
            { type: 'ExternalIP', address: '192.0.2.2' },
          ],
          nodeInfo,
        },
      }),
      { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '', 'kubernetes.io/role': 'edge' } },
    ),
    global('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration', 'full', {
      webhooks: [webhook, { ...webhook, name: 'v.example.com' }],
    }),
    global('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration', 'empty', {}),
    global('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', 'full', {
      spec: { ...policyRules, paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } },
    }),
    global('admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy', 'plain', { spec: policyRules }),
    ofPolicy('named', { name: 'p', namespace: 'n' }),
    ofPolicy('anywhere', { name: 'p' }),
    ofPolicy('chosen', { selector }),
    global('admissionregistration.k8s.io/v1 MutatingAdmissionPolicy', 'full', {
      spec: { ...mutations, paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } },
    }),
    global('admissionregistration.k8s.io/v1 MutatingAdmissionPolicy', 'plain', { spec: mutations }),
    global('admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding', 'named', {
      spec: { policyName: 'absent', paramRef: { name: 'p', namespace: 'n', parameterNotFoundAction: 'Allow' } },
    }),
    global('admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding', 'plain', { spec: { policyName: 'absent' } }),
    global('scheduling.k8s.io/v1 PriorityClass', 'full', { value: 7, preemptionPolicy: 'Never' }),
    global('node.k8s.io/v1 RuntimeClass', 'full', { handler: 'h' }),
    global('resource.k8s.io/v1 DeviceClass', 'plain', { spec: {} }),
    global('resource.k8s.io/v1 DeviceTaintRule', 'full', {
      spec: { deviceSelector: { driver: 'example.com' }, taint: { key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: OLD } },
    }),
    global('resource.k8s.io/v1 DeviceTaintRule', 'plain', { spec: { taint: { key: 'k', effect: 'NoExecute' } } }),
    object('resource.k8s.io/v1 ResourceClaim', 'plain', { spec: {} }),
    object('resource.k8s.io/v1 ResourceClaimTemplate', 'plain', { spec: { spec: {} } }),
    global('resource.k8s.io/v1 ResourceSlice', 'plain', {
      spec: { driver: 'example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
    }),
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'shadows.tables.example.com' },
      spec: {
        group: 'tables.example.com',
        scope: 'Namespaced',
        names: { kind: 'Shadow', plural: 'shadows' },
        versions: [{ name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
    global('storagemigration.k8s.io/v1 StorageVersionMigration', 'plain', {
      spec: { resource: { group: 'apps', resource: 'deployments' } },
    }),
    global('storagemigration.k8s.io/v1 StorageVersionMigration', 'core', { spec: { resource: { resource: 'configmaps' } } }),
    global('certificates.k8s.io/v1 ClusterTrustBundle', 'plain', { spec: { trustBundle: CERTIFICATE } }),
    object('certificates.k8s.io/v1 PodCertificateRequest', 'plain', {
      spec: {
        ...{
          signerName: 'example.com/s',
          podName: 'p',
          podUID: UID,
          serviceAccountName: 'a',
          serviceAccountUID: UID,
          nodeName: 'n',
          nodeUID: UID,
        },
        ...{
          maxExpirationSeconds: 86_400,
          stubPKCS10Request: Buffer.from(CSR, 'base64')
            .toString()
            .replace(/-----.*-----|\n/g, ''),
        },
      },
    }),
    global('certificates.k8s.io/v1 CertificateSigningRequest', 'plain', {
      spec: { request: CSR, signerName: 'example.com/s', usages: ['client auth'], expirationSeconds: 86_400 },
    }),
  ];
}

const UID = '00000000-0000-4000-8000-000000000000';
/** Of a key that nobody has. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBdzCCAR2gAwIBAgIUGtR9QfL6MVInnIFp6X9tyG48HHYwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFc2hvd24wIBcNMjYxMTI4MjM0NjEzWhgPMjEyNjExMDQyMzQ2
MTNaMBAxDjAMBgNVBAMMBXNob3duMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
WOf4aqaKMPJro7H1Z2doQUhVZ9Xj2CyMM9dR8/4+5mn2uF50xtbuI15RXCdhjMQH
PI6bydPbN+QoB0hp2dDMo6NTMFEwHQYDVR0OBBYEFINUPdAABhVrANXiknBIJXQt
ynjwMB8GA1UdIwQYMBaAFINUPdAABhVrANXiknBIJXQtynjwMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIga9nX8sSWgb3P349+c3xLYlrCvHqeU7IU
trQjetE43jACIQDdYA9DRccVGqIzbtCQ2rrnopybyDJTAFQ6DSTBS8etqA==
-----END CERTIFICATE-----
`;
/** Of a key that nobody has. */
const CSR =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01ISUNBUUF3RURFT01Bd0dBMVVFQXd3RmMyaHZkMjR3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQgpCd05DQUFSdkEvZ1FNWUpJZEdrVVhSdWJvUnIxQUtDUFhYSU05L2dRTmQ0M3p5bXJRZ0N2bmg0TWZ0V1AyTnU3CnhlaFprb1NtZUNjTnRoc2FhVDEzQUsvNmNRemhvQUF3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUlnVXVMVGZaeDUKZzVNMXdBT0xhWFY1djI3bWcxczVwTmNndHdCdHVNWklPZFVDSVFEN01XVGZYUitFUUNXbHlabEZxbFY4eEhlcApsYlNHdllkQ051WUkxbG1rREE9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';
