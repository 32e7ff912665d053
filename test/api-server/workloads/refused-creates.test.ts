import { ApiServer } from '../../../src/api-server/index.js';
import { eventually } from '../../eventually.js';

/**
 * States in which a controller of workloads cannot create what it wants: an Event of the object says why, as in a cluster, and nothing is reported as a problem of
 * the server, which `keelson apiserver` and `keelson dev` would print with its stack. Texts: kubernetes `pkg/controller/controller_utils.go`,
 * `statefulset/stateful_pod_control.go`, `deployment/sync.go`.
 */
let server: ApiServer;
let problems: unknown[];
beforeAll(async () => {
  server = await ApiServer.start({ protocol: 'http', workloads: true, onProblem: (problem) => void problems.push(problem) });
});
beforeEach(() => {
  problems = [];
});
afterAll(() => server.close());

interface Kept {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects of any kind
  readonly body: any;
}

async function ask(method: string, path: string, body?: object): Promise<Kept> {
  const headers = { authorization: `Bearer ${server.tokenFor()}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
}

async function make(path: string, object: object): Promise<void> {
  const { status, body } = await ask('POST', path, object);
  if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
}

const labels = { app: 'a' };
const pod = (more: object = {}): object => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'a:1', resources: { requests: { cpu: '100m' } } }], ...more },
});
const common = { selector: { matchLabels: labels } };
const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };

/** By kind: where it is made, and the object whose Event says why; `NAME` is the name of the object. */
const KINDS: Readonly<Record<string, { readonly path: string; readonly says: string; readonly spec: (template: object) => object }>> = {
  Deployment: { path: 'apps/v1 deployments', says: 'Error creating: ', spec: (template) => ({ ...common, template }) },
  ReplicaSet: { path: 'apps/v1 replicasets', says: 'Error creating: ', spec: (template) => ({ ...common, template }) },
  DaemonSet: { path: 'apps/v1 daemonsets', says: 'Error creating: ', spec: (template) => ({ ...common, template }) },
  Job: {
    path: 'batch/v1 jobs',
    says: 'Error creating: ',
    spec: (template) => ({ template: { ...template, spec: { ...(template as { spec: object }).spec, restartPolicy: 'Never' } } }),
  },
  StatefulSet: {
    path: 'apps/v1 statefulsets',
    says: 'create Pod a-0 in StatefulSet a failed error: ',
    spec: (template) => ({ ...common, serviceName: 'a', template }),
  },
};

interface Cause {
  readonly says: string;
  readonly prepare: (namespace: string) => Promise<void>;
  readonly pod?: object;
}

const inNamespace = (namespace: string, group: string, plural: string): string =>
  `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${namespace}/${plural}`;
const meta = (name: string, namespace?: string): object => ({ metadata: { name, ...(namespace !== undefined && { namespace }) } });
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';

const CAUSES: Readonly<Record<string, Cause>> = {
  'a quota': {
    says: 'is forbidden: exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0',
    prepare: (namespace) =>
      make(inNamespace(namespace, 'v1', 'resourcequotas'), {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        ...meta('none'),
        spec: { hard: { pods: '0' } },
      }),
  },
  'a limit': {
    says: 'must be less than or equal to cpu limit of 10m',
    prepare: (namespace) =>
      make(inNamespace(namespace, 'v1', 'limitranges'), {
        apiVersion: 'v1',
        kind: 'LimitRange',
        ...meta('small'),
        spec: { limits: [{ type: 'Container', max: { cpu: '10m' } }] },
      }),
  },
  'a service account that is not there': {
    says: 'error looking up service account',
    prepare: async () => undefined,
    pod: { serviceAccountName: 'nobody' },
  },
  'a policy': {
    says: 'denied request: no Pods here',
    prepare: async (namespace) => {
      const match = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] };
      const spec = { matchConstraints: match, validations: [{ expression: 'false', message: 'no Pods here' }] };
      const kind = 'ValidatingAdmissionPolicy';
      await make(`${REGISTRATION}/validatingadmissionpolicies`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind,
        ...meta(namespace),
        spec,
      });
      const matchResources = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
      await make(`${REGISTRATION}/validatingadmissionpolicybindings`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${kind}Binding`,
        ...meta(namespace),
        spec: { policyName: namespace, validationActions: ['Deny'], matchResources },
      });
    },
  },
  'a webhook that does not answer': {
    says: 'failed calling webhook "a.b.example"',
    prepare: (namespace) =>
      make(`${REGISTRATION}/validatingwebhookconfigurations`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        ...meta(namespace),
        webhooks: [
          {
            name: 'a.b.example',
            clientConfig: { url: 'https://127.0.0.1:1/' },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            failurePolicy: 'Fail',
          },
        ],
      }),
  },
};

