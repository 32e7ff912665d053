import { ApiObject, Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { ManifestObject } from 'keelson/constructs';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' } as const;

function synthesized(body: object): Record<string, unknown> {
  const chart = Testing.chart();
  new ManifestObject(chart, 'object', { ...CONFIG, body });
  return (Testing.synth(chart) as Record<string, unknown>[])[0] as Record<string, unknown>;
}

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

test('rendering for validation happens once, however many charts the app has', () => {
  const app = Testing.app();
  let produced = 0;
  const first = new Chart(app, 'first');
  new ManifestObject(first, 'object', { ...CONFIG, body: { spec: Lazy.any({ produce: () => ({ count: ++produced }) }) } });
  for (let index = 0; index < 20; index++) new ManifestObject(new Chart(app, `chart-${index}`), 'object', CONFIG);
  app.synthYaml();
  expect(produced).toBe(2);
});
