import { Testing } from 'cdk8s';
import { findResource } from 'keelson/constructs';
import { ConfigMap, Deployment, Namespace, ServiceAccount } from 'keelson/kinds';
import { PlatformChart } from './platform-chart.js';

const chart = new PlatformChart(Testing.app(), 'platform', {
  namespace: 'platform',
  image: 'registry.example.com/memcached-operator:0.1.0',
  labels: { team: 'platform' },
});
const manifests = chart.toJson() as { kind: string; metadata: { name: string; namespace?: string; labels?: Record<string, string> } }[];

describe('keelson among cdk8s-plus', () => {
  test('the operator lives in the namespace that cdk8s-plus makes', () => {
    const { metadata } = findResource(manifests, Namespace);
    expect(metadata.name).toBe('platform');
    expect(findResource(manifests, Deployment, 'memcached-operator').metadata.namespace).toBe('platform');
  });

  test('its variables come from the ConfigMap, by EnvValue and by envFrom', () => {
    const settings = findResource(manifests, ConfigMap).metadata.name;
    const container = findResource(manifests, Deployment, 'memcached-operator').spec?.template.spec?.containers[0];
    expect(container?.env).toContainEqual({ name: 'REGION', valueFrom: { configMapKeyRef: { name: settings, key: 'region' } } });
    expect(container?.envFrom).toEqual([{ configMapRef: { name: settings } }]);
  });

  test('a role of cdk8s-plus is bound to its ServiceAccount', () => {
    const role = findResource(manifests, 'Role', 'settings-reader');
    const binding = manifests.find(
      (manifest) => manifest.kind === 'RoleBinding' && JSON.stringify(manifest).includes(`"name":"${role.metadata.name}"`),
    );
    const { name } = findResource(manifests, ServiceAccount, 'memcached-operator').metadata;
    expect(binding).toMatchObject({ subjects: [{ kind: 'ServiceAccount', name, namespace: 'platform' }] });
  });

  test('a workload of cdk8s-plus names the custom resource', () => {
    const sessions = findResource(manifests, 'Memcached');
    expect(JSON.stringify(findResource(manifests, Deployment, 'web'))).toContain(`{"name":"CACHE","value":"${sessions.metadata.name}"}`);
  });

  test('the chart labels reach the objects of both libraries', () => {
    for (const manifest of manifests) expect(manifest.metadata.labels).toMatchObject({ team: 'platform' });
  });

  test('the CRD comes before the custom resource, and cluster-scoped objects of keelson carry no namespace', () => {
    const kinds = manifests.map(({ kind }) => kind);
    expect(kinds.indexOf('CustomResourceDefinition')).toBeLessThan(kinds.indexOf('Memcached'));
    for (const kind of ['CustomResourceDefinition', 'ClusterRoleBinding', 'ValidatingWebhookConfiguration']) {
      expect(findResource(manifests, kind).metadata).not.toHaveProperty('namespace');
    }
  });
});
