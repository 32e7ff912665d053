import { Chart, Testing } from 'cdk8s';
import { CustomResource } from 'keelson/constructs';
import { Memcached } from '../../examples/memcached/memcached';
import { memcachedKind } from './models';

function synthesize(spec: unknown): unknown {
  const chart = Testing.chart();
  new CustomResource(chart, 'sample', { definition: memcachedKind, metadata: { name: 'a' }, ...{ spec } });
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
    const ruled = {
      ...memcachedKind,
      customResource: {
        ...memcachedKind.customResource,
        versionList: memcachedKind.customResource.versionList.map((version) => ({
          ...version,
          schema: { ...version.schema, 'x-kubernetes-validations': [{ rule: 'self.spec.size != 3', message: 'three is the default' }] },
        })),
      },
    };
    const chart = Testing.chart();
    new CustomResource(chart, 'sample', { definition: ruled, metadata: { name: 'a' }, ...{ spec: {} } });
    expect(() => Testing.synth(chart)).toThrow(/three is the default/);
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
