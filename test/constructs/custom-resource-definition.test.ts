import { spawnSync } from 'node:child_process';
import { App, Chart, Testing } from 'cdk8s';
import { type CustomResourceModel, defineCustomResource } from 'keelson';
import { CustomResource, CustomResourceDefinition, findResource, helmEscapeResolver, warningsOf } from 'keelson/constructs';
import { z } from 'zod';
import { customResourceDefinitionManifest, manifestBytes } from '../../src/definition/crd-manifest';
import { memcached, memcachedKind, memcachedVersion, pool, poolKind } from './models';

describe('customResourceDefinitionManifest', () => {
  test('the default of null is written, and the copy shares nothing with the model', () => {
    const manifest = customResourceDefinitionManifest(memcached) as never as {
      spec: { versions: { schema: { openAPIV3Schema: never } }[] };
    };
    const spec = (manifest.spec.versions[0] as { schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } } }).schema
      .openAPIV3Schema.properties.spec;
    expect(spec.properties).toHaveProperty('description.default', null);
    const before = JSON.stringify(memcached);
    Object.assign(spec.properties, { added: {} });
    expect(JSON.stringify(memcached)).toBe(before);
  });

  test('dropping descriptions keeps properties that are called description', () => {
    const manifest = JSON.stringify(customResourceDefinitionManifest(memcached, { descriptions: 'drop' }));
    expect(manifest).toContain('"description":{"default":null,"nullable":true,"type":"string"}');
    expect(manifest).not.toContain('Number of memcached pods');
    expect(manifest).not.toContain('called like a keyword');
  });

  test('a property may have any name', () => {
    const properties = JSON.parse(
      '{ "__proto__": { "type": "string" }, "constructor": { "type": "string" }, "properties": { "type": "string" } }',
    );
    const version = { ...memcachedVersion, schema: { type: 'object', properties: { spec: { type: 'object', properties } } } } as const;
    const text = JSON.stringify(customResourceDefinitionManifest({ ...memcached, versionList: [version] }));
    expect(text).toContain('"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"properties":{"type":"string"}}');
  });

  test('the key order does not depend on the order in which properties were written', () => {
    const reversed: CustomResourceModel = {
      ...memcached,
      versionList: [{ ...memcachedVersion, schema: reverseKeys(memcachedVersion.schema) as typeof memcachedVersion.schema }],
    };
    expect(JSON.stringify(customResourceDefinitionManifest(reversed))).toBe(JSON.stringify(customResourceDefinitionManifest(memcached)));
  });

  test('conversions need a webhook, or a word that they are left out', () => {
    expect(() => customResourceDefinitionManifest(pool)).toThrow(
      /Pool\.net\.example\.com: the definition converts between versions, so its CRD needs a webhook/,
    );
    expect(customResourceDefinitionManifest(pool, { conversionWebhook: false })['spec']).not.toHaveProperty('conversion');
    const manifest = customResourceDefinitionManifest(pool, { conversionWebhook: { serviceName: 's', serviceNamespace: 'n' } });
    expect(manifest['spec']).toHaveProperty('conversion.webhook.clientConfig.service', {
      name: 's',
      namespace: 'n',
      path: '/convert',
      port: 443,
    });
  });

  test('the size is that of the annotation of kubectl', () => {
    expect(manifestBytes({ a: 'ä' })).toBe('{"a":"x"}'.length + 1 + 1);
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reverseKeys(item)]),
  );
}

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

  test('a cluster-scoped custom resource carries no namespace', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new CustomResource(chart, 'pool', { definition: poolKind, metadata: { name: 'p' }, ...{ spec: {} } });
    expect(chart.toJson()[0].metadata).toEqual({ name: 'p' });
  });

  test('what is no kind is refused', () => {
    expect(() => new CustomResource(Testing.chart(), 'x', { definition: {} as never })).toThrow(/^test\/x: definition is no kind/);
  });
});

describe('helm', () => {
  test('the resolver escapes templates once, wherever they stand', () => {
    const app = new App({ resolvers: [helmEscapeResolver()] });
    const version = { ...memcachedVersion, schema: { ...memcachedVersion.schema, description: 'Like {{ .Values.x }}.' } };
    new CustomResourceDefinition(new Chart(app, 'chart'), 'crd', {
      definition: { ...memcached, versionList: [version] },
      metadata: { annotations: { note: '{{ x }} and {{ y }}' } },
    });
    const yaml = app.synthYaml();
    expect(yaml).toContain('Like {{`{{`}} .Values.x }}.');
    expect(yaml).toContain('{{`{{`}} x }} and {{`{{`}} y }}');
    expect(yaml.match(/\{\{`\{\{`\}\}/g)).toHaveLength(3);
  });
});

test('two processes write the same bytes', () => {
  const script = `
    const { App, Chart } = require('cdk8s');
    const { Operator } = require('keelson/constructs');
    const { fullOperator } = require('./models');
    const app = new App();
    new Operator(new Chart(app, 'chart', { namespace: 'system' }), 'operator', { operator: fullOperator, image: 'a/b:1', replicas: 2, grafanaDashboard: true });
    process.stdout.write(app.synthYaml());
  `;
  const run = (): string => {
    const result = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
      cwd: __dirname,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout;
  };
  const first = run();
  expect(first.length).toBeGreaterThan(10_000);
  expect(run()).toBe(first);
});
