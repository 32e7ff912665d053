import type { Script } from '../script.js';

const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
const get = (path: string, accept?: string): { method: string; path: string; accept?: string } => ({
  method: 'GET',
  path,
  ...(accept === undefined ? {} : { accept }),
});

const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const AS_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const COMPONENT_FORMS = [
  'application/json',
  'application/yaml',
  AS_TABLE,
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  AS_LIST,
  'application/json;as=Other;v=v1;g=meta.k8s.io',
  'text/html',
];
/** A real server lists the others in an order of chance. */
const ONLY_ETCD = '?fieldSelector=metadata.name%3Detcd-0';
const componentsAs = (accept: string) => (rest: string) => get(`/api/v1/componentstatuses${rest}`, accept);

/** URLs, methods, forms of answers, and what stands beside the resources. */
export const pathScripts: readonly Script[] = [
  {
    name: 'paths and methods',
    steps: [
      get('/nonsense'),
      get('/api/v1/nonsense'),
      get('/api/v2'),
      get('/apis/nonsense.example.com'),
      get('/apis/nonsense.example.com/v1/things'),
      get('/apis/apps/v7/deployments'),
      get('/api/v1/namespaces/{ns}/nonsense/x'),
      get('/api/v1/namespaces/{ns}/configmaps/a/nonsense'),
      get('/api/v1/namespaces/{ns}/pods/a/status'),
      get('/api/v1/namespaces/missing/configmaps'),
      { method: 'PUT', path: '/api/v1/namespaces/{ns}/pods' },
      { method: 'POST', path: `${CONFIG_MAPS}/x`, body: {} },
      { method: 'OPTIONS', path: CONFIG_MAPS },
      { method: 'POST', path: '/api/v1/configmaps', body: { metadata: { name: 'x' } } },
      { method: 'POST', path: '/version' },
      { method: 'DELETE', path: '/api/v1/configmaps' },
      get('/healthz'),
      get('/livez'),
      get('/readyz'),
      get('/apis/apps'),
      get('/apis/autoscaling'),
      get('/api'),
      get('/apis/example.com'),
    ],
  },
  {
    name: 'rights',
    steps: [
      { ...get('/api/v1/namespaces/{ns}/configmaps'), user: 'bob' },
      { ...get('/api/v1/namespaces/{ns}/configmaps/x'), user: 'bob' },
      { ...get('/api/v1/nodes'), user: 'bob' },
      { ...get('/apis/apps/v1/namespaces/{ns}/deployments/x/scale'), user: 'bob' },
      { method: 'POST', path: CONFIG_MAPS, body: {}, user: 'bob' },
      { method: 'DELETE', path: CONFIG_MAPS, user: 'bob' },
      { method: 'PATCH', path: `${CONFIG_MAPS}/x`, body: {}, user: 'bob' },
      { ...get('/metrics'), user: 'bob' },
      { ...get('/api/v1/namespaces'), user: '' },
      { ...get('/version'), user: '' },
      { ...get('/healthz'), user: '' },
      { ...get('/api/v1/namespaces'), user: 'no-such-token' },
      { ...get('/api/v1/namespaces'), headers: { 'impersonate-user': 'carol' } },
      { ...get('/api/v1/namespaces'), headers: { 'impersonate-user': 'carol' }, user: 'bob' },
      { ...get('/api/v1/namespaces'), headers: { 'impersonate-group': 'x' } },
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
        body: {
          metadata: { name: 'reader' },
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create', 'patch'], resourceNames: [] }],
        },
      },
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
        body: { metadata: { name: 'ann' }, roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'User', name: 'ann' }] },
      },
      // The authorizer learns of role and binding by watches.
      { ...get(CONFIG_MAPS), user: 'ann', until: '"ConfigMapList"' },
      { ...get('/api/v1/namespaces/{ns}/secrets'), user: 'ann' },
      { ...get('/api/v1/configmaps'), user: 'ann' },
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/new?fieldManager=x`,
        contentType: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } },
        user: 'ann',
      },
      { method: 'PUT', path: `${CONFIG_MAPS}/new`, body: { metadata: { name: 'new' } }, user: 'ann' },
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
        body: { metadata: { name: 'more' }, rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] },
        user: 'ann',
      },
      {
        method: 'PUT',
        path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings/ann',
        body: { metadata: { name: 'ann' }, roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: 'rbac.authorization.k8s.io' } },
      },
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles',
        body: { metadata: { name: 'bad' }, rules: [{ verbs: [] }] },
      },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { spec: { resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'configmaps' } } },
        user: 'ann',
      },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } },
        user: 'ann',
      },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: { spec: { user: 'ann', resourceAttributes: { namespace: '{ns}', verb: 'delete', resource: 'configmaps' } } },
      },
      { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', body: { spec: {} } },
      {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews',
        body: {
          metadata: { namespace: '{ns}' },
          spec: { user: 'ann', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'configmaps' } },
        },
      },
      { method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', body: { spec: { namespace: '{ns}' } }, user: 'bob' },
      { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: {}, user: 'ann' },
      { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: { token: 'nonsense' } } },
      { method: 'POST', path: '/apis/authentication.k8s.io/v1/tokenreviews', body: { spec: {} } },
      get('/apis/authentication.k8s.io/v1/tokenreviews'),
    ],
  },
  {
    name: 'service accounts',
    steps: [
      { method: 'POST', path: '/api/v1/namespaces/{ns}/serviceaccounts', body: { metadata: { name: 'robot' } } },
      { method: 'POST', path: '/api/v1/namespaces/{ns}/serviceaccounts/missing/token', body: {} },
      { method: 'POST', path: '/api/v1/namespaces/{ns}/serviceaccounts/robot/token', body: { spec: { expirationSeconds: 1 } } },
      {
        method: 'POST',
        path: '/api/v1/namespaces/{ns}/serviceaccounts/robot/token',
        body: { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } } },
      },
      { method: 'PUT', path: '/api/v1/namespaces/{ns}/serviceaccounts/robot/token', body: {} },
    ],
  },
  {
    name: 'discovery',
    namespaced: false,
    steps: [
      get('/api', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
      get('/api/v1'),
      get('/apis/apps/v1'),
      get('/apis/batch/v1'),
      get('/apis/policy/v1'),
      get('/apis/rbac.authorization.k8s.io/v1'),
      get('/apis/admissionregistration.k8s.io/v1'),
      get('/apis/apiextensions.k8s.io/v1'),
      get('/apis/coordination.k8s.io/v1'),
      get('/apis/events.k8s.io/v1'),
      get('/apis/autoscaling/v1'),
      get('/apis/autoscaling/v2'),
      get('/apis'),
      get('/api', 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'),
      get('/apis', 'application/yaml'),
    ],
  },
  {
    name: 'component statuses',
    namespaced: false,
    steps: [
      ...COMPONENT_FORMS.flatMap((form) => ['/scheduler', '/controller-manager', '/etcd-0', '/none', ONLY_ETCD].map(componentsAs(form))),
      ...[
        ...[
          'includeObject=None',
          'includeObject=Object',
          'includeObject=x',
          'pretty=true',
          'resourceVersion=7',
          'resourceVersion=x',
          'limit=1',
        ],
        ...['limit=a', 'continue=x', 'resourceVersionMatch=Exact', 'sendInitialEvents=true', 'labelSelector=a%3Db', 'labelSelector=%3D%3D'],
      ].map((query) => componentsAs(AS_TABLE)(`${ONLY_ETCD}&${query}`)),
      ...['metadata.name%3Dnone', 'metadata.namespace%3Da', 'conditions%3Da', 'x'].flatMap((selector) =>
        ['application/json', AS_TABLE, AS_LIST].map((form) => componentsAs(form)(`?fieldSelector=${selector}`)),
      ),
      ...['?includeObject=Object', '?includeObject=x', '?export=true', '?resourceVersion=x'].map((query) =>
        componentsAs(AS_TABLE)(`/etcd-0${query}`),
      ),
      ...['?watch=true', '?watch=true&limit=a', '/etcd-0?watch=true', '/etcd-0/status'].map(componentsAs(AS_TABLE)),
      { method: 'DELETE', path: '/api/v1/componentstatuses/etcd-0' },
      { method: 'POST', path: '/api/v1/componentstatuses', body: {} },
      get('/api/v1/namespaces/default/componentstatuses'),
    ],
  },
];
