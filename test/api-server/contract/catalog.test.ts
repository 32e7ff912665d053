import { type Resource, ResourceCatalog } from '../../../src/api-server/contract/index.js';
import { customResource } from '../documents/discovery/custom-resource.js';

const ships = (versions: readonly string[] = ['v1']): Resource =>
  customResource({ group: 'example.com', kind: 'Ship', versions: [...versions] });
const boats = customResource({ group: 'example.com', kind: 'Boat', versions: ['v1', 'v2'] });

test('a resource is found by its plural, its version and its kind', () => {
  const catalog = new ResourceCatalog();
  const resource = ships(['v1', 'v2']);
  catalog.put(resource);
  expect(catalog.find('example.com', resource.plural)).toBe(resource);
  expect(catalog.served('example.com', 'v2', resource.plural)).toEqual({ resource, version: resource.versions[1] });
  expect(catalog.ofKind('example.com', 'v2', 'Ship')).toEqual({ resource, version: resource.versions[1] });
  expect([catalog.served('example.com', 'v3', resource.plural), catalog.ofKind('', 'v1', 'Ship')]).toEqual([undefined, undefined]);
});

test('a resource that is put again keeps its place among the others', () => {
  const catalog = new ResourceCatalog();
  const changed = ships(['v1', 'v2']);
  for (const resource of [ships(), boats, changed]) catalog.put(resource);
  expect(catalog.resources).toEqual([changed, boats]);
});

test('listeners and the revision follow each change, and nothing else', () => {
  const catalog = new ResourceCatalog();
  const seen: number[] = [];
  const before = catalog.revision;
  const stop = catalog.onChange(() => seen.push(catalog.revision));
  catalog.put(boats);
  catalog.remove('example.com', 'nothing');
  catalog.remove('example.com', boats.plural);
  stop();
  catalog.put(boats);
  expect(seen).toEqual([before + 1, before + 2]);
  expect(catalog.revision).toBe(before + 3);
});