let number = 0;
async function namespace(): Promise<string> {
  number += 1;
  await make('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', ...meta(`state-${number}`) });
  return `state-${number}`;
}

/** @returns the Warnings of the namespace: `ReplicaSet FailedCreate: why` */
async function warnings(of: string): Promise<string[]> {
  const { body } = await ask('GET', inNamespace(of, 'v1', 'events'));
  return (body.items as { type: string; reason: string; message: string; involvedObject: { kind: string } }[]).flatMap((event) =>
    event.type === 'Warning' ? [`${event.involvedObject.kind} ${event.reason}: ${event.message}`] : [],
  );
}

const STATES = Object.keys(KINDS).flatMap((kind) => Object.keys(CAUSES).map((cause) => [kind, cause] as const));

test.each(STATES)('a %s whose Pods %s stops has an Event that says why, and nothing is reported', async (kind, name) => {
  const { path, says, spec } = KINDS[kind] as NonNullable<(typeof KINDS)[string]>;
  const cause = CAUSES[name] as Cause;
  const where = await namespace();
  await cause.prepare(where);
  const [group = '', plural = ''] = path.split(' ');
  await make(inNamespace(where, group, plural), { apiVersion: group, kind, ...meta('a'), spec: spec(pod(cause.pod)) });
  const owner = kind === 'Deployment' ? 'ReplicaSet' : kind;
  const found = await eventually(async () => (await warnings(where)).find((text) => text.includes(cause.says)), `an Event of ${owner}`);
  expect(found.startsWith(`${owner} FailedCreate: ${says}`)).toBe(true);
  expect(problems).toEqual([]);
});

test('a StatefulSet whose name is too long for labels of its Pods has an Event that says why, and nothing is reported', async () => {
  const where = await namespace();
  const name = 'a'.repeat(62);
  const spec = { ...common, serviceName: 'a', template: pod() };
  await make(inNamespace(where, 'apps/v1', 'statefulsets'), { apiVersion: 'apps/v1', kind: 'StatefulSet', ...meta(name), spec });
  const found = await eventually(async () => (await warnings(where))[0], 'an Event of the StatefulSet');
  expect(found).toMatch(/^StatefulSet FailedCreate: create Pod a{62}-0 in StatefulSet a{62} failed error: Pod "a{62}-0" is invalid: /);
  expect(problems).toEqual([]);
});

test('a StatefulSet whose claims a quota stops has an Event of the claim and one of the Pod', async () => {
  const where = await namespace();
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', ...meta('none'), spec: { hard: { persistentvolumeclaims: '0' } } };
  await make(inNamespace(where, 'v1', 'resourcequotas'), quota);
  const spec = { ...common, serviceName: 'a', template: pod(), volumeClaimTemplates: [claim] };
  await make(inNamespace(where, 'apps/v1', 'statefulsets'), { apiVersion: 'apps/v1', kind: 'StatefulSet', ...meta('a'), spec });
  await eventually(async () => (await warnings(where)).length >= 2, 'two Events');
  const why = 'persistentvolumeclaims "data-a-0" is forbidden: exceeded quota: none';
  expect(await warnings(where)).toEqual(
    expect.arrayContaining([
      expect.stringContaining(`StatefulSet FailedCreate: create Claim data-a-0 for Pod a-0 in StatefulSet a failed error: ${why}`),
      expect.stringContaining(
        `StatefulSet FailedCreate: create Pod a-0 in StatefulSet a failed error: failed to create PVC data-a-0: ${why}`,
      ),
    ]),
  );
  expect(problems).toEqual([]);
});

test('a Deployment whose ReplicaSet a quota stops has an Event that says why', async () => {
  const where = await namespace();
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', ...meta('none'), spec: { hard: { 'count/replicasets.apps': '0' } } };
  await make(inNamespace(where, 'v1', 'resourcequotas'), quota);
  await make(inNamespace(where, 'apps/v1', 'deployments'), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    ...meta('a'),
    spec: { ...common, template: pod() },
  });
  const found = await eventually(async () => (await warnings(where))[0], 'an Event of the Deployment');
  expect(found).toMatch(
    /^Deployment ReplicaSetCreateError: Failed to create new replica set "a-[a-z\d]+": replicasets\.apps "a-[a-z\d]+" is forbidden: exceeded quota/,
  );
  expect(problems).toEqual([]);
});
