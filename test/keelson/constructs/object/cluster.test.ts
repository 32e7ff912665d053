import { App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import { ManifestObject, Operator, setCluster } from 'keelson/constructs';
import { fullOperator } from '../models';

const settings = { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced', metadata: { name: 'settings' } } as const;

/** A chart with one ConfigMap, of one identity in all of them. */
function chartIn(scope: Construct, id: string): Chart {
  const chart = new Chart(scope, id);
  new ManifestObject(chart, 'settings', settings);
  return chart;
}

const problemsOf = (app: App): readonly string[] => app.node.validate();

describe('two objects of one identity in two charts', () => {
  test('are for two clusters by default', () => {
    const app = Testing.app();
    for (const id of ['staging', 'production']) chartIn(app, id);
    expect(problemsOf(app)).toEqual([]);
  });

  test('are a mistake where all charts are one file', () => {
    const app = new App({ yamlOutputType: YamlOutputType.FILE_PER_APP });
    for (const id of ['staging', 'production']) chartIn(app, id);
    expect(problemsOf(app)).toEqual([
      expect.stringContaining("staging/settings and production/settings both write ConfigMap 'settings' of one"),
    ]);
  });

  test('are a mistake in charts of one cluster, and the message names the cluster and the word', () => {
    const app = Testing.app();
    for (const id of ['system', 'samples']) setCluster(chartIn(app, id), 'production');
    chartIn(app, 'staging');
    expect(problemsOf(app)).toEqual([
      "system/settings and samples/settings both write ConfigMap 'settings' of the cluster 'production': the second would overwrite the first; give one " +
        'another metadata.name (of an Operator: another `name`, and for the roles of a custom resource `aggregateRoles: false`); if they are for two ' +
        'clusters, put them into two charts, each with its cluster (`cluster` of an Operator, or setCluster)',
    ]);
  });

  test('of clusters with two names are two objects', () => {
    const app = Testing.app();
    for (const id of ['staging', 'production']) setCluster(chartIn(app, id), id);
    expect(problemsOf(app)).toEqual([]);
  });

  test('the name of an outer construct holds for the charts below it, unless a chart has its own', () => {
    const app = Testing.app();
    setCluster(app, 'production');
    chartIn(app, 'one');
    setCluster(chartIn(app, 'other'), 'staging');
    const platform = new Construct(app, 'platform');
    chartIn(platform, 'two');
    expect(problemsOf(app)).toEqual([expect.stringContaining('one/settings and platform/two/settings both write')]);
  });

  test('a chart within a chart is a file of its own', () => {
    const app = Testing.app();
    chartIn(chartIn(app, 'outer'), 'inner');
    expect(problemsOf(app)).toEqual([]);
  });
});

describe('setCluster refuses', () => {
  test('a chart that goes to another cluster already', () => {
    const chart = new Chart(Testing.app(), 'chart');
    setCluster(chart, 'production');
    setCluster(chart, 'production');
    expect(() => setCluster(chart, 'staging')).toThrow(
      "chart: is applied to the cluster 'production' already, so it cannot be applied to 'staging'; use two charts",
    );
  });

  test('a part of a chart', () => {
    const part = new Construct(new Chart(Testing.app(), 'chart'), 'part');
    expect(() => setCluster(part, 'production')).toThrow(
      "chart/part: is inside a chart, and all of a chart is applied to one cluster; write setCluster(Chart.of(…), 'production')",
    );
  });

  test.each(['', undefined as never])('a name that is none: %p', (name) => {
    expect(() => setCluster(Testing.app(), name)).toThrow('it must be a text that is not empty');
  });
});

describe('an Operator', () => {
  const image = 'registry.example.com/full:1.0.0';

  test('stands in two environments of one app, with equal names and two files', () => {
    const app = Testing.app();
    for (const id of ['staging', 'production'])
      new Operator(new Chart(app, id, { namespace: 'full-system' }), 'operator', { operator: fullOperator, image });
    expect(problemsOf(app)).toEqual([]);
    const [staging, production] = app.charts.map((chart) => JSON.stringify(chart.toJson()));
    expect(staging).toBe(production);
  });

  test('is refused twice in one cluster', () => {
    const app = Testing.app();
    for (const id of ['one', 'two'])
      new Operator(new Chart(app, id, { namespace: 'full-system' }), 'operator', { operator: fullOperator, image, cluster: 'production' });
    expect(problemsOf(app)).toContainEqual(
      expect.stringMatching(
        /^one\/operator\/deployment\/Resource and two\/.* both write Deployment 'memcached-operator' .* of the cluster 'production'/,
      ),
    );
  });

  test('and the chart of its CRDs go to one cluster', () => {
    const app = Testing.app();
    const [crds, system] = [new Chart(app, 'crds'), new Chart(app, 'system', { namespace: 'full-system' })];
    new Operator(system, 'operator', { operator: fullOperator, image, crds: { scope: crds } });
    const configMap = { ...settings, metadata: { ...settings.metadata, namespace: 'full-system' } };
    for (const chart of [crds, system]) new ManifestObject(chart, 'settings', configMap);
    expect(problemsOf(app)).toEqual([
      expect.stringContaining("crds/settings and system/settings both write ConfigMap 'settings' in namespace"),
    ]);
  });

  test('gives the chart of its CRDs its cluster', () => {
    const app = Testing.app();
    const crds = chartIn(app, 'crds');
    new Operator(new Chart(app, 'system', { namespace: 'full-system' }), 'operator', {
      operator: fullOperator,
      image,
      cluster: 'production',
      crds: { scope: crds },
    });
    setCluster(chartIn(app, 'samples'), 'production');
    expect(problemsOf(app)).toEqual([
      expect.stringContaining("crds/settings and samples/settings both write ConfigMap 'settings' of the cluster 'production'"),
    ]);
  });
});
