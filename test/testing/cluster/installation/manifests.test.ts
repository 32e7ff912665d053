import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigMap } from 'keelson/kinds/core/v1';
import { isApiError } from '../../../../src/runtime/client/index.js';
import { type InProcessCluster, TestCluster, type TestClusterOptions } from '../../../../src/testing/cluster/index.js';

let directory: string;
const clusters: InProcessCluster[] = [];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'keelson-manifests-'));
});
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

type Manifests = NonNullable<TestClusterOptions['manifests']>;

async function start(...manifests: Manifests): Promise<InProcessCluster> {
  const cluster = await TestCluster.start({ protocol: 'http', manifests });
  clusters.push(cluster);
  return cluster;
}

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

async function failure(...manifests: Manifests): Promise<Error> {
  const error: unknown = await start(...manifests).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) throw new Error('it was installed');
  return error as Error;
}

async function names(cluster: InProcessCluster, namespace = 'default'): Promise<readonly string[]> {
  const maps = await cluster.list(ConfigMap, { namespace });
  return maps.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}

const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;

const WIDGETS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const WIDGET = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w }\n';

test('objects, texts, files, folders and lists are created, wherever definitions and namespaces stand', async () => {
  mkdirSync(join(directory, 'folder'));
  file('folder/b.yaml', map('from-folder'));
  file('folder/notes.txt', 'no manifest');
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    metadata: {},
    items: [ConfigMap({ metadata: { name: 'from-list', namespace: 'other' } })],
  };
  const cluster = await start(
    WIDGET,
    `# only a comment\n---\n${map('first')}---\n---\n${map('second')}...\n`,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"json"}}',
    file('one.yaml', map('from-file')),
    join(directory, 'folder'),
    list,
    WIDGETS,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
  );
  expect(await names(cluster)).toEqual(['first', 'from-file', 'from-folder', 'json', 'second']);
  expect(await names(cluster, 'other')).toEqual(['from-list']);
});

test('YAML is read as kubectl reads it', async () => {
  const cluster = await start(`${map('a')}data: { x: "yes", y: "1" }\nimmutable: yes\n`);
  expect(await cluster.get(ConfigMap, 'a')).toMatchObject({ data: { x: 'yes', true: '1' }, immutable: true });
});

test.each<[string, Manifests, string | RegExp]>([
  ['no kind', [map('a'), 'apiVersion: v1\nmetadata: { name: b }\n'], 'manifests[1]: is not a Kubernetes object: it has no kind'],
  ['nothing of an object', ['a: 1\n'], 'manifests[0]: is not a Kubernetes object: it has no apiVersion and no kind and no metadata'],
  ['a text', ['|\n  hello\n'], 'manifests[0]: is not a Kubernetes object'],
  [
    'an object that is none',
    [{ apiVersion: 'v1', kind: 'ConfigMap' } as never],
    'manifests[0]: is not a Kubernetes object: it has no metadata',
  ],
  [
    'an item of a list that is none',
    [{ apiVersion: 'v1', kind: 'List', metadata: {}, items: [{ kind: 'Pod' }] } as never],
    'manifests[0], items[0]: is not a Kubernetes object: it has no apiVersion and no metadata',
  ],
  [
    'a mistake in a document',
    [`${map('a')}---\na: b: c\n`],
    /^manifests\[0\], document 2 \(line 4\): is not valid YAML: .*yaml: line 2: mapping values are not allowed/,
  ],
  ['a key that is there twice', [`${map('a')}kind: Secret\n`], /^manifests\[0\]: yaml: .*line 4: key "kind" already set in map/s],
  ['a template', ['apiVersion: v1\nkind: {{ .Values.kind }}\n'], 'it looks like a Helm template'],
  ['a file that is not there', ['absent.yaml'], 'manifests: absent.yaml: there is no such file or folder'],
  [
    'an unknown kind',
    ['apiVersion: v1\nkind: ConfigMop\nmetadata: { name: a }\n'],
    /^manifests\[0\]: ConfigMop a cannot be created: .*does not serve ConfigMop in v1/,
  ],
  [
    'an unknown group',
    [WIDGET],
    /^manifests\[0\]: Widget w cannot be created: .*the server does not serve example\.com\/v1; is it spelled right/,
  ],
  [
    'an unknown namespace',
    [`${map('a').replace('name: a', 'name: a, namespace: nowhere')}`],
    'ConfigMap nowhere/a cannot be created: POST /api/v1/namespaces/nowhere/configmaps: 404 NotFound: namespaces "nowhere" not found',
  ],
  [
    'a name twice',
    [map('a'), map('a')],
    'manifests[1]: ConfigMap a cannot be created: POST /api/v1/namespaces/default/configmaps: 409 AlreadyExists: configmaps "a" already exists',
  ],
  [
    'a definition that is wrong',
    [WIDGETS.replace('widgets.example.com', 'widget.example.com')],
    /^manifests\[0\]: CustomResourceDefinition widget\.example\.com cannot be created: .*must be spec\.names\.plural/,
  ],
])('%s is told with its place', async (_name, manifests, message) => {
  const error = await failure(...manifests);
  expect(error).toMatchObject({ code: 'KEELSON_TESTING_CLUSTER' });
  expect(error.message).toEqual(typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message));
});

test('a file is named, with its document', async () => {
  const path = file('wrong.yaml', `${map('a')}---\nkind: Pod\n`);
  expect((await failure(path)).message).toBe(
    `${path}, document 2 (line 4): is not a Kubernetes object: it has no apiVersion and no metadata`,
  );
});

test('what the server said is the cause', async () => {
  const { cause } = await failure(`${map('A')}`);
  expect(isApiError(cause) && cause.status.details?.causes?.[0]?.field).toBe('metadata.name');
});

test('a folder without manifests is told', async () => {
  mkdirSync(join(directory, 'empty'));
  expect((await failure(join(directory, 'empty'))).message).toContain('the folder holds no .yaml, .yml or .json');
});

test('an unknown server is told', async () => {
  await expect(TestCluster.start({ server: 'kind' as 'existing' })).rejects.toThrow(
    'server: "kind" is not known: choose in-process, kube-apiserver or existing',
  );
});

test('who asks for the operator where none is installed is told', async () => {
  const cluster = await start();
  expect(() => cluster.operator).toThrow('no operator is installed: give it to TestCluster.start({ operator })');
});
