import type { Step } from '../exchange.js';
import { noticed } from '../noticed.js';
import type { Script } from '../script.js';

const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
const MUTATING = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const VALIDATING = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

interface Hook {
  readonly name: string;
  readonly path: string;
  readonly more?: object;
}

/** Webhooks for the config maps of the script's namespace. `{hooks}` is where they are answered, `{ca}` who vouches for that. */
function configuration(name: string, hooks: readonly Hook[]): object {
  return {
    metadata: { name: `${name}-{ns}` },
    webhooks: hooks.map(({ name: hook, path, more = {} }) => ({
      name: hook,
      clientConfig: { url: `{hooks}${path}`, caBundle: '{ca}' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE', 'DELETE'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    })),
  };
}

const configMap = (name: string, data: object = { a: '1' }, labels?: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
});

const create = (body: object): Step => ({ method: 'POST', path: CONFIG_MAPS, body });
/** A real server takes a moment to notice a configuration: the answer to a create shows the webhook then. */
const hooked = (until: string, body = configMap('probe')): Step => noticed(until, create(body));
const remove = (path: string, name: string): Step => ({ method: 'DELETE', path: `${path}/${name}-{ns}` });

/** A configuration, one create that meets it, and its end. */
function failing(name: string, hook: Omit<Hook, 'name'>, until: string): Script {
  return {
    name: `a webhook that ${name}`,
    steps: [
      { method: 'POST', path: VALIDATING, body: configuration('failing', [{ name: 'failing.example.com', ...hook }]) },
      hooked(until),
      create(configMap('one')),
      remove(VALIDATING, 'failing'),
    ],
  };
}

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'a:1' }] } };
const SUBRESOURCES = [
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'services/proxy', 'pods/log'],
    operations: ['CONNECT'],
  },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['pods/eviction', 'pods/binding', 'serviceaccounts/token'], operations: ['CREATE'] },
];
const posted = (path: string, body?: object): Step => ({ method: 'POST', path: `/api/v1/namespaces/{ns}/${path}`, ...(body && { body }) });

