import { writeFileSync } from 'node:fs';
import type { Json, StructuralSchema } from '../../src/kubernetes/apimachinery/index.js';
import { createValidator } from '../../src/kubernetes/structural/index.js';
import {
  dearMessageSchema,
  growing,
  growingSchema,
  manyOf,
  manySchema,
  objectOf,
  recordedSizes,
  sizesFile,
  sizeTooDear,
} from '../kubernetes/cel/cost/run-cost-cases.js';
import { describeCluster, isStatus, type TestObject } from './harness/index.js';

const GROUP = 'run-costs.example.com';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const sizes = growing.map((growingCase) => sizeTooDear(growingCase));

/** One field for each rule, so that an object asks the one it sets. */
const spec: StructuralSchema = {
  type: 'object',
  properties: {
    ...Object.fromEntries(growing.map((growingCase, index) => [`case${index}`, growingSchema(growingCase, (sizes[index] ?? 0) + 1)])),
    many: manySchema,
    message: dearMessageSchema,
  },
};
const schema: StructuralSchema = { type: 'object', properties: { spec } };

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `runs.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Cluster',
    names: { kind: 'Run', plural: 'runs' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
} as TestObject;

describeCluster('CEL that costs too much while it runs', (cluster) => {
  beforeAll(async () => {
    await cluster.must('POST', DEFINITIONS, definition);
    await cluster.untilServed(`runs.${GROUP}`);
  });
  afterAll(async () => {
    await cluster.request('DELETE', `${DEFINITIONS}/runs.${GROUP}`);
  });

  /** What the server says of an object that sets one field, and what we say. */
  async function answersOn(field: string, value: Json): Promise<{ readonly theirs: readonly string[]; readonly ours: readonly string[] }> {
    const object = { apiVersion: `${GROUP}/v1`, kind: 'Run', metadata: { name: 'run' }, spec: { [field]: value } };
    const { body } = await cluster.request('POST', `/apis/${GROUP}/v1/runs?dryRun=All`, object as unknown as TestObject);
    const causes = isStatus(body) ? (body.details?.causes ?? [{ message: body.message ?? 'refused without a word' }]) : [];
    return {
      theirs: causes.map(({ field: at = '', message = '' }) => `${at}: ${message}`).sort(),
      ours: createValidator(schema)
        .validate(object as unknown as Json)
        .map(({ field: at, message }) => `${at}: ${message}`)
        .sort(),
    };
  }

  test.each(growing.map(({ rule }, index) => [rule, index] as const))('%s is given up at the same size', async (_, index) => {
    const growingCase = growing[index] ?? { rule: '', of: () => null };
    const size = sizes[index] ?? 0;
    const cheap = await answersOn(`case${index}`, objectOf(growingCase, size - 1));
    expect(cheap).toEqual({ theirs: [], ours: [] });
    const dear = await answersOn(`case${index}`, objectOf(growingCase, size));
    expect(dear.ours).toEqual(dear.theirs);
    expect(dear.theirs).toEqual([expect.stringContaining('actual cost limit exceeded')]);
  });

  test('the rules of an object run out of their budget at the same element', async () => {
    const { ours, theirs } = await answersOn('many', manyOf(400));
    expect(ours).toEqual(theirs);
    expect(theirs).toEqual([expect.stringMatching(/^spec\.many\[\d+\]: .*running out of cost budget/)]);
  });

  test('a message that costs too much is told in the same words', async () => {
    const { ours, theirs } = await answersOn('message', new Array<number>(1100).fill(1));
    expect(ours).toEqual(theirs);
    expect(theirs).toEqual([expect.stringContaining('for messageExpression')]);
  });

  test('the sizes are those of the record', () => {
    const found = Object.fromEntries(growing.map(({ rule }, index) => [rule, sizes[index]]));
    if (process.env['KEELSON_RECORD']) writeFileSync(sizesFile, `${JSON.stringify(found, null, 1)}\n`);
    else expect(recordedSizes()).toEqual(found);
  });
});
