import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { defineCustomResource, defineOperator, k } from 'keelson';
import { defineOperatorPackage, kindSchemas, type Package } from 'keelson/packaging';
import { z } from 'zod';
import { memcachedPackage } from '../../examples/memcached/package.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';

const kubeconform = findTool('kubeconform');
// In CI the suite must run: without kubeconform it fails, and says how to build it.
const suite = kubeconform.found || process.env['CI'] !== undefined ? describe : describe.skip;

/** A kind with what JSON Schema and Kubernetes say differently. */
const Gauge = defineCustomResource({
  group: 'test.example.com',
  kind: 'Gauge',
  versions: {
    v1: {
      spec: z.object({
        port: k.intOrString().optional(),
        amount: k.quantity().optional(),
        note: z.string().nullable().optional(),
        level: z.enum(['low', 'high']).nullable().optional(),
        ratio: z.number().gt(0).lt(1).optional(),
        period: k.duration().optional(),
        labels: z.record(z.string(), z.string()).optional(),
        template: k.embedded().optional(),
        rest: k.preserveUnknown().optional(),
        target: z
          .discriminatedUnion('type', [
            z.object({ type: z.literal('Host'), host: z.string() }),
            z.object({ type: z.literal('Pod'), pod: z.string() }),
          ])
          .optional(),
      }),
      status: z.object({ conditions: k.conditions() }),
    },
  },
});
const gaugePackage = defineOperatorPackage({
  operator: defineOperator({ name: 'gauges', customResources: [Gauge.customResource] }),
  image: 'registry.example.com/gauges:1',
  version: '1.0.0',
});

const memcached = (spec: object, more: object = {}): object => ({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec,
  ...more,
});
const gauge = (spec: object): object => ({ apiVersion: 'test.example.com/v1', kind: 'Gauge', metadata: { name: 'g' }, spec });

suite(`kubeconform with the schemas of a package${kubeconform.found ? '' : ` [skipped: ${kubeconform.reason}]`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-kubeconform-'));
  const path = kubeconform.found ? kubeconform.path : '';

  beforeAll(() => {
    if (!kubeconform.found) throw new Error(kubeconform.reason);
    for (const source of [memcachedPackage, gaugePackage] as readonly Package[]) {
      for (const file of kindSchemas(source)) {
        mkdirSync(dirname(join(folder, file.path)), { recursive: true });
        writeFileSync(join(folder, file.path), file.text);
      }
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const check = (object: object): Promise<{ readonly code: number; readonly output: string }> => {
    const file = join(folder, 'object.json');
    writeFileSync(file, JSON.stringify(object));
    const location = join(folder, '{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json');
    return new Promise((resolve) => {
      execFile(path, ['-strict', '-schema-location', location, file], { timeout: DEADLINE_MS }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
      });
    });
  };

  test.each([
    ['a sample', memcached({ size: 3, port: 11211 })],
    ['defaults alone', memcached({})],
    ['labels and a finalizer', { ...memcached({}), metadata: { name: 'a', labels: { a: 'b' }, finalizers: ['x/y'] } }],
    ['quantities as text and number', memcached({ resources: { limits: { memory: '1Gi', cpu: 1 } } })],
    ['a status', memcached({}, { status: { nodes: ['a'], replicas: 1 } })],
    ['int-or-string', gauge({ port: 'http', amount: 2 })],
    ['int-or-string as a number', gauge({ port: 80, amount: '2Gi' })],
    ['null where it may be', gauge({ note: null, level: null })],
    ["a duration in Go's words", gauge({ period: '1h30m' })],
    ['keys of a map, and fields that nobody declared where they may be', gauge({ labels: { a: 'b' }, rest: { any: [1] } })],
    ['an embedded object', gauge({ template: { apiVersion: 'v1', kind: 'ConfigMap', data: {} } })],
    ['a member of a union', gauge({ target: { type: 'Pod', pod: 'a' } })],
    ['between exclusive bounds', gauge({ ratio: 0.5 })],
  ])('%s passes', async (_name, object) => {
    const { output } = await check(object);
    expect(output).toBe('');
  });

  test.each([
    ['a misspelt field', memcached({ siez: 3 }), 'siez'],
    ['a misspelt field of the object', memcached({}, { speck: {} }), 'speck'],
    ['a misspelt field of metadata', { ...memcached({}), metadata: { name: 'a', label: {} } }, 'label'],
    ['too many', memcached({ size: 9 }), 'size'],
    ['a text for a number', memcached({ size: '3' }), 'size'],
    ['a missing spec', { apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name: 'a' } }, 'spec'],
    ['a boolean for int-or-string', gauge({ port: true }), 'port'],
    ['a quantity that is none', gauge({ amount: 'many' }), 'amount'],
    ['null where it may not be', gauge({ period: null }), 'period'],
    ['a value that is not of the enum', gauge({ level: 'middle' }), 'level'],
    ['an exclusive bound', gauge({ ratio: 1 }), 'ratio'],
    ['an embedded object without kind', gauge({ template: { apiVersion: 'v1' } }), 'kind'],
    ['a value of a map', gauge({ labels: { a: 1 } }), 'labels'],
  ])('%s fails, and names the field', async (_name, object, field) => {
    const { code, output } = await check(object);
    expect(output).toContain(field);
    expect(code).toBe(1);
  });
});
