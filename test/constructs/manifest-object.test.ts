import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, Lazy, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
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
    ['NaN', Number.NaN, /spec\.value: NaN is no number that JSON can carry/],
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

describe('namespace', () => {
  test('a cluster-scoped object carries none in a chart that has one', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new ManifestObject(chart, 'role', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      scope: 'Cluster',
      metadata: { name: 'a' },
    });
    new ManifestObject(chart, 'config', { ...CONFIG, metadata: { name: 'a' } });
    const [role, config] = chart.toJson() as { metadata: object }[];
    expect(role?.metadata).toEqual({ name: 'a' });
    expect(config?.metadata).toEqual({ name: 'a', namespace: 'system' });
  });
});

test('a body cannot overwrite what the object is', () => {
  const chart = Testing.chart();
  const body = { metadata: { name: 'b' } };
  expect(() => new ManifestObject(chart, 'a', { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced', body })).toThrow(
    'test/a: body.metadata would overwrite the metadata of the object; give it as a prop of its own',
  );
});

describe('escape hatches', () => {
  test('ApiObject.of, JSON patches and metadata', () => {
    const chart = new Chart(Testing.app(), 'chart', { labels: { team: 'a' } });
    const parent = new Construct(chart, 'parent');
    const object = new ManifestObject(parent, 'Resource', { ...CONFIG, body: { data: { a: '1' } } });
    expect(ApiObject.of(parent)).toBe(object);
    object.addJsonPatch(JsonPatch.add('/data/b', '2'), JsonPatch.remove('/data/a'));
    object.metadata.addLabel('more', 'b');
    expect(chart.toJson()[0]).toMatchObject({ data: { b: '2' }, metadata: { labels: { team: 'a', more: 'b' } } });
    expect(chart.toJson()[0].data).toEqual({ b: '2' });
  });

  test('a patch that does not fit names the construct', () => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'object', CONFIG).addJsonPatch(JsonPatch.remove('/data/missing'));
    expect(() => Testing.synth(chart)).toThrow(/test\/object: a JSON patch does not fit ConfigMap/);
  });

  test('keys are in cdk8s order: the three first, the rest sorted', () => {
    expect(JSON.stringify(synthesized({ z: 1, a: { y: 1, b: 2 } }))).toMatch(
      /^\{"apiVersion":"v1","kind":"ConfigMap","metadata":\{.*\},"a":\{"b":2,"y":1\},"z":1\}$/,
    );
  });
});

describe('names and labels that the API server refuses', () => {
  test('a generated name from ids with underscores', () => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'my_object', CONFIG);
    expect(() => Testing.synth(chart)).toThrow(
      /\[test\/my_object\] metadata\.name: 'test-my_object-\w+' is refused .*change the construct ids/,
    );
  });

  test('a Service with a dot in its name, which other objects may have', () => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'config', { ...CONFIG, metadata: { name: 'a.b' } });
    Testing.synth(chart);
    new ManifestObject(chart, 'service', { apiVersion: 'v1', kind: 'Service', scope: 'Namespaced', metadata: { name: 'a.b' } });
    expect(() => Testing.synth(chart)).toThrow(/\[test\/service\] metadata\.name: 'a\.b' is refused/);
  });

  test('a label value with a space', () => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'object', { ...CONFIG, metadata: { labels: { team: 'a b' } } });
    expect(() => Testing.synth(chart)).toThrow(/\[test\/object\] metadata\.labels\.team: 'a b' must be/);
  });
});

