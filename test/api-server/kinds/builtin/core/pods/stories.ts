import type { Story } from '../../stories/story.js';
import { container, gated, main, pod, volume } from './pod-story.js';

export const podStories: readonly Story[] = [
  pod('smallest', {}),
  pod('status of a client is dropped', {}, { status: { phase: 'Running', podIP: '1.2.3.4' } }),
  pod('no containers', { containers: [] }),
  pod('no spec at all', { containers: null }),
  container('images and pull policies', {
    image: 'registry.example.com:5000/team/app@sha256:0123456789012345678901234567890123456789012345678901234567890123',
  }),
  container('image with a tag', { image: 'nginx:1.27' }),
  container('image latest', { image: 'docker.io/library/nginx:latest' }),
  container('image that is none', { image: 'Nginx' }),
  ...[
    'localhost/app',
    'team/app_b__c-d',
    'nginx:',
    'nginx@sha256:12',
    'a'.repeat(300),
    '0123456789abcdef'.repeat(4),
    'EXAMPLE/app',
    'a/b/c:d',
    `nginx:latest@sha256:${'0123456789abcdef'.repeat(4)}`,
    '[::1]:5000/app',
  ].map((image, index) => container(`image reference ${index}`, { image })),
  container('image with blanks', { image: ' nginx ' }),
  container('image missing', { image: '' }),
  container('bad names', { name: 'Main_1', terminationMessagePolicy: 'Never', imagePullPolicy: 'Sometimes' }),
  pod('same name twice', { containers: [main, main], initContainers: [main] }),
  container('ports', {
    ports: [
      { name: 'web', containerPort: 80 },
      { name: 'web', containerPort: 70_000, protocol: 'HTTP' },
      { name: 'Bad--Name-that-is-long', containerPort: 0, hostPort: 99_999 },
    ],
  }),
  container('port clashes', {
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 80, hostPort: 80 },
      { containerPort: 80, name: 'a' },
      { containerPort: 81, name: 'b' },
      { containerPort: 81, name: 'c' },
    ],
  }),
  container('env', {
    env: [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app.kubernetes.io/name']" } } },
      { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
      { name: 'MAP', valueFrom: { configMapKeyRef: { name: 'map', key: 'key' } } },
    ],
    envFrom: [{ prefix: 'X_', configMapRef: { name: 'map' } }, { secretRef: { name: 'secret', optional: true } }],
  }),
  container('bad env', {
    env: [
      { name: '', value: 'x' },
      { name: 'A=B' },
      { name: 'ÜBER' },
      { name: 'NOTHING', valueFrom: {} },
      { name: 'BOTH', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'TWO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'FIELD', valueFrom: { fieldRef: { fieldPath: 'metadata.annotations' } } },
      { name: 'UNKNOWN', valueFrom: { fieldRef: { fieldPath: 'spec.color' } } },
      { name: 'SUBSCRIPT', valueFrom: { fieldRef: { fieldPath: "spec.nodeName['x']" } } },
      { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'Map', key: '..bad key' } } },
      { name: 'EMPTYKEY', valueFrom: { secretKeyRef: { name: '', key: '' } } },
      { name: 'RESOURCE', valueFrom: { resourceFieldRef: { resource: 'limits.gpu', divisor: '3' } } },
      { name: 'DIVISOR', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '3' } } },
    ],
    envFrom: [{}, { prefix: 'a=b', configMapRef: { name: 'Map' }, secretRef: { name: '' } }],
  }),
  container('resources', { resources: { limits: { cpu: '0.5', memory: '1024Mi', 'example.com/gpu': 2 }, requests: { cpu: '0.0001' } } }),
  container('guaranteed', { resources: { limits: { cpu: 1, memory: '1Gi' } } }),
  container('bad resources', {
    resources: { limits: { cpu: '100m', gpu: 1, 'example.com/gpu': '1.5' }, requests: { cpu: 1, 'example.com/fpga': 1, memory: '-1' } },
  }),
  container('huge pages', { resources: { limits: { 'hugepages-2Mi': '3Mi' }, requests: { 'hugepages-2Mi': '2Mi' } } }),
  container(
    'claims of resources',
    { resources: { claims: [{ name: 'a' }, { name: 'a' }, { name: '' }] } },
    { resourceClaims: [{ name: 'b' }] },
  ),
  pod('resources of the pod', {
    resources: { limits: { cpu: '2', memory: '1Gi' } },
    containers: [{ ...main, resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } } }],
  }),
  pod('resources of the pod too small', {
    resources: { limits: { cpu: '1' }, requests: { cpu: '100m' } },
    containers: [{ ...main, resources: { requests: { cpu: '500m' }, limits: { cpu: '2' } } }],
  }),
  container('probes', {
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { tcpSocket: { port: 'web' }, successThreshold: 2 },
    startupProbe: { grpc: { port: 9000 }, failureThreshold: 30 },
    lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 5 } } },
  }),
  container('bad probes', {
    livenessProbe: { successThreshold: 2, httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: 'x' }] } },
    readinessProbe: { exec: {}, tcpSocket: { port: 1 }, terminationGracePeriodSeconds: 5 },
    startupProbe: { initialDelaySeconds: -1, terminationGracePeriodSeconds: 0 },
    lifecycle: { preStop: { sleep: { seconds: 100 } }, postStart: {}, stopSignal: 'SIGUSR1' },
  }),
  container('stop signal alone is dropped', { lifecycle: { stopSignal: 'SIGUSR1' } }, { os: { name: 'linux' } }),
  container('restart policy of a container is dropped', { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] }),
  pod('init containers', {
    initContainers: [
      { name: 'setup', image: 'busybox:1' },
      { name: 'sidecar', image: 'proxy:1', restartPolicy: 'Always', startupProbe: { exec: { command: ['true'] } } },
    ],
  }),
  pod('bad init containers', {
    initContainers: [
      {
        name: 'setup',
        image: 'busybox',
        readinessProbe: { exec: { command: ['x'] } },
        lifecycle: { preStop: { exec: { command: ['x'] } } },
      },
    ],
  }),
  pod('ephemeral containers on create', {
    ephemeralContainers: [{ name: 'debug', image: 'busybox', ports: [{ containerPort: 1 }], targetContainerName: 'x' }],
  }),
  pod('volumes', {
    volumes: [
      { name: 'nothing' },
      { name: 'map', configMap: { name: 'map', items: [{ key: 'a', path: 'b' }] } },
      { name: 'secret', secret: { secretName: 's' } },
      { name: 'host', hostPath: { path: '/var' } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      { name: 'all', projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'c' } }] } },
      {
        name: 'eph',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
      },
      { name: 'csi', csi: { driver: 'csi.example.com' } },
    ],
  }),
  pod('mounts', {
    containers: [
      {
        ...main,
        volumeMounts: [
          { name: 'v', mountPath: '/a' },
          { name: 'v', mountPath: '/b', subPath: 'x', readOnly: true },
        ],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  }),
  pod('bad mounts', {
    containers: [
      {
        ...main,
        volumeMounts: [
          { name: 'gone', mountPath: '/a' },
          { name: 'v', mountPath: '/a', subPath: '../x' },
          { name: 'v', mountPath: '', mountPropagation: 'Bidirectional' },
          { name: '', mountPath: '/c', recursiveReadOnly: 'Enabled' },
        ],
        volumeDevices: [{ name: 'v', devicePath: '/dev/../x' }],
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  }),
  volume('two sources', { emptyDir: {}, hostPath: { path: '/x' }, configMap: { name: 'x' } }),
  volume('host path that climbs', { hostPath: { path: '/a/../b', type: 'Thing' } }),
  volume('secret without a name', { secret: { defaultMode: 1000 } }),
  volume('config map items', {
    configMap: {
      name: '',
      items: [
        { key: '', path: '/abs' },
        { key: 'a', path: '..b', mode: -1 },
      ],
    },
  }),
  volume('projected clashes', {
    projected: {
      sources: [{ secret: { name: 's', items: [{ key: 'a', path: 'p' }] }, configMap: { name: 'c', items: [{ key: 'a', path: 'p' }] } }],
    },
  }),
  volume('token without a service account', {
    projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 10 } }] },
  }),
  volume('downward fields', {
    downwardAPI: {
      items: [
        { path: 'x' },
        { path: 'y', fieldRef: { fieldPath: 'spec.nodeName' } },
        { path: 'z', resourceFieldRef: { resource: 'limits.cpu' } },
      ],
    },
  }),
  volume('nfs', { nfs: { server: '', path: 'relative' } }),
  volume('gcePersistentDisk', { gcePersistentDisk: { pdName: '' } }),
  volume('image volumes are off', { image: { reference: 'x' } }),
  volume('ephemeral claim', {
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { name: 'x', labels: { 'a b': 'c' } },
        spec: { accessModes: ['Sometimes'], resources: { requests: { storage: '-1' } } },
      },
    },
  }),
  pod('volume names', {
    volumes: [
      { name: 'Bad', emptyDir: {} },
      { name: '', emptyDir: {} },
      { name: 'a', emptyDir: {} },
      { name: 'a', emptyDir: { sizeLimit: '-1' } },
    ],
  }),
  container('security', {
    securityContext: {
      runAsUser: -1,
      runAsGroup: 5,
      procMount: 'Other',
      seccompProfile: { type: 'Localhost' },
      appArmorProfile: { type: 'Localhost' },
    },
  }),
  container('escalation', {
    securityContext: { privileged: true, allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } },
  }),
  container('privileged', { securityContext: { privileged: true } }),
  pod('security of the pod', {
    hostPID: true,
    shareProcessNamespace: true,
    securityContext: {
      fsGroup: -1,
      supplementalGroups: [1, -2],
      sysctls: [
        { name: 'a b', value: '1' },
        { name: '', value: '1' },
      ],
      fsGroupChangePolicy: 'Never',
      seccompProfile: { type: 'Other' },
    },
  }),
  pod('policies', { restartPolicy: 'Sometimes', dnsPolicy: 'Magic', preemptionPolicy: 'Maybe', terminationGracePeriodSeconds: -5 }),
  pod('names', {
    serviceAccountName: 'Bad_Name',
    nodeName: 'Bad Node',
    hostname: 'a.b',
    subdomain: 'A',
    priorityClassName: 'Bad/Class',
    activeDeadlineSeconds: 0,
    nodeSelector: { 'a b': 'c d' },
    hostAliases: [{ ip: 'x', hostnames: ['Bad_Host'] }],
    imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
  }),
  pod('service account', { serviceAccount: 'old' }),
  pod('dns', {
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.10'], searches: ['_a.b.', '.'], options: [{ name: 'ndots', value: '2' }] },
  }),
  pod('bad dns', {
    dnsPolicy: 'ClusterFirst',
    dnsConfig: { nameservers: ['1', '1.1.1.1', '::1', '2.2.2.2'], searches: ['A b'], options: [{}] },
  }),
  pod('dns none without servers', { dnsPolicy: 'None' }),
  pod('host network', { hostNetwork: true, containers: [{ ...main, ports: [{ containerPort: 80 }] }] }),
  pod('host users', { hostUsers: false, hostNetwork: true, containers: [{ ...main, ports: [{ containerPort: 80, hostPort: 81 }] }] }),
  pod('affinity', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
        },
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } } },
        ],
      },
    },
  }),
  pod('bad affinity', {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: 'a b', operator: 'In' },
                { key: 'c', operator: 'Is' },
                { key: 'd', operator: 'Gt', values: ['1', 'x y'] },
              ],
              matchFields: [{ key: 'spec', operator: 'In', values: ['a', 'b'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 101, preference: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] } },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: '', namespaces: ['Bad'], labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
          { topologyKey: 'x', matchLabelKeys: ['a'] },
        ],
      },
    },
  }),
  pod('no node terms', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }),
  pod(
    'label keys become part of selectors',
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } }, matchLabelKeys: ['rev'], mismatchLabelKeys: ['tenant'] },
          ],
        },
      },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, matchLabelKeys: ['rev'] },
      ],
    },
    { metadata: { labels: { rev: '1', tenant: 't' } } },
  ),
  pod('spread', { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] }),
  pod('bad spread', {
    topologySpreadConstraints: [
      {
        maxSkew: 0,
        topologyKey: '',
        whenUnsatisfiable: 'Maybe',
        minDomains: 0,
        nodeTaintsPolicy: 'X',
        labelSelector: {},
        matchLabelKeys: ['a b'],
      },
      { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
      { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
    ],
  }),
  pod('tolerations', {
    tolerations: [
      { operator: 'Equal', value: 'x' },
      { key: 'a', operator: 'Exists', value: 'x' },
      { key: 'a b', operator: 'Is', effect: 'Never' },
      { key: 'k', tolerationSeconds: 5, effect: 'NoSchedule' },
    ],
  }),
  pod('gates', gated),
  pod('bad gates', {
    schedulingGates: [{ name: 'a b' }, { name: 'x' }, { name: 'x' }],
    nodeName: 'n',
    readinessGates: [{ conditionType: 'a b' }],
  }),
  pod(
    'annotations',
    {},
    {
      metadata: {
        annotations: {
          'controller.kubernetes.io/pod-deletion-cost': '+1',
          'container.apparmor.security.beta.kubernetes.io/x': 'odd',
          'kubernetes.io/config.mirror': 'x',
        },
      },
    },
  ),
  pod('a name that is not a label', {}, { metadata: { name: 'dotted.name' } }),
  pod('a finalizer without a domain', {}, { metadata: { finalizers: ['mine'] } }),
  pod('old annotations are dropped', {}, { metadata: { annotations: { 'pod.beta.kubernetes.io/init-containers': '[]', keep: 'me' } } }),
  pod('os', { os: { name: 'plan9' } }),
  volume('paths of items', {
    configMap: { name: 'c', items: ['/a', 'a/../b', '..', '../a', '..a', '...', ''].map((path) => ({ key: 'k', path })) },
  }),
];
