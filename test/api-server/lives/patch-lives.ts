import { type Life, life, objectRequests } from './life.js';

type Values = Readonly<Record<string, unknown>>;

const labels = { app: 'web' };
const web = { name: 'web', image: 'nginx:1' };
const deployment = (name: string): ReturnType<typeof objectRequests> =>
  objectRequests({ apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', name });
const service = (name: string): ReturnType<typeof objectRequests> =>
  objectRequests({ apiVersion: 'v1', kind: 'Service', plural: 'services', name });

const podPatch = (spec: Values): Values => ({ spec: { template: { spec } } });
const containers = (...list: readonly Values[]): Values => podPatch({ containers: list });

/** Strategic merge patches in turn, from a Deployment of this Pod. */
function patched(title: string, pod: Values, ...patches: readonly Values[]): Life {
  const requests = deployment(title.replaceAll(/[^a-z]+/g, '-'));
  return life(
    `strategic merge: ${title}`,
    requests.create({
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [web], ...pod } } },
    }),
    ...patches.map((patch) => requests.strategic(patch)),
    requests.delete(),
  );
}

const env = (name: string, value: string): Values => ({ name, value });
const volume = (name: string, source: Values): Values => ({ name, ...source });

/** Strategic merge patches: each directive, and lists that merge by a key, as values, or not at all. */
export const patchLives: readonly Life[] = [
  patched(
    'a list by its key',
    { containers: [web, { name: 'log', image: 'log:1' }] },
    containers({ name: 'log', image: 'log:2' }),
    containers({ name: 'new', image: 'n' }),
  ),
  patched(
    'an item deleted',
    { containers: [web, { name: 'log', image: 'log:1' }] },
    containers({ name: 'log', $patch: 'delete' }),
    containers({ name: 'none', $patch: 'delete' }),
  ),
  patched(
    'a list replaced',
    { containers: [web, { name: 'log', image: 'log:1' }] },
    containers({ name: 'only', image: 'o' }, { $patch: 'replace' }),
  ),
  patched(
    'an item replaced',
    { containers: [{ ...web, env: [env('a', '1')] }] },
    containers({ name: 'web', image: 'nginx:2', $patch: 'replace' }),
  ),
  patched('a map replaced', { nodeSelector: { a: '1', b: '2' } }, podPatch({ nodeSelector: { c: '3', $patch: 'replace' } })),
  patched('a map deleted', { nodeSelector: { a: '1' } }, podPatch({ nodeSelector: { $patch: 'delete' } })),
  patched('a map merged and a key taken away', { nodeSelector: { a: '1', b: '2' } }, podPatch({ nodeSelector: { a: null, c: '3' } })),
  patched(
    'the order of a list',
    { containers: [web, { name: 'log', image: 'l' }, { name: 'third', image: 't' }] },
    podPatch({ '$setElementOrder/containers': [{ name: 'third' }, { name: 'web' }, { name: 'log' }] }),
    podPatch({
      '$setElementOrder/containers': [{ name: 'new' }, { name: 'log' }, { name: 'web' }],
      containers: [{ name: 'new', image: 'n' }],
    }),
    podPatch({ '$setElementOrder/containers': [{ name: 'log' }], containers: [{ name: 'other', image: 'o' }] }),
  ),
  patched(
    'keys that are retained',
    {},
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    { spec: { strategy: { $retainKeys: ['type', 'rollingUpdate'], type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } } },
    { spec: { strategy: { $retainKeys: ['type'], type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } } },
  ),
  patched(
    'volumes, whose sources are retained',
    { volumes: [volume('a', { emptyDir: {} })] },
    podPatch({ volumes: [{ name: 'a', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] }),
    podPatch({ volumes: [volume('b', { emptyDir: {} })] }),
    podPatch({ volumes: [volume('b', { secret: { secretName: 's' } })] }),
  ),
  patched(
    'variables in a container',
    { containers: [{ ...web, env: [env('a', '1'), env('b', '2')] }] },
    containers({ name: 'web', env: [env('b', '3'), env('c', '4')] }),
    containers({ name: 'web', env: [{ name: 'a', $patch: 'delete' }] }),
    containers({ name: 'web', '$setElementOrder/env': [{ name: 'c' }, { name: 'b' }], env: [env('c', '5')] }),
    containers({ name: 'web', env: null }),
  ),
  patched(
    'ports, which merge by their number',
    { containers: [{ ...web, ports: [{ containerPort: 80 }] }] },
    containers({ name: 'web', ports: [{ containerPort: 80, name: 'http' }, { containerPort: 443 }] }),
    containers({ name: 'web', ports: [{ containerPort: 80, protocol: 'UDP' }] }),
  ),
  patched(
    'lists that do not merge',
    { containers: [{ ...web, args: ['a', 'b'] }], tolerations: [{ key: 'a', operator: 'Exists' }] },
    containers({ name: 'web', args: ['c'] }),
    podPatch({ tolerations: [{ key: 'b', operator: 'Exists' }] }),
  ),
  life(
    'strategic merge: values of a list',
    ...((requests) => [
      requests.create({ metadata: { finalizers: ['example.com/a', 'example.com/b'] }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
      requests.strategic({ metadata: { finalizers: ['example.com/c', 'example.com/a'] } }),
      requests.strategic({ metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/b'] } }),
      requests.strategic({ metadata: { '$setElementOrder/finalizers': ['example.com/c', 'example.com/a'] } }),
      requests.strategic({
        spec: {
          ports: [
            { port: 80, name: 'http' },
            { port: 443, name: 'https' },
          ],
        },
      }),
      requests.strategic({ metadata: { finalizers: null } }),
      requests.delete(),
    ])(service('values')),
  ),
  patched(
    'what is not a patch',
    {},
    { spec: { template: { spec: { containers: [{ image: 'no key' }] } } } },
    { spec: { template: { spec: { containers: [{ name: 'web', $patch: 'nothing' }] } } } },
    { spec: { template: { spec: { containers: 'text' } } } },
    { spec: { template: { spec: { '$deleteFromPrimitiveList/containers': ['web'] } } } },
    { spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } },
    { $patch: 'replace', spec: {} },
  ),
  ...((requests) => [
    life(
      'each format of a patch, and apply after it',
      requests.create({ spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [web] } } } }),
      requests.merge({ spec: { replicas: 2 }, metadata: { labels: { a: 'b' } } }),
      requests.merge({ spec: { template: { spec: { containers: [{ name: 'other', image: 'o' }] } } } }),
      requests.strategic(containers(web)),
      requests.json({ op: 'replace', path: '/spec/replicas', value: 3 }, { op: 'remove', path: '/metadata/labels/a' }),
      requests.json({ op: 'remove', path: '/metadata/labels/none' }),
      requests.apply('applier', { spec: { replicas: 3, template: { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } } } }),
      requests.apply(
        'applier',
        { spec: { replicas: 3, template: { spec: { containers: [{ name: 'web', image: 'nginx:2' }] } } } },
        { force: true },
      ),
      requests.get(),
      requests.delete(),
    ),
  ])(deployment('formats')),
];
