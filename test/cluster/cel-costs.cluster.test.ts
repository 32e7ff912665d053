import { bounded, costSchema, endless, reading, sparing } from '../cel/judged-costs.js';
import { describeCluster, isStatus, type TestObject } from './harness/index.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definitionOf(rules: readonly string[]): TestObject {
  const spec = { ...costSchema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'costs.costs.example.com' },
    spec: {
      group: 'costs.example.com',
      scope: 'Cluster',
      names: { kind: 'Cost', plural: 'costs' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
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
});
