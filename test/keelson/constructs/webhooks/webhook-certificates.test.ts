import { Chart, Testing } from 'cdk8s';
import { findResource, installationOf, WebhookCertificates } from 'keelson/constructs';
import { plainOperator } from '../models';
import { manifestsOf } from '../synthesized';

test('with cert-manager the CA is injected wherever the API server calls us', () => {
  const manifests = manifestsOf({ certificates: { certManager: {} } });
  const annotated = manifests.filter((manifest) =>
    JSON.stringify(manifest.metadata).includes('"cert-manager.io/inject-ca-from":"system/memcached-operator-certificate"'),
  );
  expect(annotated.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'CustomResourceDefinition/pools.net.example.com',
    'MutatingWebhookConfiguration/memcached-operator',
    'ValidatingWebhookConfiguration/memcached-operator',
  ]);
  const deployment = findResource(manifests, 'Deployment');
  const certificate = findResource(manifests, 'Certificate', 'memcached-operator-certificate');
  expect(deployment.spec.template.spec.volumes[0].secret.secretName).toBe(certificate.spec.secretName);
  expect(certificate.spec.dnsNames).toContain('memcached-operator-webhook.system.svc');
});

test('secure metrics alone need a certificate', () => {
  const manifests = manifestsOf({ operator: plainOperator, certificates: { certManager: {} } });
  expect(findResource(manifests, 'Certificate', 'memcached-operator-certificate').spec.dnsNames).toEqual([
    'memcached-operator-metrics.system.svc',
    'memcached-operator-metrics.system.svc.cluster.local',
  ]);
});

test('without anything that is served over TLS it is refused', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  const installation = installationOf(chart, { operator: plainOperator, metrics: false });
  expect(() => new WebhookCertificates(chart, 'certificates', { installation })).toThrow(/serves nothing over TLS/);
});