describe('two objects of one identity', () => {
  test('are found across charts and libraries', () => {
    const app = Testing.app();
    const a = new Chart(app, 'a', { namespace: 'system' });
    const b = new Chart(app, 'b', { namespace: 'system' });
    new ManifestObject(a, 'one', { ...CONFIG, metadata: { name: 'settings' } });
    new ApiObject(b, 'two', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
    expect(() => app.synthYaml()).toThrow(/a\/one and b\/two both write ConfigMap 'settings' in namespace 'system'/);
  });

  test('cluster-scoped ones are one object whatever namespace their charts have', () => {
    const app = Testing.app();
    new ManifestObject(new Chart(app, 'a', { namespace: 'x' }), 'one', {
      apiVersion: 'example.com/v1',
      kind: 'Pool',
      scope: 'Cluster',
      metadata: { name: 'p' },
    });
    new ManifestObject(new Chart(app, 'b', { namespace: 'y' }), 'two', {
      apiVersion: 'example.com/v1',
      kind: 'Pool',
      scope: 'Cluster',
      metadata: { name: 'p' },
    });
    expect(() => app.synthYaml()).toThrow(/a\/one and b\/two both write Pool 'p'/);
  });

  test('another group, kind or namespace is another object', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'chart');
    new ManifestObject(chart, 'a', { ...CONFIG, metadata: { name: 'x', namespace: 'one' } });
    new ManifestObject(chart, 'b', { ...CONFIG, metadata: { name: 'x', namespace: 'two' } });
    new ManifestObject(chart, 'c', { apiVersion: 'v1', kind: 'Secret', scope: 'Namespaced', metadata: { name: 'x', namespace: 'one' } });
    new ManifestObject(chart, 'd', {
      apiVersion: 'example.com/v1',
      kind: 'ConfigMap',
      scope: 'Namespaced',
      metadata: { name: 'x', namespace: 'one' },
    });
    expect(app.synthYaml().match(/^kind:/gm)).toHaveLength(4);
  });

  test('two objects that cdk8s would write to one file are refused where each has its own, or one would be lost', () => {
    const synth = (yamlOutputType: YamlOutputType, charts: readonly string[]) => () => {
      const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'keelson-')), yamlOutputType });
      for (const namespace of ['one', 'two']) {
        const id = charts[namespace === 'one' ? 0 : 1] ?? 'chart';
        const chart = (app.node.tryFindChild(id) as Chart | undefined) ?? new Chart(app, id);
        new ManifestObject(chart, namespace, { ...CONFIG, metadata: { name: 'x', namespace } });
      }
      app.synth();
      const files = readdirSync(app.outdir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
      const documents = files.flatMap((file) => readFileSync(join(app.outdir, file), 'utf8').match(/^kind:/gm) ?? []);
      rmSync(app.outdir, { recursive: true });
      return documents.length;
    };
    const lost = /chart\/one and chart\/two are both written to the file ConfigMap\.x\.k8s\.yaml, so one would be lost/;
    expect(synth(YamlOutputType.FILE_PER_RESOURCE, [])).toThrow(lost);
    expect(synth(YamlOutputType.FILE_PER_RESOURCE, ['a', 'b'])).toThrow(/a\/one and b\/two are both written to the file/);
    expect(synth(YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, [])).toThrow(lost);
    expect(synth(YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, ['a', 'b'])()).toBe(2);
    expect(synth(YamlOutputType.FILE_PER_CHART, [])()).toBe(2);
    expect(synth(YamlOutputType.FILE_PER_APP, ['a', 'b'])()).toBe(2);
  });

  test('an object that is added after a synth is checked by the next', () => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'a', { ...CONFIG, metadata: { name: 'x' } });
    Testing.synth(chart);
    new ManifestObject(chart, 'b', { ...CONFIG, metadata: { name: 'x' } });
    expect(() => Testing.synth(chart)).toThrow(/test\/a and test\/b both write/);
  });
});

test('rendering for validation happens once, however many charts the app has', () => {
  const app = Testing.app();
  let produced = 0;
  const first = new Chart(app, 'first');
  new ManifestObject(first, 'object', { ...CONFIG, body: { spec: Lazy.any({ produce: () => ({ count: ++produced }) }) } });
  for (let index = 0; index < 20; index++) new ManifestObject(new Chart(app, `chart-${index}`), 'object', CONFIG);
  app.synthYaml();
  expect(produced).toBe(2);
});
