import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { ManifestObject, setCluster } from 'keelson/constructs';

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', scope: 'Namespaced' } as const;

/** An app for one cluster, with an object of ours, and in two charts one of another library each. */
function withOthers(object: { readonly apiVersion: string; readonly kind: string }, namespaces: readonly string[] = []): App {
  const app = Testing.app();
  setCluster(app, 'production');
  new ManifestObject(new Chart(app, 'ours'), 'settings', { ...CONFIG, metadata: { name: 'settings' } });
  ['a', 'b'].forEach((id, index) => {
    const namespace = namespaces[index];
    new ApiObject(new Chart(app, id, namespace === undefined ? {} : { namespace }), 'one', { ...object, metadata: { name: 'x' } });
  });
  return app;
}

describe('two objects of one identity', () => {
  test('are found across the charts and libraries of one cluster', () => {
    const app = Testing.app();
    setCluster(app, 'production');
    const a = new Chart(app, 'a', { namespace: 'system' });
    const b = new Chart(app, 'b', { namespace: 'system' });
    new ManifestObject(a, 'one', { ...CONFIG, metadata: { name: 'settings' } });
    new ApiObject(b, 'two', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
    expect(() => app.synthYaml()).toThrow(
      /a\/one and b\/two both write ConfigMap 'settings' in namespace 'system' of the cluster 'production'/,
    );
  });

  test('cluster-scoped ones are one object whatever namespace their charts have', () => {
    const app = Testing.app();
    setCluster(app, 'production');
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

  /** The built-in kinds that no namespace has, as `kubectl api-resources --namespaced=false` lists those that manifests hold. */
  test.each([
    ['admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration'],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['apiregistration.k8s.io/v1', 'APIService'],
    ['certificates.k8s.io/v1', 'CertificateSigningRequest'],
    ['networking.k8s.io/v1', 'IngressClass'],
    ['node.k8s.io/v1', 'RuntimeClass'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole ClusterRoleBinding'],
    ['scheduling.k8s.io/v1', 'PriorityClass'],
    ['storage.k8s.io/v1', 'CSIDriver StorageClass'],
    ['v1', 'Namespace PersistentVolume'],
  ])('of other libraries too, whatever namespace cdk8s gives them: %s %s', (apiVersion, kinds) => {
    for (const kind of kinds.split(' '))
      expect(() => withOthers({ apiVersion, kind }, ['a', 'b']).synthYaml()).toThrow(
        `a/one and b/one both write ${kind} 'x' of the cluster 'production': the second would overwrite the first`,
      );
  });

  test.each([
    ['v1', 'ConfigMap'],
    ['apps/v1', 'Deployment'],
    ['example.com/v1', 'StorageClass'],
    ['my-k8s.io/v1', 'Namespace'],
  ])('an object of another library in two namespaces is two: %s %s', (apiVersion, kind) => {
    expect(
      withOthers({ apiVersion, kind }, ['a', 'b'])
        .synthYaml()
        .match(/^kind:/gm),
    ).toHaveLength(3);
  });

  test.each([
    [
      'v1',
      'ConfigMap',
      'give one another metadata.name (of an Operator: another `name`, and for the roles of a custom resource `aggregateRoles: false`); if they are for',
    ],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'write it once (of an Operator: `crds: false`); if they are for two clusters,'],
  ])('have a way out: %s %s', (apiVersion, kind, hint) => {
    expect(() => withOthers({ apiVersion, kind }).synthYaml()).toThrow(
      `a/one and b/one both write ${kind} 'x' of the cluster 'production': the second would overwrite the first; ${hint}`,
    );
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
