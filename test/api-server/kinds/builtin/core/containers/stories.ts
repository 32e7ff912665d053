import type { Story } from '../../stories/story.js';
import { container, main, pod } from '../pods/pod-story.js';

export const containerStories: readonly Story[] = [
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
];
