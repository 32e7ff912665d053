import { type CustomResourceModel, defineCustomResource, k } from 'keelson';
import { z } from 'zod';
import { customResourceDefinitionManifest, manifestBytes } from '../../../src/keelson/definition/crd-manifest';
import { memcached, memcachedVersion, pool } from '../constructs/models';

const SCALE = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };

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

  test.each(['anyOf', 'oneOf', 'allOf'] as const)(
    'dropping descriptions reaches the schemas of %s, their properties and items',
    (union) => {
      const described = { type: 'array', description: 'gone', items: { type: 'string', description: 'gone' } } as const;
      const spec = {
        type: 'object',
        [union]: [
          { description: 'gone', properties: { a: described } },
          { not: { description: 'gone' }, required: ['a'] },
        ],
      } as const;
      const version = { ...memcachedVersion, columns: [], schema: { type: 'object', properties: { spec } } } as typeof memcachedVersion;
      const text = JSON.stringify(customResourceDefinitionManifest({ ...memcached, versionList: [version] }, { descriptions: 'drop' }));
      expect(text).toContain(`"${union}":[{"properties":{"a":{"items":{"type":"string"},"type":"array"}}},{"not":{},"required":["a"]}]`);
      expect(text).not.toContain('gone');
    },
  );

  test('a column has what is written of it, and no priority where it is always shown', () => {
    const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' } as const;
    const detailed = { ...column, name: 'Wide', format: 'int32', description: 'How many.', priority: 1 } as const;
    const version = { ...memcachedVersion, columns: [{ ...column, priority: 0 }, detailed] } as typeof memcachedVersion;
    const manifest = customResourceDefinitionManifest({ ...memcached, versionList: [version] });
    expect(manifest['spec']).toHaveProperty('versions.0.additionalPrinterColumns', [column, detailed]);
  });

  test.each([
    ['without its subresource', { statusSubresource: false }, undefined, []],
    ['without its subresource, with a scale', { statusSubresource: false, scale: SCALE }, { scale: SCALE }, ['scale']],
    ['with it, unless it is said', {}, { status: {} }, ['status']],
    ['with it', { statusSubresource: true, scale: SCALE }, { status: {}, scale: SCALE }, ['scale', 'status']],
  ])('a status %s', (_, options, subresources, ofKind) => {
    const spec = z.object({ size: k.int32().optional() });
    const status = z.object({ size: k.int32().optional() });
    const Cache = defineCustomResource({ group: 'cache.example.com', kind: 'Cache', versions: { v1: { spec, status, ...options } } });
    const versions = (customResourceDefinitionManifest(Cache)['spec'] as { versions: Record<string, unknown>[] }).versions;
    expect(versions.map((version) => version['subresources'])).toEqual([subresources]);
    expect(versions[0]).toHaveProperty('schema.openAPIV3Schema.properties.status.type', 'object');
    expect(Cache.subresources).toEqual(ofKind);
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
    expect(manifest['spec']).toHaveProperty('conversion.strategy', 'Webhook');
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
