import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { builtinSchema, builtinTypeNames } from '../../../src/kubernetes/kinds/index.js';
import { closedDefinition, EXPECTED, FUTURE_FIELD, FUTURE_TEMPLATE, holder, openDefinition } from '../../keelson/schema/open-builtins.js';
import { applyAll } from '../checks/index.js';
import { describeCluster, type TestObject } from '../harness/index.js';

/** Far below what a request may hold (3 MB) and a store takes (1.5 MB). */
const BYTES_PER_DEFINITION = 300_000;

/** Every type that `k.builtin()` names can be embedded: its schema is structural, its list keys are required or defaulted, its defaults are valid. */
describeCluster('schemas of built-in types', (cluster) => {
  const batches = batched(builtinTypeNames().map((name) => [name, builtinSchema(name)]));

  test('are taken by the API server', async () => {
    for (const [index, batch] of batches.entries()) {
      const definition = definitionOf(`embedded${index}`, batch);
      const query = { dryRun: 'All', fieldValidation: 'Strict' };
      const { status, warnings, body } = await cluster.request('POST', await cluster.paths.collectionOf(definition), definition, { query });
      expect({ status, warnings, message: (body as { message?: string }).message }).toEqual({
        status: 201,
        warnings: [],
        message: undefined,
      });
    }
  });
});

/** As the in-process server has it: `test/keelson/schema/open-builtins.test.ts`. */
describeCluster('open built-in types', (cluster) => {
  beforeAll(async () => {
    await applyAll(cluster, [openDefinition, closedDefinition] as TestObject[]);
  });
  afterAll(async () => {
    for (const definition of [openDefinition, closedDefinition] as TestObject[])
      await cluster.must('DELETE', await cluster.paths.pathOf(definition));
  });

  test('take a value of a later Kubernetes, closed ones refuse it', async () => {
    const open = holder('OpenSet', FUTURE_TEMPLATE);
    const closed = holder('ClosedSet', FUTURE_TEMPLATE);
    expect(await cluster.request('POST', open.path, open.object)).toMatchObject({
      status: EXPECTED.open.status,
      body: { spec: { template: FUTURE_TEMPLATE } },
    });
    expect(await cluster.request('POST', closed.path, closed.object)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(EXPECTED.closedMessage) },
    });
  });

  test('lose a field of a later Kubernetes, and say so to who asks', async () => {
    const { path, object } = holder('OpenSet', FUTURE_FIELD);
    expect(await cluster.request('POST', path, object, { query: { fieldValidation: 'Strict' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(EXPECTED.fieldMessage) },
    });
    const { body } = await cluster.request('POST', path, object, { query: { dryRun: 'All' } });
    expect(JSON.stringify(body)).not.toContain('laterField');
  });
});

type Named = readonly [name: string, schema: StructuralSchema];

function batched(schemas: readonly Named[]): Named[][] {
  const batches: Named[][] = [[]];
  let bytes = 0;
  for (const named of schemas) {
    const size = JSON.stringify(named[1]).length;
    if (bytes + size > BYTES_PER_DEFINITION) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(named);
    bytes += size;
  }
  return batches;
}

function definitionOf(plural: string, batch: readonly Named[]): TestObject {
  const spec = { type: 'object', properties: Object.fromEntries(batch.map(([name, schema]) => [`the${name}`, schema])) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.builtins.example.com` },
    spec: {
      group: 'builtins.example.com',
      scope: 'Namespaced',
      names: { kind: 'Embedded', plural, singular: plural, listKind: 'EmbeddedList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  };
}
