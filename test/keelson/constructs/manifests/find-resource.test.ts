import { findResource } from 'keelson/constructs';
import { Deployment } from 'keelson/kinds';

describe('findResource', () => {
  const manifests = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'x' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 1 } },
    { apiVersion: 'example.com/v1', kind: 'Deployment', metadata: { name: 'z' } },
  ];

  test('by name of the kind and name, or by kind', () => {
    expect(findResource(manifests, 'ConfigMap', 'b').metadata.name).toBe('b');
    const replicas: number | undefined = findResource(manifests, Deployment).spec?.replicas;
    expect(replicas).toBe(1);
  });

  test('what is not there, or not alone, is told with what is', () => {
    expect(() => findResource(manifests, 'Secret', 's')).toThrow(
      "there is no Secret 's' among ConfigMap x/a, ConfigMap b, Deployment a, Deployment z",
    );
    expect(() => findResource(manifests, 'ConfigMap')).toThrow('there are 2 of ConfigMap: ConfigMap x/a, ConfigMap b; give a name');
    expect(() => findResource([], 'Secret')).toThrow('there is no Secret among no manifests');
  });
});
