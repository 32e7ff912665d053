import { gzipSync } from 'node:zlib';
import type { Script } from '../script.js';

const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
const PODS = '/api/v1/namespaces/{ns}/pods';
const BINDINGS = '/api/v1/namespaces/{ns}/bindings';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'busybox' }], ...spec },
});
const configMap = (name: string, data: object = {}, labels: object = {}): object => ({ metadata: { name, labels }, data });
const continueOf = (answer: object): string => encodeURIComponent((answer as { metadata: { continue?: string } }).metadata.continue ?? '');
const revisionOf = (answer: object): string => (answer as { metadata: { resourceVersion: string } }).metadata.resourceVersion;

/** What stands beside the plain verbs: subresources of pods and workloads, forms of answers and bodies, pages and watches while things change. */
export const subresourceScripts: readonly Script[] = [
  {
    name: 'binding and eviction',
    steps: [
      { method: 'POST', path: PODS, body: pod('a') },
      { method: 'POST', path: `${PODS}/a/binding`, body: { metadata: { name: 'a' }, target: { kind: 'Node', name: 'node-1' } } },
      { method: 'GET', path: `${PODS}/a` },
      { method: 'POST', path: `${PODS}/a/binding`, body: { metadata: { name: 'a' }, target: { kind: 'Node', name: 'node-2' } } },
      { method: 'POST', path: `${PODS}/a/binding`, body: { metadata: { name: 'b' }, target: { kind: 'Node', name: 'node-2' } } },
      { method: 'POST', path: `${PODS}/missing/binding`, body: { metadata: { name: 'missing' }, target: { kind: 'Node', name: 'n' } } },
      { method: 'POST', path: `${PODS}/a/binding`, body: { metadata: { name: 'a' }, target: { kind: 'Moon', name: '' } } },
      { method: 'POST', path: `${PODS}/missing/eviction`, body: { metadata: { name: 'missing' } } },
      {
        method: 'POST',
        path: `${PODS}/a/eviction?dryRun=All`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } },
      },
      { method: 'POST', path: `${PODS}/a/eviction`, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'b' } } },
      {
        method: 'POST',
        path: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets',
        body: { metadata: { name: 'all' }, spec: { minAvailable: 1, selector: {} } },
      },
      {
        method: 'PATCH',
        path: `${PODS}/a/status`,
        body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      },
      { method: 'POST', path: `${PODS}/a/eviction`, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } } },
      { method: 'DELETE', path: '/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets/all' },
      {
        method: 'POST',
        path: `${PODS}/a/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' }, deleteOptions: { gracePeriodSeconds: 3 } },
      },
      { method: 'GET', path: `${PODS}/a` },
      { method: 'DELETE', path: `${PODS}/a`, body: { gracePeriodSeconds: 0 } },
      { method: 'PATCH', path: `${PODS}/missing/ephemeralcontainers`, body: {} },
    ],
  },
  {
    name: 'bindings, as they were once made',
    steps: [
      { method: 'POST', path: PODS, body: pod('a') },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'missing' }, target: { name: 'node-1' } } },
      { method: 'POST', path: BINDINGS, body: { target: { name: 'node-1' } } },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a' }, target: { kind: 'Moon', name: '' } } },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a', namespace: 'elsewhere' }, target: { name: 'node-1' } } },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a', uid: 'another' }, target: { name: 'node-1' } } },
      { method: 'POST', path: `${BINDINGS}?dryRun=All`, body: { metadata: { name: 'a' }, target: { name: 'node-1' } } },
      { method: 'GET', path: `${PODS}/a` },
      {
        method: 'POST',
        path: BINDINGS,
        body: { metadata: { name: 'a', labels: { zone: 'x' }, annotations: { why: 'y' } }, target: { kind: 'Node', name: 'node-1' } },
      },
      { method: 'GET', path: `${PODS}/a` },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a' }, target: { name: 'node-2' } } },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a' }, target: { name: 'node-2' } }, user: 'nobody' },
      { method: 'POST', path: BINDINGS, body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } } },
      { method: 'GET', path: BINDINGS },
      { method: 'GET', path: `${BINDINGS}/a` },
    ],
  },
  {
    name: 'what needs a kubelet, as far as the server decides',
    steps: [
      { method: 'POST', path: PODS, body: pod('a') },
      { method: 'POST', path: PODS, body: pod('two', { containers: ['x', 'y'].map((name) => ({ name, image: 'busybox' })) }) },
      ...['GET', 'POST'].flatMap((method) =>
        [
          'missing/exec',
          'a/exec?container=none',
          'a/exec',
          'two/exec',
          'missing/attach',
          'a/attach',
          'missing/portforward',
          'a/portforward',
        ].map((path) => ({ method, path: `${PODS}/${path}` })),
      ),
      ...['missing/log', 'a/log?container=none', 'two/log', 'a/log', 'missing/proxy', 'missing/proxy/a/b', 'a/proxy', 'x:a:80/proxy/a'].map(
        (path) => ({
          method: 'GET',
          path: `${PODS}/${path}`,
        }),
      ),
      ...['PUT', 'PATCH', 'DELETE', 'POST'].map((method) => ({ method, path: `${PODS}/missing/proxy/a` })),
      { method: 'PUT', path: `${PODS}/a/exec` },
      { method: 'GET', path: '/api/v1/namespaces/{ns}/services/missing/proxy' },
      { method: 'GET', path: '/api/v1/namespaces/{ns}/services/x:missing:80/proxy/a' },
      { method: 'GET', path: '/api/v1/nodes/missing/proxy/metrics' },
      { method: 'GET', path: '/api/v1/nodes/missing/nothing/metrics' },
      { method: 'POST', path: BINDINGS, body: { metadata: { name: 'a' }, target: { name: 'missing-node' } } },
      ...['a/log', 'a/exec', 'a/portforward'].map((path) => ({ method: 'GET', path: `${PODS}/${path}` })),
    ],
  },
  {
    name: 'scales and statuses',
    steps: [
      {
        method: 'POST',
        path: DEPLOYMENTS,
        body: {
          metadata: { name: 'web' },
          spec: {
            selector: { matchLabels: { app: 'x' } },
            template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'x' }] } },
          },
        },
      },
      { method: 'GET', path: `${DEPLOYMENTS}/web/scale` },
      { method: 'GET', path: `${DEPLOYMENTS}/web/scale`, accept: TABLE },
      { method: 'PATCH', path: `${DEPLOYMENTS}/web/scale`, body: { spec: { replicas: 'many' } } },
      { method: 'PATCH', path: `${DEPLOYMENTS}/web/scale?dryRun=All`, body: { spec: { replicas: 7 } } },
      {
        method: 'PATCH',
        path: `${DEPLOYMENTS}/web/scale?fieldManager=applier&force=true`,
        contentType: 'application/apply-patch+yaml',
        body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 4 } },
      },
      { method: 'GET', path: `${DEPLOYMENTS}/web` },
      { method: 'PUT', path: `${DEPLOYMENTS}/web/scale`, body: { metadata: { name: 'other' }, spec: { replicas: 1 } } },
      { method: 'POST', path: `${DEPLOYMENTS}/web/scale`, body: {} },
      { method: 'DELETE', path: `${DEPLOYMENTS}/web/status` },
      { method: 'GET', path: `${DEPLOYMENTS}/missing/scale` },
      ({ body }) => ({
        method: 'PUT',
        path: `${DEPLOYMENTS}/web/status`,
        body: { ...body(6), status: { replicas: 4, observedGeneration: 2 } },
      }),
      ({ body }) => ({ method: 'PUT', path: `${DEPLOYMENTS}/web/status`, body: { ...body(6), status: { replicas: -4 } } }),
      { method: 'GET', path: `${DEPLOYMENTS}/web`, accept: TABLE },
    ],
  },
  {
    name: 'pages',
    steps: [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => ({
        method: 'POST',
        path: CONFIG_MAPS,
        body: configMap(name, {}, { page: name < 'd' ? 'x' : 'y' }),
      })),
      { method: 'GET', path: `${CONFIG_MAPS}?limit=2` },
      { method: 'DELETE', path: `${CONFIG_MAPS}/c` },
      { method: 'POST', path: CONFIG_MAPS, body: configMap('cc') },
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?limit=2&continue=${continueOf(body(5))}` }),
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?continue=${continueOf(body(8))}` }),
      { method: 'GET', path: `${CONFIG_MAPS}?limit=1&labelSelector=page%3Dy` },
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?limit=1&labelSelector=page%3Dy&continue=${continueOf(body(10))}` }),
      { method: 'GET', path: `${CONFIG_MAPS}?limit=2`, accept: TABLE },
      { method: 'GET', path: `${CONFIG_MAPS}?limit=2`, accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' },
      { method: 'GET', path: `${CONFIG_MAPS}?limit=500` },
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=${revisionOf(body(5))}` }),
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?resourceVersionMatch=NotOlderThan&resourceVersion=${revisionOf(body(5))}` }),
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?limit=2&resourceVersion=${revisionOf(body(5))}` }),
    ],
  },
  {
    name: 'watches while things change',
    steps: [
      { method: 'GET', path: CONFIG_MAPS },
      { method: 'POST', path: CONFIG_MAPS, body: configMap('a', { x: '1' }, { side: 'left' }) },
      { method: 'PATCH', path: `${CONFIG_MAPS}/a`, body: { metadata: { labels: { side: 'right' } } } },
      { method: 'PATCH', path: `${CONFIG_MAPS}/a`, body: { metadata: { labels: { side: 'left' } } } },
      { method: 'PATCH', path: `${CONFIG_MAPS}/a`, body: { data: { x: '2' } } },
      { method: 'DELETE', path: `${CONFIG_MAPS}/a` },
      // Then the cache of the API server has all of it: a watch that ends after a second is not too short for what has yet to come.
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?watch=1&resourceVersion=${revisionOf(body(0))}`, frames: 5 }),
      ...(['side%3Dleft', 'side%3Dright', 'side!%3Dleft', 'side', '!side'] as const).map(
        (selector) =>
          ({ body }: { body(step: number): object }) => ({
            method: 'GET',
            path: `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&labelSelector=${selector}&resourceVersion=${revisionOf(body(0))}`,
          }),
      ),
      ({ body }) => ({
        method: 'GET',
        path: `${CONFIG_MAPS}?watch=1&resourceVersion=${revisionOf(body(0))}`,
        accept: `${TABLE}`,
        frames: 2,
      }),
      ({ body }) => ({ method: 'GET', path: `${CONFIG_MAPS}?watch=1&resourceVersion=${revisionOf(body(0))}`, accept: PARTIAL, frames: 2 }),
      ({ body }) => ({
        method: 'GET',
        path: `${CONFIG_MAPS}?watch=1&timeoutSeconds=1&resourceVersion=${revisionOf(body(0))}`,
        accept: 'application/yaml',
      }),
      { method: 'POST', path: CONFIG_MAPS, body: configMap('b', {}, { side: 'left' }) },
      {
        method: 'GET',
        path: `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=side%3Dleft`,
        frames: 2,
      },
      {
        method: 'GET',
        path: `${CONFIG_MAPS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
      },
      { method: 'GET', path: `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact` },
      { method: 'GET', path: `/api/v1/watch/namespaces/{ns}/configmaps/b?timeoutSeconds=1` },
    ],
  },
  {
    name: 'forms of answers and bodies',
    steps: [
      { method: 'POST', path: CONFIG_MAPS, body: configMap('big', { text: 'x'.repeat(200_000) }) },
      { method: 'GET', path: `${CONFIG_MAPS}/big`, headers: { 'accept-encoding': 'identity' } },
      { method: 'POST', path: CONFIG_MAPS, body: configMap('huge', { text: 'x'.repeat(1_100_000) }) },
      { method: 'POST', path: CONFIG_MAPS, body: configMap('enormous', { text: 'x'.repeat(3_200_000) }) },
      { method: 'POST', path: CONFIG_MAPS, body: gzipSync(JSON.stringify(configMap('zipped'))), headers: { 'content-encoding': 'gzip' } },
      { method: 'GET', path: `${CONFIG_MAPS}/big`, accept: TABLE },
      { method: 'GET', path: `${CONFIG_MAPS}/big?includeObject=None`, accept: TABLE },
      { method: 'GET', path: `${CONFIG_MAPS}?includeObject=Some`, accept: TABLE },
      { method: 'GET', path: `${CONFIG_MAPS}/big`, accept: PARTIAL },
      { method: 'GET', path: CONFIG_MAPS, accept: `${TABLE},application/json` },
      { method: 'GET', path: CONFIG_MAPS, accept: 'application/json;as=Chair;g=meta.k8s.io;v=v1' },
      { method: 'GET', path: `${CONFIG_MAPS}/zipped`, accept: '*/*' },
      { method: 'GET', path: `${CONFIG_MAPS}/zipped`, accept: 'text/html,application/yaml;q=0.5' },
      { method: 'POST', path: `${CONFIG_MAPS}?pretty=true`, body: configMap('pretty') },
      { method: 'DELETE', path: `${CONFIG_MAPS}/pretty`, accept: TABLE },
      {
        method: 'POST',
        path: `${CONFIG_MAPS}?fieldValidation=Strict`,
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nnonsense: 1\ndata: {a: b, a: c}\n',
        contentType: 'application/yaml',
      },
      {
        method: 'POST',
        path: `${CONFIG_MAPS}?fieldValidation=Warn`,
        body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nnonsense: 1\n',
        contentType: 'application/yaml',
      },
      { method: 'POST', path: CONFIG_MAPS, body: 'a: [', contentType: 'application/yaml' },
      { method: 'POST', path: CONFIG_MAPS, body: Buffer.from('k8s\0nonsense'), contentType: 'application/vnd.kubernetes.protobuf' },
      { method: 'POST', path: CONFIG_MAPS, body: configMap('x'), contentType: 'application/json; charset=utf-8' },
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/x?fieldValidation=Strict`,
        contentType: 'application/strategic-merge-patch+json',
        body: { nonsense: 1, data: { a: 'b' } },
      },
      {
        method: 'POST',
        path: `${PODS}?fieldValidation=Strict`,
        body: pod('strict', { nonsense: 1, dnsPolicy: 'Default', volumes: [{ nam: 'x' }] }),
      },
      { method: 'POST', path: PODS, body: pod('warned', { nonsense: 1 }) },
      { method: 'DELETE', path: CONFIG_MAPS, body: { propagationPolicy: 'Background', dryRun: ['All'] } },
    ],
  },
];
