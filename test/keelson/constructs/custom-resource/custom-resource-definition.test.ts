import { Chart, Testing } from 'cdk8s';
import { type CustomResourceModel, defineCustomResource } from 'keelson';
import { CustomResource, CustomResourceDefinition, findResource, warningsOf } from 'keelson/constructs';
import { z } from 'zod';
import { customResourceDefinitionManifest, manifestBytes } from '../../../../src/keelson/definition/crd-manifest';
import { memcached, memcachedKind, memcachedVersion } from '../models';

/** The CRD of Memcached, padded to exactly so many bytes. */
function crdOfBytes(bytes: number): CustomResourceModel {
  const of = (length: number): CustomResourceModel => ({
    ...memcached,
    versionList: [{ ...memcachedVersion, schema: { ...memcachedVersion.schema, description: 'x'.repeat(length) } }],
  });
  return of(bytes - manifestBytes(customResourceDefinitionManifest(of(1))) + 1);
}

describe('the construct', () => {
  let emitted: unknown[];
  beforeEach(() => {
    emitted = [];
    jest.spyOn(process, 'emitWarning').mockImplementation((warning: string | Error) => {
      emitted.push(warning);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  test('warns of a CRD too big for client-side apply, once, with its size (H63)', () => {
    const chart = Testing.chart();
    const crd = new CustomResourceDefinition(chart, 'crd', { definition: crdOfBytes(262_145) });
    expect(crd.bytes).toBe(262_145);
    expect(warningsOf(chart)).toEqual([
      { path: 'test/crd', message: expect.stringMatching(/takes 257 KiB.*--server-side.*descriptions: 'drop' \(262145 bytes\)/) },
    ]);
    Testing.synth(chart);
    Testing.synth(chart);
    expect(emitted).toEqual([expect.stringMatching(/^\[test\/crd\] the CRD takes 257 KiB/)]);
  });

  test('does not warn at the limit, nor without descriptions', () => {
    const chart = new Chart(Testing.app(), 'chart');
    new CustomResourceDefinition(chart, 'fits', { definition: crdOfBytes(262_144) });
    new CustomResourceDefinition(chart, 'dropped', {
      definition: { ...crdOfBytes(300_000), group: 'other.example.com' },
      descriptions: 'drop',
    });
    expect(warningsOf(chart)).toEqual([]);
  });

  test('does not repeat what the definition says about its size, and forgets it when the descriptions are dropped', () => {
    const big = defineCustomResource({
      group: 'cache.example.com',
      kind: 'Big',
      versions: { v1: { spec: z.object({ text: z.string().describe('x'.repeat(300_000)) }) } },
    });
    expect(big.warnings).toHaveLength(1);
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'crd', { definition: big });
    expect(warningsOf(chart)).toHaveLength(1);
    const small = Testing.chart();
    new CustomResourceDefinition(small, 'crd', { definition: big, descriptions: 'drop' });
    expect(warningsOf(small)).toEqual([]);
  });

  test('passes on what the definition warns of', () => {
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'crd', { definition: { ...memcached, warnings: ['spec.list: has no maxItems'] } });
    expect(warningsOf(chart)).toEqual([{ path: 'test/crd', message: 'spec.list: has no maxItems' }]);
  });

  test('null defaults come through cdk8s, and the chart namespace does not', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new CustomResourceDefinition(chart, 'crd', { definition: memcached });
    const crd = findResource(chart.toJson(), 'CustomResourceDefinition');
    expect(crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.description).toEqual({
      default: null,
      description: 'A property that is called like a keyword.',
      nullable: true,
      type: 'string',
    });
    expect(crd.metadata).toEqual({ name: 'memcacheds.cache.example.com' });
  });

  test('two CRDs of one name are refused', () => {
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'a', { definition: memcached });
    new CustomResourceDefinition(chart, 'b', { definition: memcached });
    expect(() => Testing.synth(chart)).toThrow(/both write CustomResourceDefinition 'memcacheds\.cache\.example\.com'/);
  });

  test('integer-like ids do not change the order of CRD and object', () => {
    const chart = Testing.chart();
    new CustomResourceDefinition(chart, 'crd', { definition: memcached });
    new CustomResource(chart, '1', { definition: memcachedKind, metadata: { name: 'one' }, ...{ spec: {} } });
    expect((Testing.synth(chart) as { kind: string }[]).map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'Memcached']);
  });
});
