import type { Story } from '../../stories/story.js';
import { container, gated, main, pod } from './pod-story.js';

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
  container('guaranteed', { resources: { limits: { cpu: 1, memory: '1Gi' } } }),
  container('stop signal alone is dropped', { lifecycle: { stopSignal: 'SIGUSR1' } }, { os: { name: 'linux' } }),
  container('restart policy of a container is dropped', { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] }),
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
];
