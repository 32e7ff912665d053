import { readdirSync } from 'node:fs';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { CustomResource, findResource, Operator } from 'keelson/constructs';
import { fullOperator, memcachedKind, plainOperator } from '../models';
import { type AnyManifest, image, manifestsOf } from '../synthesized';

describe('apply order', () => {
  test('kinds come in the order in which they can be applied, samples last, and CRDs stay first though samples depend on them', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new Operator(chart, 'operator', { operator: fullOperator, image, createNamespace: true, certificates: { certManager: {} } });
    new CustomResource(chart, 'sample', { definition: memcachedKind, ...{ spec: {} } });
    const kinds = (chart.toJson() as AnyManifest[]).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('CustomResourceDefinition')).toBeLessThan(kinds.indexOf('ServiceAccount'));
    const order = [...new Set(kinds)];
    expect(order).toEqual([
      'Namespace',
      'CustomResourceDefinition',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'Service',
      'Issuer',
      'Certificate',
      'Deployment',
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'Memcached',
    ]);
  });

  test('a sample that is created before the operator is written after its CRD', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new CustomResource(chart, 'sample', { definition: memcachedKind, ...{ spec: {} } });
    new Operator(chart, 'operator', { operator: plainOperator, image });
    const kinds = (chart.toJson() as AnyManifest[]).map(({ kind }) => kind);
    expect(kinds.indexOf('Memcached')).toBeGreaterThan(kinds.indexOf('CustomResourceDefinition'));
  });

  test('a sample in another chart makes no chart depend on another: cdk8s would number all files', () => {
    const app = new App({ outdir: Testing.app().outdir });
    new Operator(new Chart(app, 'operator', { namespace: 'system' }), 'operator', { operator: plainOperator, image });
    new CustomResource(new Chart(app, 'samples'), 'sample', { definition: memcachedKind, ...{ spec: {} } });
    app.synth();
    expect(readdirSync(app.outdir).sort()).toEqual(['operator.k8s.yaml', 'samples.k8s.yaml']);
  });
});

describe('the parts agree', () => {
  test('every reference finds its object', () => {
    const manifests = manifestsOf({ replicas: 2, networkPolicy: true, serviceMonitor: true, grafanaDashboard: true });
    const deployment = findResource(manifests, 'Deployment');
    const { selector, template } = deployment.spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(findResource(manifests, 'ServiceAccount').metadata.name).toBe(template.spec.serviceAccountName);
    expect(findResource(manifests, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(selector.matchLabels);
    expect(findResource(manifests, 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(selector.matchLabels);
    const service = findResource(manifests, 'Service', 'memcached-operator-webhook');
    const ports = template.spec.containers[0].ports as { name: string; containerPort: number }[];
    const port = ports.find(({ name }) => name === service.spec.ports[0].targetPort);
    expect(port?.containerPort).toBe(9443);
    expect(findResource(manifests, 'NetworkPolicy').spec.ingress).toContainEqual({ ports: [{ port: 9443, protocol: 'TCP' }] });
    for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) {
      for (const webhook of findResource(manifests, kind).webhooks) {
        expect(webhook.clientConfig.service).toMatchObject({
          name: service.metadata.name,
          namespace: service.metadata.namespace,
          port: service.spec.ports[0].port,
        });
      }
    }
    const conversion = findResource(manifests, 'CustomResourceDefinition', 'pools.net.example.com').spec.conversion;
    expect(conversion.webhook.clientConfig.service.name).toBe(service.metadata.name);
    const metrics = findResource(manifests, 'Service', 'memcached-operator-metrics');
    expect(metrics.metadata.labels).toMatchObject(findResource(manifests, 'ServiceMonitor').spec.selector.matchLabels);
    expect(service.metadata.labels).not.toMatchObject(findResource(manifests, 'ServiceMonitor').spec.selector.matchLabels);
  });

  test('no private key and no certificate is in a manifest (H60)', () => {
    for (const certificates of ['selfManaged', { certManager: {} }] as const) {
      expect(JSON.stringify(manifestsOf({ certificates }))).not.toMatch(/PRIVATE KEY|"caBundle"|"kind":"Secret"/);
    }
  });

  test('an operator that serves nothing over TLS has no Service, certificate or configuration for it', () => {
    const text = JSON.stringify(manifestsOf({ operator: plainOperator, certificates: { certManager: {} }, metrics: { secure: false } }));
    expect(text).not.toMatch(/webhook|certificate/i);
  });
});

test('two installations of one name in one cluster', () => {
  const app = Testing.app();
  const props = { operator: plainOperator, image, crds: false, aggregateRoles: false, cluster: 'production' } as const;
  new Operator(new Chart(app, 'a', { namespace: 'a' }), 'operator', props);
  new Operator(new Chart(app, 'b', { namespace: 'b' }), 'operator', props);
  expect(() => app.synthYaml()).toThrow(/both write ClusterRole 'memcached-operator'.*\(of an Operator: another `name`, and/);
});

describe('as cdk8s citizens', () => {
  test('chart labels and the escape hatches reach every part', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system', labels: { tier: 'a' } });
    const operator = new Operator(chart, 'operator', { operator: fullOperator, image });
    expect(ApiObject.of(operator).kind).toBe('Deployment');
    ApiObject.of(operator.deployment).addJsonPatch(JsonPatch.replace('/spec/replicas', 0));
    ApiObject.of(operator.crds.get('memcacheds.cache.example.com') as never).metadata.addAnnotation('argocd.argoproj.io/sync-wave', '-1');
    const manifests = chart.toJson() as AnyManifest[];
    expect(findResource(manifests, 'Deployment').spec.replicas).toBe(0);
    expect(findResource(manifests, 'CustomResourceDefinition', 'memcacheds.cache.example.com').metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-wave': '-1',
    });
    for (const manifest of manifests) expect(manifest.metadata).toMatchObject({ labels: { tier: 'a' } });
  });

  test('CRDs can live in a chart of their own (H50)', () => {
    const app = Testing.app();
    const crds = new Chart(app, 'crds');
    const system = new Chart(app, 'system', { namespace: 'system' });
    new Operator(system, 'operator', { operator: fullOperator, image, crds: { scope: crds } });
    expect((crds.toJson() as AnyManifest[]).map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'CustomResourceDefinition']);
    expect((system.toJson() as AnyManifest[]).some(({ kind }) => kind === 'CustomResourceDefinition')).toBe(false);
    app.synth();
    expect(readdirSync(app.outdir).sort()).toEqual(['crds.k8s.yaml', 'system.k8s.yaml']);
  });
});
