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

test('a namespace of its own on a cluster-scoped object is a mistake, and not dropped', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', scope: 'Cluster' } as const;
  new ManifestObject(chart, 'role', { ...role, metadata: { name: 'a', namespace: 'shop' } });
  expect(() => Testing.synth(chart)).toThrow(
    "[chart/role] metadata.namespace: 'shop' is set, but ClusterRole is cluster-scoped; leave it out",
  );
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

  const withMetadata = (metadata: object) => (): unknown => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'object', { ...CONFIG, metadata });
    return Testing.synth(chart);
  };

  test.each<[string, object, string]>([
    ['a label value with a space', { labels: { team: 'a b' } }, "metadata.labels.team: 'a b' must be "],
    ['a label value that is a number', { labels: { team: 7 } }, "metadata.labels.team: '7' must be "],
    ['a label value that is a list', { labels: { team: ['a'] } }, "metadata.labels.team: 'a' must be "],
    ['a label value of 64 characters', { labels: { team: 'a'.repeat(64) } }, `metadata.labels.team: '${'a'.repeat(64)}' must be `],
    ['a key of a label with a space', { labels: { 'my team': 'a' } }, "metadata.labels: the key 'my team' must be "],
    [
      'a key of a label in capitals before the slash',
      { labels: { 'Example.com/a': 'a' } },
      "metadata.labels: the key 'Example.com/a' must be ",
    ],
    ['a key of an annotation with a space', { annotations: { 'my note': 'a' } }, "metadata.annotations: the key 'my note' must be "],
    ['an annotation that is a number', { annotations: { note: 7 } }, 'metadata.annotations.note: must be text, not number'],
    ['a namespace with a dot', { namespace: 'a.b' }, "metadata.namespace: 'a.b' must be "],
  ])('%s', (_, metadata, message) => {
    expect(withMetadata(metadata)).toThrow(`[test/object] ${message}`);
  });

  test('all of an object are told at once', () => {
    expect(withMetadata({ name: 'A', namespace: 'B', labels: { 'a b': 'c d' }, annotations: { 'e f': 7 } })).toThrow(
      new RegExp(
        [
          "name: 'A'",
          "namespace: 'B'",
          "labels: the key 'a b'",
          "labels.a b: 'c d'",
          "annotations: the key 'e f'",
          'annotations.e f: must',
        ].join('[\\s\\S]*'),
      ),
    );
  });

  test('an annotation may hold any text, and its key capitals', () => {
    expect(withMetadata({ annotations: { 'Example.com/Note': 'a b\n{}' } })).not.toThrow();
  });

  test.each([
    ['rbac.authorization.k8s.io/v1', 'Role', 'system:a:B', true],
    ['rbac.authorization.k8s.io/v1', 'Role', 'a/b', false],
    ['rbac.authorization.k8s.io/v1', 'Role', '..', false],
    ['v1', 'Namespace', 'a.b', false],
    ['v1', 'Secret', 'a.b', true],
    ['serving.knative.dev/v1', 'Service', 'a.b', true],
    ['v1', 'Secret', 'a:b', false],
  ])('a name of %s %s: %s, %s', (apiVersion, kind, name, isTaken) => {
    const chart = Testing.chart();
    new ManifestObject(chart, 'object', { apiVersion, kind, scope: 'Namespaced', metadata: { name } });
    const synth = expect(() => Testing.synth(chart));
    if (isTaken) synth.not.toThrow();
    else synth.toThrow(`metadata.name: '${name}' is refused by the API server: it must be `);
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
