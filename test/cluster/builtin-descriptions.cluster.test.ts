import { Chart, Testing } from 'cdk8s';
import { defineCustomResource, k, type OpenApiDocument } from 'keelson';
import { CustomResourceDefinition, warningsOf } from 'keelson/constructs';
import { z } from 'zod';
import { eventually } from '../eventually.js';
import { describeCluster, type TestObject } from './harness/index.js';

const Web = defineCustomResource({
  group: 'explained.example.com',
  kind: 'Web',
  versions: { v1: { spec: z.object({ template: k.builtin('PodTemplateSpec').describe('My own words.') }) } },
});

interface Schemas {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, { readonly description: string }>> }>>;
  };
}

describeCluster('descriptions of built-in types', (cluster) => {
  test('that the server publishes are in the CRD, and kubectl explain shows them', async () => {
    const document = await cluster.must<OpenApiDocument & Schemas>('GET', '/openapi/v3/api/v1');
    const chart = new Chart(Testing.app(), 'test');
    const crd = new CustomResourceDefinition(chart, 'crd', { definition: Web.customResource, builtinDescriptions: [document] });
    expect(crd.bytes).toBeGreaterThan(262_144);
    expect(warningsOf(chart).map(({ message }) => message)).toEqual([expect.stringContaining('apply it with --server-side')]);
    const [manifest] = Testing.synth(chart) as [TestObject];
    const applied = await cluster.kubectl(['apply', '--server-side', '-f', '-'], { stdin: JSON.stringify(manifest) });
    expect(applied).toMatchObject({
      stdout: 'customresourcedefinition.apiextensions.k8s.io/webs.explained.example.com serverside-applied\n',
    });
    const explain = async (path: string): Promise<string> => (await cluster.kubectl(['explain', path])).stdout;
    const shown = await eventually(async () => {
      const answer = await explain('webs.spec.template.spec.containers.image').catch(() => '');
      return answer.includes('FIELD: image') && answer;
    });
    const text = document.components.schemas['io.k8s.api.core.v1.Container']?.properties['image']?.description ?? '';
    expect(text.length).toBeGreaterThan(20);
    // kubectl breaks lines.
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(text.replaceAll(/\s+/g, ' ').slice(0, 60));
    expect(await explain('webs.spec.template')).toContain('My own words.');
    await cluster.must('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/webs.explained.example.com');
  });

  test('of version 2 are the same', async () => {
    const [v3, v2] = [
      await cluster.must<OpenApiDocument>('GET', '/openapi/v3/api/v1'),
      await cluster.must<OpenApiDocument>('GET', '/openapi/v2'),
    ];
    const bytesWith = (document: OpenApiDocument): number => {
      const props = { definition: Web.customResource, builtinDescriptions: [document] };
      return new CustomResourceDefinition(new Chart(Testing.app(), 'test'), 'crd', props).bytes;
    };
    expect(bytesWith(v2)).toBe(bytesWith(v3));
  });
});
