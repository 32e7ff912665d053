import { App } from 'cdk8s';
import { defineCustomResource, defineOperator } from 'keelson';
import { ManifestObject } from 'keelson/constructs';
import { defineOperatorPackage, definePackage, definePackageSet } from 'keelson/packaging';
import { parse } from 'yaml';
import { z } from 'zod';
import { fileOf, filesOf } from '../chart-files.js';

const notes = definePackage({
  name: 'notes',
  version: '1.0.0',
  namespace: 'n',
  description: 'Words',
  values: z.object({ text: z.string().default('hello').describe('What it says.') }),
  build: (chart, { values, release }) => {
    new ManifestObject(chart, 'notes', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      scope: 'Namespaced',
      metadata: { name: `${release.name}-notes`, namespace: release.namespace },
      body: { data: { text: values.text } },
    });
  },
});
const other = definePackage({ name: 'other', version: '2.0.0', namespace: 'n', build: () => {} });
const set = definePackageSet({
  name: 'both',
  version: '3.0.0',
  namespace: 'all',
  packages: { notes, other },
  defaults: { notes: { text: 'hi' }, other: { enabled: false } },
});

test('a set is a chart whose packages are subcharts, each under a condition', () => {
  expect(parse(fileOf(set, 'Chart.yaml'))).toMatchObject({
    name: 'both',
    dependencies: [
      { name: 'notes', version: '1.0.0', alias: 'notes', condition: 'notes.enabled' },
      { name: 'other', version: '2.0.0', alias: 'other', condition: 'other.enabled' },
    ],
  });
  expect(parse(fileOf(set, 'values.yaml'))).toEqual({ notes: { enabled: true, text: 'hi' }, other: { enabled: false } });
  expect(fileOf(set, 'charts/notes/templates/notes.yaml')).toBe(fileOf(notes, 'templates/notes.yaml'));
  expect(filesOf(set).filter(({ path }) => path.startsWith('templates/'))).toEqual([
    { path: 'templates/NOTES.txt', text: expect.stringContaining('is installed in the namespace') },
  ]);
  expect(fileOf(set, 'README.md')).toContain('| `notes` | notes 1.0.0 | Words |');
  expect(JSON.parse(fileOf(set, 'values.schema.json')).properties.notes).toMatchObject({
    additionalProperties: false,
    properties: { enabled: { default: true }, text: { default: 'hi' } },
  });
});

test('its plain manifests are those of the enabled packages, in one namespace', () => {
  expect(set.manifests()).toMatchObject([{ metadata: { name: 'both-notes', namespace: 'all' }, data: { text: 'hi' } }]);
  expect(set.manifests({ notes: { text: 'bye' } })).toMatchObject([{ data: { text: 'bye' } }]);
  expect(set.manifests({ notes: { enabled: false } })).toEqual([]);
  const app = new App();
  set.addTo(app);
  expect(app.charts.flatMap((chart) => chart.toJson() as unknown[])).toEqual(set.manifests());
});

test('an operator of a set has a name of its own, unless it is overridden', () => {
  const Thing = defineCustomResource({ group: 'things.example.com', kind: 'Thing', versions: { v1: { spec: z.object({}) } } });
  const operator = defineOperator({ name: 'thing-operator', customResources: [Thing] });
  const things = defineOperatorPackage({ operator, image: 'registry.example.com/things:1', version: '1.0.0' });
  const one = definePackageSet({ name: 'all', version: '1.0.0', namespace: 'all', packages: { things } });
  const names = (objects: readonly object[]): unknown =>
    (objects as { kind: string; metadata: { name: string } }[]).find(({ kind }) => kind === 'Deployment')?.metadata.name;
  expect(names(one.manifests())).toBe('all-things');
  expect(names(one.manifests({ things: { fullnameOverride: 'mine' } }))).toBe('mine');
  expect(names(things.manifests())).toBe('thing-operator');
});

describe('mistakes are refused, with the place', () => {
  const options = { name: 'a', version: '1.0.0', namespace: 'b' };
  const flagged = definePackage({ ...options, values: z.object({ enabled: z.boolean().default(true) }), build: () => {} });
  test.each([
    ['none', {}, 'packages: is empty; name at least one package'],
    ['a name with a dash', { 'my-part': other }, 'packages.my-part: write the name in lower case letters and digits'],
    ['what is no package', { part: {} }, 'packages.part: is not a package; give what defineOperatorPackage or definePackage returns'],
    ['a set in a set', { part: set }, 'packages.part: is a set of packages itself; name its packages one by one'],
    ['a value enabled', { part: flagged }, 'packages.part: has a value enabled of its own'],
    [
      'two of one name',
      { one: other, two: definePackage({ ...options, name: 'other', build: () => {} }) },
      'packages.one: another package is called other too',
    ],
  ])('%s', (_name, packages, message) => {
    expect(() => definePackageSet({ ...options, packages: packages as never })).toThrow(message);
  });

  test('defaults and values that there are not', () => {
    expect(() => definePackageSet({ ...options, packages: { other }, defaults: { otter: {} } as never })).toThrow(
      'defaults.otter: there is no such value',
    );
    expect(() => definePackageSet({ ...options, packages: { notes }, defaults: { notes: { text: 7 } } as never })).toThrow(
      /^values\.notes\.text: .*\(by default\)$/,
    );
    expect(() => set.manifests({ otter: {} } as never)).toThrow('values.otter: there is no such part; there are notes, other');
    expect(() => set.manifests({ notes: { text: 7 } } as never)).toThrow(/^values\.notes\.text: /);
  });
});
