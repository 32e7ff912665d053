import type { Step } from '../differential/exchange.js';
import { noticed } from '../differential/noticed.js';
import type { Script } from '../differential/script.js';

type Fields = Readonly<Record<string, unknown>>;

const PREFIX = 'pod-security.kubernetes.io/';
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const container = (name: string, securityContext: Fields = {}, more: Fields = {}): Fields => ({
  name,
  image: 'i',
  securityContext,
  ...more,
});

/** Pods by what they do that some level forbids. */
const PODS: Readonly<Record<string, { readonly spec: Fields; readonly annotations?: Fields }>> = {
  plain: { spec: { containers: [{ name: 'c', image: 'i' }] } },
  two: { spec: { initContainers: [container('z')], containers: [container('b'), container('a')] } },
  good: { spec: { containers: [container('c', RESTRICTED)] } },
  'good-by-pod': {
    spec: {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'p.json' } },
      containers: [container('c', { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } })],
    },
  },
  privileged: { spec: { containers: [container('c', { privileged: true }), container('d', { privileged: true })] } },
  host: {
    spec: { hostNetwork: true, hostPID: true, hostIPC: true, containers: [container('c', {}, { ports: [{ containerPort: 80 }] })] },
  },
  'host-ports': {
    spec: {
      containers: [
        container('c', {}, { ports: [{ containerPort: 80, hostPort: 8080 }] }),
        container('d', {}, { ports: [{ containerPort: 80, hostPort: 443 }] }),
      ],
    },
  },
  'host-path': {
    spec: {
      containers: [container('c')],
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', emptyDir: {} },
      ],
    },
  },
  volumes: {
    spec: {
      containers: [container('c', RESTRICTED)],
      volumes: [
        { name: 'a', nfs: { server: 's', path: '/' } },
        { name: 'b', hostPath: { path: '/' } },
        { name: 'c', gitRepo: { repository: 'r' } },
        { name: 'd', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:s', lun: 0 } },
        { name: 'e', configMap: { name: 'x' } },
        { name: 'f', cephfs: { monitors: ['m'] } },
      ],
    },
  },
  probes: {
    spec: {
      containers: [
        container(
          'c',
          {},
          {
            livenessProbe: { httpGet: { host: 'h2', port: 80 } },
            readinessProbe: { tcpSocket: { host: 'h1', port: 80 } },
            lifecycle: { preStop: { httpGet: { host: 'h3', port: 1 } } },
          },
        ),
        container('b', {}, { startupProbe: { httpGet: { host: 'h2', port: 80 } }, lifecycle: { postStart: { httpGet: { port: 1 } } } }),
      ],
    },
  },
  capabilities: {
    spec: {
      containers: [
        container('c', { capabilities: { add: ['SYS_ADMIN', 'CHOWN', 'NET_RAW'] } }),
        container('d', { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'KILL'] } }),
      ],
    },
  },
  'proc-mount': { spec: { hostUsers: false, containers: [container('c', { procMount: 'Unmasked' })] } },
  selinux: {
    spec: {
      securityContext: { seLinuxOptions: { user: 'u', type: 'container_engine_t' } },
      containers: [container('c', { seLinuxOptions: { role: 'r', type: 'odd_t' } }), container('d', { seLinuxOptions: { level: 's0' } })],
    },
  },
  'selinux-engine': {
    spec: { securityContext: { seLinuxOptions: { type: 'container_engine_t' } }, containers: [container('c', RESTRICTED)] },
  },
  apparmor: {
    spec: {
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      containers: [
        container('c', { appArmorProfile: { type: 'Unconfined' } }),
        container('d', { appArmorProfile: { type: 'RuntimeDefault' } }),
      ],
    },
  },
  seccomp: {
    spec: {
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [
        container('c', { seccompProfile: { type: 'Unconfined' } }),
        container('d', { seccompProfile: { type: 'RuntimeDefault' } }),
      ],
    },
  },
  'run-as': {
    spec: {
      securityContext: { runAsNonRoot: false, runAsUser: 0 },
      containers: [container('c', { runAsNonRoot: false, runAsUser: 0 }), container('d', { runAsNonRoot: true, runAsUser: 1 })],
    },
  },
  sysctls: {
    spec: {
      securityContext: {
        sysctls: [
          { name: 'net.ipv4.tcp_rmem', value: '1' },
          { name: 'net.ipv4.ip_local_reserved_ports', value: '1' },
          { name: 'net.ipv4.tcp_fin_timeout', value: '1' },
          { name: 'kernel.shm_rmid_forced', value: '1' },
          { name: 'kernel.msgmax', value: '1' },
        ],
      },
      containers: [container('c', RESTRICTED)],
    },
  },
  'windows-host': {
    spec: {
      os: { name: 'windows' },
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container('c', { windowsOptions: { hostProcess: true } })],
    },
  },
  windows: { spec: { os: { name: 'windows' }, containers: [container('c', { runAsNonRoot: true })] } },
};

