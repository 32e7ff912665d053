import { readManifests } from '../../../src/cli/manifests/index.js';
import { TestFolder } from '../test-folder.js';

const folder = new TestFolder('manifests');
const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

beforeEach(() => {
  folder.put('a.yaml', object('a'));
  folder.put('deep/b.yml', object('b'));
  folder.put('deep/er/c.json', JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }));
  folder.put('deep/README.md', 'no manifest');
});

test.each([
  ['a.yaml', ['a.yaml']],
  ['deep', ['deep/b.yml', 'deep/er/c.json']],
  ['deep/', ['deep/b.yml', 'deep/er/c.json']],
  ['*.yaml', ['a.yaml']],
  ['**/*.y?ml', ['a.yaml']],
  ['**/*.yml', ['deep/b.yml']],
  ['deep/**/*.json', ['deep/er/c.json']],
  ['deep/*/c.*', ['deep/er/c.json']],
  ['./deep/*.yml', ['deep/b.yml']],
  ['deep/*.json', []],
])('%s leads to no other files than these', async (path, places) => {
  const { found } = await readManifests([path], { directory: folder.path, readInput: async () => '' });
  expect(found.map(({ place }) => place)).toEqual(places);
});

test('a path from the root stays one', async () => {
  const reading = (path: string) => readManifests([path], { directory: '/', readInput: async () => '' });
  expect((await reading(`${folder.path}/deep`)).found.map(({ place }) => place)).toEqual(
    ['b.yml', 'er/c.json'].map((file) => `${folder.path}/deep/${file}`),
  );
  expect((await reading(`${folder.path}/*.yaml`)).found.map(({ place }) => place)).toEqual([`${folder.path}/a.yaml`]);
});

test('a document of comments is passed over, and lines are those of the whole text', async () => {
  const text = `# head\n---\n${object('a')}---\n# none\n---\n${object('b')}`;
  const { found } = await readManifests(['-'], { directory: folder.path, readInput: async () => text });
  expect(found.map(({ place }) => place)).toEqual(['standard input, document 1 (line 2)', 'standard input, document 2 (line 8)']);
});

test('lines that end as on Windows part documents as others do', async () => {
  const text = `${object('a')}---\n${object('b')}`.replaceAll('\n', '\r\n');
  const { found, unread } = await readManifests(['-'], { directory: folder.path, readInput: async () => text });
  expect([found.map(({ object: { metadata } }) => metadata.name), unread]).toEqual([['a', 'b'], []]);
});
