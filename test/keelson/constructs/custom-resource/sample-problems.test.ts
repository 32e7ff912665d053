import { Chart, Testing } from 'cdk8s';
import { defineCustomResource, k } from 'keelson';
import { CustomResource } from 'keelson/constructs';
import { z } from 'zod';
import { Memcached } from '../../../../examples/memcached/memcached';
import { memcachedKind } from '../models';

function synthesize(spec: unknown, definition: unknown = Memcached): unknown {
  const chart = Testing.chart();
  new CustomResource(chart, 'sample', { definition: definition as typeof memcachedKind, metadata: { name: 'a' }, ...{ spec } });
  return Testing.synth(chart);
}

describe('a sample is checked when it is synthesized', () => {
  test('what the API server takes is written as it is, without defaults', () => {
    expect(synthesize({ size: 2 })).toEqual([
      { apiVersion: 'cache.example.com/v1alpha1', kind: 'Memcached', metadata: { name: 'a' }, spec: { size: 2 } },
    ]);
  });

  test.each([
    [{ size: 6 }, /\[test\/sample\] spec\.size: Invalid value: 6: spec\.size in body should be less than or equal to 5/],
    [{ size: 'two' }, /\[test\/sample\] spec\.size: Invalid value: "string": spec\.size in body must be of type integer: "string"/],
    [{ sise: 2 }, /\[test\/sample\] spec\.sise: Memcached v1alpha1 has no such field; correct its name or leave it out/],
    [undefined, /\[test\/sample\] spec: Required value/],
  ])('%j is refused in the words of the API server', (spec, message) => {
    expect(() => synthesize(spec)).toThrow(message);
  });

  test('rules are evaluated on the defaulted object', () => {
    const spec = z.object({ size: k.int32().default(3) }).check(k.rule('self.size != 3', { message: 'three is the default' }));
    const Ruled = defineCustomResource({ group: 'example.com', kind: 'Ruled', versions: { v1: { spec } } });
    expect(() => synthesize({}, Ruled)).toThrow(/three is the default/);
  });

  test('a version is judged by its own schema', () => {
    const versions = { v1: { storage: true as const, spec: z.object({ a: z.string() }) }, v1beta1: { spec: z.object({ b: z.string() }) } };
    const convert = { v1beta1: { toStorage: () => ({ spec: { a: '' } }), fromStorage: () => ({ spec: { b: '' } }) } };
    const Old = defineCustomResource({ group: 'example.com', kind: 'Old', versions, convert });
    expect(() => synthesize({ b: '' }, Old)).toThrow(/spec\.b: Old v1 has no such field.*\n.*spec\.a: Required value/);
    expect(() => synthesize({ b: '' }, Old.versions.v1beta1)).not.toThrow();
  });

  test('a model written by hand has nobody who judges its objects', () => {
    expect(() => synthesize({ size: 6 }, memcachedKind)).not.toThrow();
  });

  test('a whole object that is spread into the props keeps its identity, and cannot take another', () => {
    const whole = Memcached({ metadata: { name: 'a' }, spec: { size: 3 } });
    const write = (object: object) => () => {
      const chart = Testing.chart();
      new CustomResource(chart, 'sample', { definition: Memcached, spec: { size: 3 }, ...object });
      return Testing.synth(chart)[0] as unknown;
    };
    expect(write(whole)()).toEqual(whole);
    expect(write({ kind: 'Evil' })).toThrow(
      'test/sample: the object is a cache.example.com/v1alpha1 Evil, but the definition is of cache.example.com/v1alpha1 Memcached',
    );
    expect(write({ apiVersion: 'cache.example.com/v9' })).toThrow('the object is a cache.example.com/v9 Memcached');
    expect(write({ status: {} })).toThrow('status is written by the API server and by controllers');
  });

  test('samples and built-in kinds are typed by their definition', () => {
    const chart = new Chart(Testing.app(), 'chart');
    new CustomResource(chart, 'typed', { definition: Memcached, spec: { size: 3 } });
    // @ts-expect-error a misspelt field
    new CustomResource(chart, 'typo', { definition: Memcached, spec: { sise: 3 } });
    // @ts-expect-error a wrong type
    new CustomResource(chart, 'type', { definition: Memcached, spec: { size: '3' } });
    expect(() => chart.toJson()).toThrow(/\[chart\/typo\] spec\.sise.*\n.*\[chart\/type\] spec\.size/);
  });
});
