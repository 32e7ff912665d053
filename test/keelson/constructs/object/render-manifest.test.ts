import { App, Chart, Lazy, Testing } from 'cdk8s';
import { ManifestObject } from 'keelson/constructs';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' } as const;

function synthesized(body: object): Record<string, unknown> {
  const chart = Testing.chart();
  new ManifestObject(chart, 'object', { ...CONFIG, body });
  return (Testing.synth(chart) as Record<string, unknown>[])[0] as Record<string, unknown>;
}

describe('values that cdk8s itself loses or refuses', () => {
  test('null stays, undefined goes', () => {
    expect(synthesized({ spec: { default: null, list: [null], gone: undefined } })['spec']).toEqual({ default: null, list: [null] });
  });

  test('a key named constructor is data', () => {
    expect(synthesized({ data: { constructor: 'x', nested: { constructor: 'y', value: 'z' } } })['data']).toEqual({
      constructor: 'x',
      nested: { constructor: 'y', value: 'z' },
    });
  });

  test('a key named __proto__ is data', () => {
    const data = JSON.parse('{ "__proto__": "x" }') as object;
    expect(JSON.stringify(synthesized({ data })['data'])).toBe('{"__proto__":"x"}');
  });

  test('a key named resolve is data, a function is refused instead of being called', () => {
    expect(synthesized({ data: { resolve: 'dns' } })['data']).toEqual({ resolve: 'dns' });
    expect(() => synthesized({ data: { deep: { resolve: () => 'surprise' } } })).toThrow(
      /data\.deep\.resolve: a function cannot be written/,
    );
  });

  test('an object without prototype is data', () => {
    const data = Object.assign(Object.create(null) as object, { a: { b: 1 } });
    expect(synthesized({ data })['data']).toEqual({ a: { b: 1 } });
  });

  test.each([
    ['a Date', new Date(0), /spec\.value: a Date cannot be written to a manifest; pass its toISOString\(\)/],
    ['a Map', new Map(), /spec\.value: a Map cannot be written/],
    [
      'a class instance',
      new (class Size {
        bytes = 1;
      })(),
      /spec\.value: an instance of Size cannot be written/,
    ],
    ['NaN', Number.NaN, /spec\.value: NaN is not a number that JSON can carry/],
    ['a bigint', 1n, /spec\.value: a bigint cannot be written/],
    ['undefined in a list', [undefined], /spec\.value\.0: undefined in a list/],
  ])('%s is refused with its path, as a validation of the construct', (_name, value, message) => {
    expect(() => synthesized({ spec: { value } })).toThrow(message);
    expect(() => synthesized({ spec: { value } })).toThrow(/Validation failed with the following errors:\n {2}\[test\/object\]/);
  });

  test('a Lazy of another copy of cdk8s is refused by name', () => {
    class OtherLazy {
      produce(): string {
        return 'x';
      }
    }
    expect(() => synthesized({ spec: { value: new OtherLazy() } })).toThrow(/another copy of cdk8s is not resolved; install cdk8s once/);
  });

  test('IntOrString classes of cdk8s import become their value', () => {
    class IntOrString {
      readonly value: number;
      constructor(value: number) {
        this.value = value;
      }
    }
    expect(synthesized({ spec: { port: new IntOrString(80) } })['spec']).toEqual({ port: 80 });
  });

  test('one object used twice is written twice, without YAML anchors', () => {
    const shared = { a: 1 };
    const app = Testing.app();
    new ManifestObject(new Chart(app, 'chart'), 'object', { ...CONFIG, body: { spec: { x: shared, y: shared } } });
    expect(app.synthYaml()).not.toMatch(/[&*]a1/);
  });

  test('Lazy and the resolvers of the app work', () => {
    const app = new App({ resolvers: [{ resolve: (context) => context.value === 'TOKEN' && context.replaceValue('value') }] });
    const chart = new Chart(app, 'chart');
    new ManifestObject(chart, 'object', { ...CONFIG, body: { spec: { a: Lazy.any({ produce: () => ({ b: null }) }), c: 'TOKEN' } } });
    expect((chart.toJson() as { spec: unknown }[])[0]?.spec).toEqual({ a: { b: null }, c: 'value' });
  });
});
