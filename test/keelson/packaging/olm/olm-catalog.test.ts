import { defineCustomResource, defineOperator } from 'keelson';
import { catalogProblems, defineOperatorPackage, olmBundle, olmCatalog, PackageError, type UpgradeEdges } from 'keelson/packaging';
import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';

const Website = defineCustomResource({
  group: 'example.com',
  kind: 'Website',
  versions: { v1: { spec: z.object({ title: z.string() }) } },
});
const operator = defineOperator({ name: 'websites', customResources: [Website.customResource] });
const IMAGE = 'registry.example.com/websites-bundle';

/** The catalog with one more version. */
function add(version: string, previous?: string, more: UpgradeEdges & { readonly channels?: readonly [string, ...string[]] } = {}): string {
  const source = defineOperatorPackage({ operator, image: `registry.example.com/websites:${version}`, version });
  const bundle = olmBundle(source, {
    displayName: 'Websites',
    provider: { name: 'Example Inc.' },
    minKubeVersion: '1.30.0',
    categories: ['Networking'],
    ...more,
  });
  return olmCatalog(bundle.files(), { image: `${IMAGE}:${version}`, previous });
}

// biome-ignore lint/suspicious/noExplicitAny: documents of several shapes.
type Loose = any;
const documents = (text: string): Loose[] => parseAllDocuments(text).map((document) => document.toJS());
const entries = (text: string, channel = 'stable'): Loose[] =>
  documents(text).find(({ schema, name }) => schema === 'olm.channel' && name === channel).entries;
const broken = (text: string, change: (all: Loose[]) => void): string => {
  const all = documents(text);
  change(all);
  return all.map((document) => stringify(document)).join('---\n');
};

test('a first bundle brings its package, its channels and itself', () => {
  expect(documents(add('1.0.0', undefined, { channels: ['stable', 'candidate'] })).map(({ schema, name }) => `${schema} ${name}`)).toEqual([
    'olm.package websites',
    'olm.channel stable',
    'olm.channel candidate',
    'olm.bundle websites.v1.0.0',
  ]);
});

test('the next one has its edges, and leaves the other as it was', () => {
  const first = add('1.0.0');
  const second = add('1.1.0', first, { replaces: 'websites.v1.0.0', skipRange: '<1.1.0' });
  expect(entries(second)).toEqual([
    { name: 'websites.v1.0.0' },
    { name: 'websites.v1.1.0', replaces: 'websites.v1.0.0', skipRange: '<1.1.0' },
  ]);
  expect(documents(second)).toEqual(expect.arrayContaining(documents(first).filter(({ schema }) => schema === 'olm.bundle')));
});

test('entries stand in the order of versions, the same bundle is replaced, and twice is the same bytes', () => {
  const ten = add('1.10.0', add('1.9.0'), { replaces: 'websites.v1.9.0' });
  expect(entries(ten).map(({ name }: Loose) => name)).toEqual(['websites.v1.9.0', 'websites.v1.10.0']);
  expect(add('1.10.0', ten, { replaces: 'websites.v1.9.0' })).toBe(ten);
});

test('a pre-release comes before its release', () => {
  const release = add('1.0.0', add('1.0.0-rc.2'), { replaces: 'websites.v1.0.0-rc.2' });
  expect(entries(release).map(({ name }: Loose) => name)).toEqual(['websites.v1.0.0-rc.2', 'websites.v1.0.0']);
});

test('bundles of other packages stay', () => {
  const other = stringify({ schema: 'olm.package', name: 'other', defaultChannel: 'stable' });
  const channel = stringify({ schema: 'olm.channel', package: 'other', name: 'stable', entries: [{ name: 'other.v1' }] });
  const bundle = stringify({
    schema: 'olm.bundle',
    package: 'other',
    name: 'other.v1',
    image: 'a',
    properties: [{ type: 'olm.package', value: { packageName: 'other', version: '1.0.0' } }],
  });
  const text = add('1.0.0', [other, channel, bundle].join('---\n'));
  expect(documents(text).filter((document) => document.package === 'other' || document.name === 'other')).toHaveLength(3);
  expect(catalogProblems(text)).toEqual([]);
});

test('a bundle that replaces none beside another is refused: the channel would have two newest', () => {
  expect(() => add('1.1.0', add('1.0.0'))).toThrow(PackageError);
  expect(() => add('1.1.0', add('1.0.0'))).toThrow(
    'catalog: channel stable of websites: websites.v1.0.0 and websites.v1.1.0 are replaced by none, and OLM takes one newest; let one of them replace or skip the others',
  );
});

const TWO = add('1.1.0', add('1.0.0'), { replaces: 'websites.v1.0.0' });
const channelOf = (all: Loose[]): Loose => all.find(({ schema }) => schema === 'olm.channel');

test.each<[string, (all: Loose[]) => void, RegExp]>([
  ['a default channel that is not there', (all) => (all[0].defaultChannel = 'fast'), /defaultChannel 'fast' is not a channel of it/],
  ['a channel of no package', (all) => all.shift(), /the catalog has no such package/],
  ['an entry twice', (all) => channelOf(all).entries.push({ name: 'websites.v1.0.0' }), /websites\.v1\.0\.0 is there twice/],
  ['an entry without bundle', (all) => (channelOf(all).entries[0].name = 'websites.v0.9.0'), /websites\.v0\.9\.0 has no bundle/],
  ['a range that is none', (all) => (channelOf(all).entries[0].skipRange = 'all'), /skipRange 'all' of websites\.v1\.0\.0 is not a range/],
  ['a circle', (all) => (channelOf(all).entries[0].replaces = 'websites.v1.1.0'), /replaces itself by way of others/],
  ['an empty channel', (all) => (channelOf(all).entries = []), /has no entries/],
  ['a bundle twice', (all) => all.push(all.at(-1)), /websites\.v1\.1\.0: is there twice/],
  ['a package twice', (all) => all.push(all[0]), /package websites: is there twice/],
  ['a channel twice', (all) => all.push(channelOf(all)), /channel stable of websites: is there twice/],
  ['a bundle without image', (all) => delete all.at(-1).image, /websites\.v1\.1\.0: has no image/],
  ['a bundle that does not say its version', (all) => all.at(-1).properties.shift(), /websites\.v1\.1\.0: has 0 properties olm\.package/],
  [
    'a version twice',
    (all) => (all.at(-1).properties[0].value.version = '1.0.0'),
    /websites\.v1\.1\.0: has the version 1\.0\.0, as websites\.v1\.0\.0 has/,
  ],
  ['a bundle in no channel', (all) => channelOf(all).entries.shift(), /websites\.v1\.0\.0: is in no channel/],
])('%s is found', (_name, change, message) => {
  expect(catalogProblems(broken(TWO, change)).join('\n')).toMatch(message);
});

test('skips take the place of replaces, and a bundle before the first may have left the catalog', () => {
  expect(catalogProblems(TWO)).toEqual([]);
  expect(
    catalogProblems(broken(TWO, (all) => (channelOf(all).entries[1] = { name: 'websites.v1.1.0', skips: ['websites.v1.0.0'] }))),
  ).toEqual([]);
  expect(catalogProblems(broken(TWO, (all) => (channelOf(all).entries[0].replaces = 'websites.v0.9.0')))).toEqual([]);
});

test('files that are not a bundle, and a catalog that is not YAML, are refused', () => {
  expect(() => olmCatalog([], { image: IMAGE })).toThrow('olmCatalog: the files are not a bundle');
  expect(() => catalogProblems('a: [1')).toThrow('catalog: is not YAML');
});
