import { customResourceDefinitionManifest } from '../../../src/keelson/definition/index.js';
import { applyAll, readBack, refusalOf } from '../checks/index.js';
import { describeCluster, type TestObject } from '../harness/index.js';
import { featureObject } from './feature-resource.js';
import { featureDefinitions, type ZodCases, zodGroups } from './zod-cases/index.js';

const manifests = featureDefinitions().map((definition) => customResourceDefinitionManifest(definition) as TestObject);

/** What an author writes in zod is what the API server holds: definitions become established, and both judge values alike. */
describeCluster('schemas written with zod, on the real API server', (cluster) => {
  let namespace = '';
  beforeAll(async () => {
    namespace = await cluster.namespace('zod');
    await applyAll(cluster, manifests);
  });
  afterAll(async () => {
    for (const manifest of manifests) await cluster.must('DELETE', await cluster.paths.pathOf(manifest));
  });

  describe.each(Object.entries(zodGroups))('%s', (kind, cases) => {
    const objectOf = (name: string, value: Parameters<typeof featureObject>[2][1]) => featureObject(kind, namespace, [name, value]);

    test.each(flat(cases, 'invalid'))('refuses $name: $value', async ({ name, value, refusals, passesZod = false }) => {
      const causes = await refusalOf(cluster, objectOf(name, value));
      expect(causes.map(({ field, message }) => `${field}: ${message}`).sort()).toEqual([...refusals].sort());
      expect(cases[name]?.schema.safeParse(value).success).toBe(passesZod);
    });

    test.each(flat(cases, 'valid'))('stores $name: $value', async ({ name, value, stored = value }) => {
      expect(await readBack(cluster, objectOf(name, value))).toEqual(objectOf(name, stored));
      expect(cases[name]?.schema.safeParse(value)).toMatchObject({ success: true, data: stored });
    });

    const updates = flat(cases, 'updates');
    if (updates.length === 0) return;
    test.each(updates)('judges the change of $name from $old to $value', async ({ name, old, value, refusals }) => {
      const collection = await cluster.paths.collectionOf(objectOf(name, old));
      const { metadata } = await cluster.must('POST', collection, objectOf(name, old));
      const path = `${collection}/${metadata.name}`;
      const { body } = await cluster.request<{ details?: { causes?: { field: string; message: string }[] } }>(
        'PUT',
        path,
        { ...objectOf(name, value), metadata },
        { query: { dryRun: 'All' } },
      );
      await cluster.must('DELETE', path);
      expect((body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)).toEqual(refusals);
    });
  });
});

type Entries<TList extends 'valid' | 'invalid' | 'updates'> = NonNullable<ZodCases[string][TList]>[number];

function flat<TList extends 'valid' | 'invalid' | 'updates'>(cases: ZodCases, list: TList): ({ readonly name: string } & Entries<TList>)[] {
  return Object.entries(cases).flatMap(([name, entry]) =>
    ((entry[list] ?? []) as readonly Entries<TList>[]).map((item) => ({ name, ...item })),
  );
}
