import type { Step } from '../differential/exchange.js';
import type { Script } from '../differential/script.js';
import { furnished } from './controllers.js';

type Fields = Readonly<Record<string, unknown>>;

const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const PODS = '/api/v1/namespaces/{ns}/pods';
const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

const account = (name: string, more: Fields = {}): Step => ({ method: 'POST', path: ACCOUNTS, body: { metadata: { name }, ...more } });

/** Without anything that would tell the two servers apart: no volume gets a generated name where the spec says not to. */
const pod = (name: string, spec: Fields = {}, metadata: Fields = {}): Step => ({
  method: 'POST',
  path: PODS,
  body: { metadata: { name, ...metadata }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } },
});

const tokens: Script = {
  name: 'service account: tokens and pull secrets',
  steps: [
    ...furnished,
    pod('default'),
    pod('missing', { serviceAccountName: 'missing' }),
    account('own', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] }),
    pod('own', { serviceAccountName: 'own' }),
    pod('old', { serviceAccount: 'own' }),
    pod('pulls', { serviceAccountName: 'own', imagePullSecrets: [{ name: 'c' }] }),
    account('silent', { automountServiceAccountToken: false }),
    pod('silent', { serviceAccountName: 'silent' }),
    pod('loud', { serviceAccountName: 'silent', automountServiceAccountToken: true }),
    pod('quiet', { automountServiceAccountToken: false }),
    pod('mounts', {
      initContainers: [{ name: 'i', image: 'i' }],
      containers: [
        { name: 'a', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
        { name: 'b', image: 'i', volumeMounts: [{ name: 'v', mountPath: MOUNT }] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    }),
    pod('all-mounted', {
      containers: [{ name: 'b', image: 'i', volumeMounts: [{ name: 'v', mountPath: MOUNT }] }],
      volumes: [{ name: 'v', emptyDir: {} }],
    }),
    pod('known', { volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] }),
    pod('mirror', {}, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    pod('mirror-account', { serviceAccountName: 'own' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    pod(
      'mirror-secret',
      { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
      { annotations: { 'kubernetes.io/config.mirror': 'x' } },
    ),
  ],
};

const secret = (name: string): Fields => ({ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } });
const limited = (name: string, spec: Fields): Step =>
  pod(name, { serviceAccountName: 'limited', automountServiceAccountToken: false, ...spec });

const references: Script = {
  name: 'service account: secrets that it may use',
  steps: [
    ...furnished,
    account('limited', {
      metadata: { name: 'limited', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 'good' }],
      imagePullSecrets: [{ name: 'pull' }],
    }),
    limited('volume', { volumes: [{ name: 'v', secret: { secretName: 'bad' } }] }),
    limited('env', { containers: [{ name: 'c', image: 'i', env: [secret('bad')] }] }),
    limited('env-from', { containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 'bad' } }] }] }),
    limited('init', { initContainers: [{ name: 'j', image: 'i', env: [secret('bad')] }] }),
    limited('pull', { imagePullSecrets: [{ name: 'pull' }, { name: 'bad' }] }),
    limited('good', {
      containers: [{ name: 'c', image: 'i', env: [secret('good')] }],
      volumes: [{ name: 'v', secret: { secretName: 'good' } }],
    }),
    {
      method: 'PATCH',
      path: `${PODS}/good/ephemeralcontainers`,
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { ephemeralContainers: [{ name: 'd', image: 'i', env: [secret('bad')] }] } },
    },
  ],
};

export const serviceAccountScripts: readonly Script[] = [tokens, references];