/** A namespace with labels of its own beside the script's. */
function namespace(name: string, labels: Readonly<Record<string, string>>): Step {
  const prefixed = Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${PREFIX}${key}`, value]));
  return { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: `{ns}-${name}`, labels: prefixed } } };
}

const label = (name: string, labels: Readonly<Record<string, string | null>>): Step => ({
  method: 'PATCH',
  path: `/api/v1/namespaces/{ns}-${name}`,
  body: { metadata: { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${PREFIX}${key}`, value])) } },
});

const pod = (inNamespace: string, name: string, query = ''): Step => {
  const { spec } = PODS[name] ?? { spec: {} };
  return { method: 'POST', path: `/api/v1/namespaces/{ns}-${inNamespace}/pods${query}`, body: { metadata: { name }, spec } };
};

const eachPod = (inNamespace: string): readonly Step[] => Object.keys(PODS).map((name) => pod(inNamespace, name));

const levels: readonly Script[] = [
  ['baseline', { enforce: 'baseline' }],
  ['restricted', { enforce: 'restricted', 'enforce-version': 'v1.34' }],
  ['restricted of old', { enforce: 'restricted', 'enforce-version': 'v1.0' }],
  ['restricted of 1.8', { enforce: 'restricted', 'enforce-version': 'v1.8' }],
  ['restricted of 1.19', { enforce: 'restricted', 'enforce-version': 'v1.19' }],
  ['restricted of 1.22', { enforce: 'restricted', 'enforce-version': 'v1.22' }],
  ['restricted of 1.24', { enforce: 'restricted', 'enforce-version': 'v1.24' }],
  ['restricted of 1.27', { enforce: 'restricted', 'enforce-version': 'v1.27' }],
  ['baseline of 1.31', { enforce: 'baseline', 'enforce-version': 'v1.31' }],
  ['baseline of the future', { enforce: 'baseline', 'enforce-version': 'v1.99' }],
  ['only warnings', { warn: 'restricted' }],
  ['warnings beyond what is enforced', { enforce: 'baseline', warn: 'restricted', 'warn-version': 'v1.20', audit: 'restricted' }],
  ['warnings of another version', { enforce: 'baseline', 'warn-version': 'v1.20' }],
].map(([name, labels]) => ({
  name: `pod security: ${name as string}`,
  steps: [namespace('l', labels as Readonly<Record<string, string>>), ...eachPod('l')],
}));

const template = { metadata: { labels: { a: 'b' } }, spec: PODS['two']?.spec };
const selector = { matchLabels: { a: 'b' } };
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };

const MAKERS: readonly (readonly [path: string, kind: string, body: Fields])[] = [
  ['apis/apps/v1', 'deployments', { spec: { selector, template } }],
  ['apis/apps/v1', 'replicasets', { spec: { selector, template } }],
  ['apis/apps/v1', 'statefulsets', { spec: { selector, serviceName: 's', template } }],
  ['apis/apps/v1', 'daemonsets', { spec: { selector, template } }],
  ['apis/batch/v1', 'jobs', { spec: { template: jobTemplate } }],
  ['apis/batch/v1', 'cronjobs', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } }],
  ['api/v1', 'replicationcontrollers', { spec: { selector: { a: 'b' }, template } }],
  ['api/v1', 'podtemplates', { template }],
];

