/** A request whose answer is compared with a real server's. */
export interface ComparedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Default: the administrator. `null`: nobody in particular; otherwise a bearer token. */
  readonly token?: string | null;
  /** Bodies are compared as values: their bytes differ, without meaning for a client. Default: byte for byte, but for YAML. */
  readonly byValue?: string;
  /** The client goes when it has read the line with this text. Default: it reads to the end. */
  readonly until?: string;
}

export const GROUP = 'http.example.com';
const C = '/api/v1/namespaces/default/configmaps';
const S = `/apis/${GROUP}/v1/namespaces/default/sheets`;
const JSON_TYPE = { 'content-type': 'application/json' };
const YAML_TYPE = { 'content-type': 'application/yaml' };

const configMap = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });
const sheet = (name: string, more: object = {}): string =>
  JSON.stringify({ apiVersion: `${GROUP}/v1`, kind: 'Sheet', metadata: { name }, ...more });

export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `sheets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'sheets', singular: 'sheet', kind: 'Sheet', listKind: 'SheetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
};

/** The objects that the requests are about. */
export const setUp: readonly ComparedRequest[] = [
  { method: 'POST', path: C, headers: JSON_TYPE, body: configMap('a', { data: { html: '<&>', n: '1' } }) },
  { method: 'POST', path: S, headers: JSON_TYPE, body: sheet('s', { spec: { z: 1, a: 'yes' } }) },
];

const get = (path: string, headers: Record<string, string> = {}): ComparedRequest => ({ method: 'GET', path, headers });

const paths: readonly ComparedRequest[] = [
  '/api/v1/foo',
  '/api/v2',
  '/api/v2/x',
  '/apis/foo.io/v1/bar',
  '/apis/apps/v1/foo',
  '/apis/apps/v9/deployments',
  `/apis/${GROUP}/v1/foo`,
  `/apis/${GROUP}/v2/sheets`,
  `${S}/s/nope`,
  `${S}/s/scale`,
  `${C}/a/nope`,
  `${C}/a/status`,
  '/api/v1/configmaps/a',
  '/foo',
  `${C}/`,
  '/api/v1//namespaces/default/configmaps',
  `${C}/a/`,
  '/api/v1/watch',
  '/api/v1/proxy',
  '/api/v1/namespaces/default/nodes',
  '/api/v1/namespaces/default/namespaces',
  `/apis/${GROUP}/v1/sheets/s`,
  `/apis/${GROUP}/v1/sheets`,
  '/api/v1/namespaces//configmaps?fieldSelector=metadata.namespace%3Ddefault,metadata.name%3Da',
  `${C}/a%2Fb`,
  `${C}/%2e`,
  '/api/v1/namespaces/nope/configmaps',
  '/api/v1/watch/namespaces/default/configmaps/zzz?timeoutSeconds=1',
  `/api/v1/watch/namespaces/default/configmaps/a?timeoutSeconds=1`,
  '/api/v1/watch/namespaces/default/configmaps/a?fieldSelector=metadata.name%3Db',
  `${C}/a?watch=1&timeoutSeconds=1`,
].map((path) => get(path));

const methods: readonly ComparedRequest[] = [
  { method: 'POST', path: `${C}/a`, headers: JSON_TYPE, body: configMap('a') },
  { method: 'PUT', path: C, headers: JSON_TYPE, body: configMap('a') },
  { method: 'PATCH', path: C, headers: JSON_TYPE, body: '{}' },
  { method: 'HEAD', path: C },
  { method: 'HEAD', path: S },
  { method: 'OPTIONS', path: C },
  { method: 'TRACE', path: C },
  { method: 'OPTIONS', path: S },
  { method: 'PUT', path: S, headers: JSON_TYPE, body: sheet('s') },
  { method: 'PATCH', path: S, headers: JSON_TYPE, body: '{}' },
  { method: 'POST', path: `${S}/s`, headers: JSON_TYPE, body: sheet('s') },
  { method: 'POST', path: `${S}/s/status`, headers: JSON_TYPE, body: sheet('s') },
  { method: 'DELETE', path: `${S}/s/status` },
  { method: 'DELETE', path: '/api/v1/namespaces/default/pods/x/status' },
  { method: 'DELETE', path: '/api/v1/namespaces' },
  { method: 'POST', path: '/api/v1/configmaps', headers: JSON_TYPE, body: configMap('q') },
  { method: 'DELETE', path: '/api/v1/configmaps' },
  { method: 'POST', path: `/apis/${GROUP}/v1/sheets`, headers: JSON_TYPE, body: sheet('q') },
  { method: 'DELETE', path: `/apis/${GROUP}/v1/sheets` },
  { method: 'POST', path: '/api/v1/watch/configmaps', headers: JSON_TYPE, body: configMap('q') },
  { method: 'POST', path: '/foo' },
  { method: 'GET', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews' },
  { method: 'GET', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews/x' },
  { method: 'POST', path: '/version' },
];

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const accepts = [
  'text/html',
  'application/foo',
  '*/*',
  'application/*',
  'application/json;q=0.1,application/yaml',
  'application/json;as=Foo;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v2',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/json;stream=foo',
  'application/json;pretty=1',
  'application/json;sv=v1',
  'garbage',
  ',,',
  'application/json; charset=utf-8',
  'text/html,application/xhtml+xml,*/*;q=0.8',
];
const forms: readonly ComparedRequest[] = [
  ...accepts.flatMap((accept) =>
    [`${C}/a`, `${S}/s`, `${C}?fieldSelector=metadata.name%3Da`, S, `${S}?labelSelector=none`, `${C}/zzz`, `${S}/zzz`].map((path) =>
      get(path, { accept }),
    ),
  ),
  get(`${S}/s`, { accept: TABLE }),
  get(S, { accept: TABLE }),
  get(`${S}?labelSelector=none`, { accept: TABLE }),
  get(`${S}/s?includeObject=None`, { accept: TABLE }),
  get(`${S}/s?includeObject=Object`, { accept: TABLE }),
  get(`${S}/s?includeObject=x`, { accept: TABLE }),
  get(`${S}/zzz`, { accept: TABLE }),
  get('/api/v1/foo', { accept: TABLE }),
  get('/api/v1/foo', { accept: 'application/foo' }),
  get(`${C}/a?pretty=true`),
  get(`${C}/a?pretty=x`, { 'user-agent': 'curl/7' }),
  get(`${C}/zzz`, { 'user-agent': 'curl/7' }),
  get(`${S}?pretty=1`),
];

const broken = [
  '',
  '{',
  '{"a":}',
  '[]',
  '"x"',
  'null',
  '5',
  '{"kind":5}',
  '{"kind":"ConfigMap"',
  '{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"b" "c"}}',
  "{'a':1}",
  '{"a":tru}',
  '{"a":1.}',
  '{"a":"\\x"}',
  '{"a":"\u0001"}',
  '{}x',
  '{"a":1,}',
  '[1,]',
  'hello world this is long text of over thirty bytes',
  '{"apiVersion":"a/b/c","kind":"x"}',
  '\ufeff{}',
  '['.repeat(10_001),
  '{"aé":é',
];
const duplicates =
  '"metadata":{"name":"twice","name":"twice","labels":{"a":"1","a":"2"}},"spec":{"a":[{"b":1,"b":{"c":1,"c":2}}],"k.l":{"x":1,"x":2}},"spec":{"z":1,"z":2}';
const yaml = (spec: string): string => `apiVersion: ${GROUP}/v1\nkind: Sheet\nmetadata:\n  name: yaml\nspec:\n${spec}`;
const yamlBodies = [
  '  a: yes\n  b: y\n  c: 0b11\n  d: 017\n  e: 1_000\n  f: ~\n  g: 2001-01-01\n  h: 0x1F\n  i: 1e3\n  j: 12:30:45\n  k: !!binary aGk=\n  l: 1.5\n  1: a\n  true: b\n  1.5: c\n  o: 12e03\n',
  '  a: 1\n  a: 2\n  b: {c: 1, c: 2}\n',
  '  a: &x {b: 1}\n  c: *x\n  d: {<<: *x, e: 2}\n',
  '  a: *nope\n',
  '  a: b: c\n',
  '\ta: 1\n',
  '  a: 1\n---\nfoo: bar\n',
  '  a: !foo bar\n',
  '  ~: x\n',
  '  a: .inf\n',
].map(yaml);
const bodies: readonly ComparedRequest[] = [
  ...broken.flatMap((body) => [C, S].map((path) => ({ method: 'POST', path: `${path}?dryRun=All`, headers: JSON_TYPE, body }))),
  ...['Strict', 'Warn', 'Ignore', 'foo', ''].map((mode) => ({
    method: 'POST',
    path: `${S}?dryRun=All&fieldValidation=${mode}`,
    headers: JSON_TYPE,
    body: `{"apiVersion":"${GROUP}/v1","kind":"Sheet",${duplicates}}`,
  })),
  ...['Strict', 'Warn'].flatMap((mode) =>
    yamlBodies.map((body) => ({ method: 'POST', path: `${S}?dryRun=All&fieldValidation=${mode}`, headers: YAML_TYPE, body })),
  ),
  ...['', '---\n', '- a\n- b\n', 'foo', '---\napiVersion: v1\n---\nfoo: 1\n'].map((body) => ({
    method: 'POST',
    path: `${S}?dryRun=All`,
    headers: YAML_TYPE,
    body,
  })),
  ...['9007199254740991', '9223372036854775808', '1e3', '1.0', '1e400', '-0', '0.1', '123456789012345678901234567890'].map((number) => ({
    method: 'POST',
    path: `${S}?dryRun=All`,
    headers: JSON_TYPE,
    body: `{"apiVersion":"${GROUP}/v1","kind":"Sheet","metadata":{"name":"number"},"spec":{"n":${number}}}`,
  })),
  ...['{', '[]', 'a: [1\n', 'data: {k: a, k: b}\nkind: ConfigMap\napiVersion: v1\n'].map((body) => ({
    method: 'PATCH',
    path: `${C}/a?dryRun=All&fieldManager=m&fieldValidation=Strict`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  })),
  ...['{', '', '[]'].flatMap((body) =>
    [`${C}/a`, `${C}/zzz`, `${S}/s`].map((path) => ({
      method: 'PATCH',
      path: `${path}?dryRun=All`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body,
    })),
  ),
  { method: 'POST', path: C, headers: JSON_TYPE, body: 'x'.repeat(3 * 1024 * 1024 + 1) },
  { method: 'POST', path: C, headers: JSON_TYPE, body: 'x'.repeat(3 * 1024 * 1024) },
  { method: 'POST', path: `${C}?dryRun=All`, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: configMap('plain') },
];

const contentTypes: readonly ComparedRequest[] = [
  ...[
    'text/plain',
    'application/JSON',
    'application/json; charset=utf-8',
    'application/json;',
    'application/json; x',
    'garbage',
    'application/cbor',
    '*/*',
    '',
  ]
    .map((type) => ({ 'content-type': type }))
    .flatMap((headers) => [
      { method: 'POST', path: `${C}?dryRun=All`, headers, body: configMap('q') },
      { method: 'PUT', path: `${S}/zzz?dryRun=All`, headers, body: sheet('zzz') },
    ]),
  { method: 'POST', path: `${C}?dryRun=All`, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body: configMap('q') },
  ...[
    'application/json',
    'application/merge-patch+json; charset=utf-8',
    'application/merge-patch+json;x',
    'application/Merge-Patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+cbor',
    '',
    'application/merge-patch+json ; x',
    'application/apply-patch+yaml',
  ]
    .map((type) => ({ 'content-type': type }))
    .flatMap((headers) =>
      [`${C}/a`, `${S}/s`, `${C}/zzz`].map((path) => ({
        method: 'PATCH',
        path: `${path}?dryRun=All`,
        headers,
        body: '{}',
        ...(path.startsWith(S) && { byValue: 'the metadata of a patched custom resource is not sorted' }),
      })),
    ),
  { method: 'DELETE', path: `${C}/zzz`, headers: { 'content-type': 'text/plain' }, body: '{}' },
];

const deletions: readonly ComparedRequest[] = [
  ...[
    '{}',
    '{',
    '{"kind":"Foo"}',
    '{"kind":"DeleteOptions","apiVersion":"v1"}',
    '{"kind":"DeleteOptions","apiVersion":"apps/v1","dryRun":["All"]}',
    '{"kind":"DeleteOptions","apiVersion":"v9"}',
    '{"propagationPolicy":"Foo"}',
    '{"propagationPolicy":"Orphan","orphanDependents":true}',
    '{"gracePeriodSeconds":"x"}',
    '{"gracePeriodSeconds":-1}',
    '{"gracePeriodSeconds":1.5}',
    '{"dryRun":["Foo"]}',
    '{"dryRun":"All"}',
    '{"orphanDependents":"x"}',
    '{"propagationPolicy":5}',
    '{"preconditions":{"uid":5}}',
    '{"preconditions":5}',
    '{"preconditions":{"uid":"x"},"dryRun":["All"]}',
    '{"preconditions":{"resourceVersion":5}}',
    '{"foo":1}',
    '[]',
    '"a"',
    'null',
    '{"kind":"ConfigMap","apiVersion":"v1"}',
  ].map((body) => ({ method: 'DELETE', path: `${C}/zzz`, headers: JSON_TYPE, body })),
  { method: 'DELETE', path: `${C}/zzz`, headers: YAML_TYPE, body: 'gracePeriodSeconds: 0\npropagationPolicy: x\n' },
  ...[
    'gracePeriodSeconds=x',
    'gracePeriodSeconds=',
    'gracePeriodSeconds=-5',
    'gracePeriodSeconds=99999999999999999999',
    'propagationPolicy=x',
    'propagationPolicy=',
    'orphanDependents=maybe',
    'orphanDependents=1&propagationPolicy=Orphan',
    'dryRun=x',
    'dryRun=',
    'dryRun=All&dryRun=x',
    'uid=abc',
  ].map((query) => ({ method: 'DELETE', path: `${C}/zzz?${query}` })),
  { method: 'DELETE', path: `${C}/a?dryRun=All` },
  { method: 'DELETE', path: `${S}/s?dryRun=All` },
  { method: 'DELETE', path: `${S}/s?dryRun=All&uid=wrong` },
  { method: 'DELETE', path: `${S}?dryRun=All&labelSelector=none` },
];

const options: readonly ComparedRequest[] = [
  ...[
    'dryRun=',
    'dryRun=all',
    `fieldManager=${'x'.repeat(129)}`,
    'fieldManager=a%00b',
    'fieldManager=a%0ab',
    'fieldManager=%C2%A0',
    'fieldValidation=strict',
    'force=true',
    'dryRun=x&fieldValidation=y',
    'timeout=x',
    'timeout=1',
    'timeout=5s',
    'timeout=-1s',
    'timeout=1x',
    'timeout=.s',
    'foo=%zz',
    'a;b=1',
    'dryRun=All;x=1',
  ].map((query) => ({ method: 'POST', path: `${C}?${query}`, headers: JSON_TYPE, body: configMap('a') })),
  {
    method: 'PATCH',
    path: `${C}/a?force=true&dryRun=y&fieldManager=%07`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{}',
  },
  ...['', 'force=true'].map((query) => ({
    method: 'PATCH',
    path: `${C}/a?${query}`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: configMap('a'),
  })),
];

const lists: readonly ComparedRequest[] = [
  'limit=x',
  'limit=',
  'limit=1.5',
  'limit=99999999999999999999',
  'labelSelector=a+in',
  'labelSelector=a!!b',
  'fieldSelector=x',
  'fieldSelector=spec.foo%3Dx',
  'resourceVersion=x',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=foo&resourceVersion=1',
  'resourceVersionMatch=Exact&resourceVersion=0',
  'sendInitialEvents=true',
  'sendInitialEvents=false',
  'continue=x',
  'continue=x&resourceVersionMatch=Exact&resourceVersion=5',
  'watch=0&labelSelector=none',
  'watch=FALSE&labelSelector=none',
  'watch=maybe&timeoutSeconds=1&fieldSelector=metadata.name%3Da',
  'watch=&timeoutSeconds=1&fieldSelector=metadata.name%3Da',
  'watch=1&timeoutSeconds=x',
  'watch=1&limit=x',
  'watch=1&resourceVersionMatch=Exact',
  'watch=1&sendInitialEvents=1',
  'watch=1&resourceVersion=x',
  'watch=1&continue=x',
  'watch=1&labelSelector=a%3D%3D%3D',
  'watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da&pretty=1',
].map((query) => get(`${C}?${query}`));

// When the bookmark comes depends on the machine: the server's clock is only against one that does not come.
const INITIAL = 'watch=1&timeoutSeconds=60&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
const BOOKMARK = { until: '"k8s.io/initial-events-end"' };
const watches: readonly ComparedRequest[] = [
  'application/json',
  'application/json;stream=watch',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/yaml',
  'application/foo',
].flatMap((accept) => [
  { ...get(`${C}?${INITIAL}&fieldSelector=metadata.name%3Da`, { accept }), ...BOOKMARK },
  { ...get(`${S}?${INITIAL}`, { accept }), ...BOOKMARK, byValue: 'the metadata of a bookmark is not sorted' },
]);

const senders: readonly ComparedRequest[] = [
  { method: 'GET', path: C, token: 'wrong' },
  { method: 'GET', path: C, token: null },
  { method: 'GET', path: '/foo', token: null },
  { method: 'GET', path: '/foo', headers: { 'impersonate-user': 'bob' } },
  { method: 'GET', path: C, headers: { 'impersonate-user': 'bob<' } },
  { method: 'DELETE', path: `${S}/s/status`, headers: { 'impersonate-user': 'bob' } },
  { method: 'GET', path: C, headers: { 'impersonate-group': 'g' } },
  { method: 'GET', path: `${C}/zzz`, headers: { 'audit-id': 'mine' } },
];

export const requests: Readonly<Record<string, readonly ComparedRequest[]>> = {
  paths,
  methods,
  forms,
  bodies,
  contentTypes,
  deletions,
  options,
  lists,
  watches,
  senders,
};
