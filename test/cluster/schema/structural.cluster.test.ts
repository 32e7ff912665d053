import { applyAll, expectRefused, readBack } from '../checks/index.js';
import { describeCluster } from '../harness/index.js';
import { type Cause, featureGroups } from './cases/index.js';
import { featureDefinition, featureObject } from './feature-resource.js';

const definitions = Object.entries(featureGroups).map(([kind, cases]) => featureDefinition(kind, cases));

/** The table of cases is true: the real API server gives these answers, to the letter. Other suites hold keelson's own answers against the same table. */
describeCluster('structural schemas on the real API server', (cluster) => {
  let namespace = '';
  beforeAll(async () => {
    namespace = await cluster.namespace('structural');
    // All at once: the API server keeps the first create back until a definition is two seconds old.
    await applyAll(cluster, definitions, { expectedWarnings: ['unrecognized format "no-such-format"'] });
  });
  afterAll(async () => {
    for (const definition of definitions) await cluster.must('DELETE', await cluster.paths.pathOf(definition));
  });

  describe.each(Object.entries(featureGroups))('%s', (kind, cases) => {
    const invalid = Object.entries(cases).flatMap(([name, { invalid: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    test.each(invalid)('refuses $name: $value', async ({ name, value, causes }) => {
      await expectRefused(cluster, featureObject(kind, namespace, [name, value]), causes.map(toExpected));
    });

    const valid = Object.entries(cases).flatMap(([name, { valid: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    test.each(valid)('stores $name: $value', async ({ name, value, stored = value }) => {
      expect(await readBack(cluster, featureObject(kind, namespace, [name, value]))).toEqual(
        featureObject(kind, namespace, [name, stored]),
      );
    });

    const updates = Object.entries(cases).flatMap(([name, { updates: entries = [] }]) => entries.map((entry) => ({ name, ...entry })));
    if (updates.length === 0) return;
    test.each(updates)('judges the change of $name from $old to $value', async ({ name, old, value, causes }) => {
      const collection = await cluster.paths.collectionOf(featureObject(kind, namespace, [name, old]));
      const { metadata } = await cluster.must('POST', collection, featureObject(kind, namespace, [name, old]));
      const changed = { ...featureObject(kind, namespace, [name, value]), metadata };
      const { body } = await cluster.request<{ details?: { causes?: object[] } }>('PUT', `${collection}/${metadata.name}`, changed, {
        query: { dryRun: 'All' },
      });
      await cluster.must('DELETE', `${collection}/${metadata.name}`);
      expect(body.details?.causes ?? []).toEqual(causes.map(toExpected));
    });
  });
});

function toExpected([reason, field, message]: Cause): { reason: string; field: string; message: string } {
  return { reason, field, message };
}
