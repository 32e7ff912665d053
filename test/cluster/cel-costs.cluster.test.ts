import { writeFileSync } from 'node:fs';
import type { StructuralSchema } from '../../src/kubernetes/apimachinery/index.js';
import { checkStructural } from '../../src/kubernetes/structural/index.js';
import { randomDefinition, rulesIn } from '../kubernetes/cel/cost/random-definitions.js';
import {
  RECORDED_SEEDS,
  type RecordedRefusals,
  recordedRefusals,
  refusalLines,
  refusalsFile,
  SEEDS,
  shortLines,
} from '../kubernetes/cel/cost/refusals.js';
import { bounded, costSchema, endless, reading, sparing } from '../kubernetes/cel/judged-costs.js';
import { describeCluster, isStatus, type StatusCause, type TestObject } from './harness/index.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definitionOf(rules: readonly string[]): TestObject {
  const spec = { ...costSchema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
  return definitionWith({ type: 'object', properties: { spec } });
}

function definitionWith(openAPIV3Schema: StructuralSchema): TestObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'costs.costs.example.com' },
    spec: {
      group: 'costs.example.com',
      scope: 'Cluster',
      names: { kind: 'Cost', plural: 'costs' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as TestObject;
}

describeCluster('CEL that costs the API server too much', (cluster) => {
  /** The rules that are refused for their own cost, not for what they add to the others'. */
  async function refusedOf(rules: readonly string[]): Promise<readonly string[]> {
    const { body } = await cluster.request('POST', `${DEFINITIONS}?dryRun=All`, definitionOf(rules));
    const causes = isStatus(body) ? (body.details?.causes ?? []) : [];
    return causes.flatMap(({ field = '', message = '' }) => {
      const index = /x-kubernetes-validations\[(\d+)\]\.rule$/.exec(field)?.[1];
      return index === undefined || message.includes('contributed to') ? [] : [rules[Number(index)] as string];
    });
  }

  test('are texts of unknown length, read again', async () => {
    const rules = endless.flatMap((made) => reading.map((read) => read(made)));
    expect(await refusedOf(rules)).toEqual(rules);
  });

  test('is nothing else of the sort', async () => {
    const rules = [
      ...endless.flatMap((made) => sparing.map((read) => read(made))),
      ...bounded.flatMap((made) => [...reading, ...sparing].map((read) => read(made))),
    ];
    expect(await refusedOf(rules)).toEqual([]);
  });

  async function causesOf(schema: StructuralSchema): Promise<readonly Required<Pick<StatusCause, 'field' | 'message'>>[]> {
    const { body } = await cluster.request('POST', `${DEFINITIONS}?dryRun=All`, definitionWith(schema));
    const causes = isStatus(body) ? (body.details?.causes ?? []) : [];
    return causes.map(({ field = '', message = '' }) => ({ field, message }));
  }

  test('is told in the same words of thousands of rules', async () => {
    const record: Record<string, readonly string[]> = {};
    let rules = 0;
    for (const seed of SEEDS) {
      const schema = randomDefinition(seed);
      const theirs = await causesOf(schema);
      const ours = checkStructural(schema, { path: 'spec.validation.openAPIV3Schema' });
      expect({ seed, refusals: refusalLines(ours) }).toEqual({ seed, refusals: refusalLines(theirs) });
      if (RECORDED_SEEDS.includes(seed)) record[seed] = shortLines(theirs);
      rules += rulesIn(schema);
    }
    expect(rules).toBeGreaterThanOrEqual(3000);
    if (process.env['KEELSON_RECORD']) writeFileSync(refusalsFile, `${JSON.stringify(record, null, 1)}\n`);
    else expect(recordedRefusals()).toEqual(record satisfies RecordedRefusals);
  });
});
