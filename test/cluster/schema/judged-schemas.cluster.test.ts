import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgedFields, rootAround } from '../../kubernetes/structural/check/judged-schemas.js';
import { describeCluster } from '../harness/index.js';

const golden = JSON.parse(readFileSync(join(__dirname, '../../kubernetes/structural/check/golden/judged-schemas.json'), 'utf8')) as Record<
  string,
  string[]
>;

/** The golden file holds the words of this server: our own check of schemas is tested against it, without a server. */
describeCluster('schemas that the real API server judges', (cluster) => {
  test.each(Object.entries(judgedFields))('%s', async (name, field) => {
    const { status, body } = await cluster.request<{ details?: { causes?: { field: string; message: string }[] } }>(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      crdAround(field),
      { query: { dryRun: 'All' } },
    );
    const texts = (body.details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`);
    expect(texts.sort()).toEqual([...(golden[name] ?? [])].sort());
    expect(status).toBe(texts.length === 0 ? 201 : 422);
  });
});

function crdAround(field: unknown): unknown {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'judged.features.example.com' },
    spec: {
      group: 'features.example.com',
      scope: 'Namespaced',
      names: { kind: 'Judged', plural: 'judged' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: rootAround(field) } }],
    },
  };
}