const makers = (inNamespace: string): readonly Step[] =>
  MAKERS.flatMap(([path, kind, body], index): readonly Step[] => {
    const base = `/${path}/namespaces/{ns}-${inNamespace}/${kind}`;
    return [
      { method: 'POST', path: base, body: { metadata: { name: `m-${index}` }, ...body } },
      { method: 'PATCH', path: `${base}/m-${index}`, body: { metadata: { labels: { x: 'y' } } } },
    ];
  });

const ephemeral = (name: string, securityContext: Fields): Step => ({
  method: 'PATCH',
  path: '/api/v1/namespaces/{ns}-e/pods/good/ephemeralcontainers',
  contentType: 'application/strategic-merge-patch+json',
  body: { spec: { ephemeralContainers: [{ name, image: 'i', securityContext }] } },
});

const changed = (name: string, patch: Fields, subresource = ''): Step => ({
  method: 'PATCH',
  path: `/api/v1/namespaces/{ns}-e/pods/${name}${subresource}`,
  contentType: 'application/strategic-merge-patch+json',
  body: patch,
});

export const podSecurityScripts: readonly Script[] = [
  ...levels,
  { name: 'pod security: what makes pods is warned', steps: [namespace('m', { enforce: 'restricted' }), ...makers('m')] },
  {
    name: 'pod security: what makes pods is not refused',
    steps: [namespace('m', { enforce: 'restricted', warn: 'privileged' }), ...makers('m')],
  },
  {
    name: 'pod security: labels',
    steps: [
      namespace('a', { enforce: 'strict' }),
      namespace('a', {
        enforce: '',
        'enforce-version': '1.30',
        audit: 'Baseline',
        'audit-version': 'v1.030',
        warn: 'no',
        'warn-version': 'v2.1',
      }),
      namespace('a', { 'enforce-version': 'v1.99999999999999999999' }),
      namespace('a', { 'warn-version': 'v1.1' }),
      label('a', { audit: 'odd' }),
      label('a', { enforce: 'restricted', 'enforce-version': 'latest' }),
      label('a', { enforce: 'restricted', 'enforce-version': 'newest' }),
    ],
  },
  {
    name: 'pod security: pods that were there before the level',
    steps: [
      namespace('p', {}),
      ...eachPod('p'),
      // The API server learns of the Pods by a watch. The last that violates a level:
      noticed('windows-host', label('p', { enforce: 'baseline' })),
      label('p', { enforce: 'baseline' }),
      label('p', { enforce: 'restricted' }),
      label('p', { enforce: 'baseline' }),
      label('p', { enforce: 'baseline', 'enforce-version': 'v1.10' }),
      label('p', { enforce: 'privileged' }),
      { ...label('p', { enforce: 'restricted' }), path: '/api/v1/namespaces/{ns}-p?dryRun=All' },
      label('p', { warn: 'restricted' }),
    ],
  },
  {
    name: 'pod security: changes of pods',
    steps: [
      namespace('e', {}),
      pod('e', 'good'),
      pod('e', 'privileged'),
      label('e', { enforce: 'restricted' }),
      // The API server learns of the labels by a watch.
      noticed('violates PodSecurity', pod('e', 'plain')),
      ephemeral('bad', { privileged: true }),
      ephemeral('plain', {}),
      ephemeral('well', RESTRICTED),
      changed('good', { spec: { containers: [{ name: 'c', image: 'other' }] } }),
      changed('privileged', { metadata: { labels: { x: 'y' } } }),
      changed('privileged', { spec: { containers: [{ name: 'c', image: 'other' }] } }),
      changed('privileged', { status: { phase: 'Running' } }, '/status'),
      pod('e', 'plain', '?dryRun=All'),
    ],
  },
];