export const webhookScripts: readonly Script[] = [
  {
    name: 'mutating webhooks',
    steps: [
      {
        method: 'POST',
        path: MUTATING,
        body: configuration('mutating', [
          { name: 'label.example.com', path: '/label', more: { reinvocationPolicy: 'IfNeeded' } },
          { name: 'count.example.com', path: '/count' },
        ]),
      },
      hooked('"counted"'),
      create(configMap('one')),
      { method: 'GET', path: `${CONFIG_MAPS}/one` },
      { method: 'PUT', path: `${CONFIG_MAPS}/one`, body: configMap('one', { b: '2' }) },
      { method: 'PATCH', path: `${CONFIG_MAPS}/one`, body: { data: { c: '3' } } },
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/one?fieldManager=applier&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: configMap('one', { d: '4' }),
      },
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/two?fieldManager=applier`,
        contentType: 'application/apply-patch+yaml',
        body: configMap('two', { d: '4' }),
      },
      { method: 'PATCH', path: `${CONFIG_MAPS}/one?dryRun=All`, body: { data: { e: '5' } } },
      { method: 'DELETE', path: `${CONFIG_MAPS}/one` },
      remove(MUTATING, 'mutating'),
    ],
  },
  {
    name: 'validating webhooks',
    steps: [
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('validating', [
          { name: 'warn.example.com', path: '/warn' },
          { name: 'deny.example.com', path: '/deny', more: { objectSelector: { matchLabels: { deny: 'yes' } } } },
          { name: 'brief.example.com', path: '/brief', more: { objectSelector: { matchLabels: { deny: 'briefly' } } } },
          {
            name: 'condition.example.com',
            path: '/deny',
            more: {
              matchConditions: [{ name: 'named', expression: "request.operation != 'DELETE' && object.metadata.name == 'conditional'" }],
            },
          },
          {
            name: 'delete.example.com',
            path: '/deny',
            more: {
              matchConditions: [{ name: 'deleted', expression: "request.operation == 'DELETE' && oldObject.metadata.name == 'kept'" }],
            },
          },
        ]),
      },
      hooked('denied by a test', configMap('probe', {}, { deny: 'yes' })),
      create(configMap('fine')),
      create(configMap('denied', {}, { deny: 'yes' })),
      create(configMap('brief', {}, { deny: 'briefly' })),
      create(configMap('conditional')),
      create(configMap('kept')),
      { method: 'DELETE', path: `${CONFIG_MAPS}/kept` },
      { method: 'PUT', path: `${CONFIG_MAPS}/fine`, body: configMap('fine', {}, { deny: 'yes' }) },
      { method: 'PATCH', path: `${CONFIG_MAPS}/fine`, body: { metadata: { labels: { deny: 'yes' } } } },
      { method: 'DELETE', path: CONFIG_MAPS },
      remove(VALIDATING, 'validating'),
    ],
  },
  {
    name: 'webhooks on subresources',
    steps: [
      { method: 'POST', path: '/api/v1/namespaces/{ns}/pods', body: POD },
      posted('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }),
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('subresources', [{ name: 'show.example.com', path: '/show', more: { rules: SUBRESOURCES } }]),
      },
      { ...posted('pods/a/exec?command=id'), until: 'PodExecOptions' },
      posted('pods/a/exec?command=sh&command=-c&stdin=true&tty=1&stdout=false&container=main'),
      { method: 'GET', path: '/api/v1/namespaces/{ns}/pods/a/exec?command=id&stdin=false&stderr=0' },
      posted('pods/missing/exec?command=id'),
      posted('pods/a/attach?stdin=True&container='),
      posted('pods/a/portforward?ports=80&ports=443'),
      posted('pods/a/portforward'),
      posted('pods/a/portforward?ports=x'),
      posted('pods/a/portforward?ports=99999999999'),
      posted('pods/a/portforward?ports=80,443'),
      posted('pods/a/portforward?ports=70000'),
      posted('pods/a/portforward?ports='),
      posted('pods/a/portforward?ports=-1'),
      posted('pods/a/portforward?ports=080'),
      { method: 'GET', path: '/api/v1/namespaces/{ns}/pods/a/proxy' },
      { method: 'GET', path: '/api/v1/namespaces/{ns}/services/s/proxy' },
      { method: 'GET', path: '/api/v1/namespaces/{ns}/pods/a/log' },
      posted('pods/a/eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a', labels: { why: 'drain' } } }),
      posted('pods/a/eviction?dryRun=All', {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'a' },
        deleteOptions: { gracePeriodSeconds: 3 },
      }),
      posted('pods/a/binding', { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } }),
      posted('serviceaccounts/robot/token', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 3 },
      }),
      posted('serviceaccounts/missing/token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
      posted('serviceaccounts/robot/token', { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['x'] } }),
      remove(VALIDATING, 'subresources'),
      { ...posted('pods/a/exec?command=id'), until: 'does not have a host assigned' },
    ],
  },
  failing('is not there, where that is a failure', { path: '/nowhere' }, 'failed calling webhook'),
  failing('answers for another request', { path: '/wrong' }, 'failing.example.com'),
  failing('patches with what is none', { path: '/bad-patch' }, 'failing.example.com'),
  {
    name: 'a webhook that may fail',
    steps: [
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('ignored', [
          { name: 'ignored.example.com', path: '/nowhere', more: { failurePolicy: 'Ignore' } },
          { name: 'warn.example.com', path: '/warn' },
          { name: 'deny.example.com', path: '/deny', more: { objectSelector: { matchLabels: { deny: 'yes' } } } },
        ]),
      },
      hooked('denied by a test', configMap('probe', {}, { deny: 'yes' })),
      create(configMap('one')),
      remove(VALIDATING, 'ignored'),
    ],
  },
  {
    name: 'webhook configurations that are refused',
    namespaced: false,
    steps: [
      { method: 'POST', path: VALIDATING, body: configuration('bad', [{ name: 'undotted', path: '/x' }]) },
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('bad', [{ name: 'a.example.com', path: '/x', more: { sideEffects: 'Unknown' } }]),
      },
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('bad', [{ name: 'a.example.com', path: '/x', more: { admissionReviewVersions: [] } }]),
      },
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('bad', [{ name: 'a.example.com', path: '/x', more: { timeoutSeconds: 31 } }]),
      },
      { method: 'POST', path: VALIDATING, body: configuration('bad', [{ name: 'a.example.com', path: '/x', more: { clientConfig: {} } }]) },
      {
        method: 'POST',
        path: VALIDATING,
        body: configuration('bad', [
          { name: 'a.example.com', path: '/x', more: { matchConditions: [{ name: 'x', expression: 'nonsense(' }] } },
        ]),
      },
      {
        method: 'POST',
        path: MUTATING,
        body: configuration('bad', [
          { name: 'a.example.com', path: '/x' },
          { name: 'a.example.com', path: '/x' },
        ]),
      },
      {
        method: 'POST',
        path: MUTATING,
        body: configuration('bad', [{ name: 'a.example.com', path: '/x', more: { reinvocationPolicy: 'Often' } }]),
      },
      {
        method: 'POST',
        path: MUTATING,
        body: configuration('bad', [
          { name: 'a.example.com', path: '/x', more: { rules: [{ operations: ['SING'], apiGroups: [], apiVersions: [], resources: [] }] } },
        ]),
      },
    ],
  },
];
