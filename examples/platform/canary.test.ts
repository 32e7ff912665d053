import { Testing } from 'cdk8s';
import { findResource } from 'keelson/constructs';
import { Deployment } from 'keelson/kinds';
import { CanaryChart } from './canary-chart.js';

const chart = new CanaryChart(Testing.app(), 'caches', {
  namespace: 'platform',
  image: 'registry.example.com/memcached-operator:0.1.0',
  canaryImage: 'registry.example.com/memcached-operator:0.2.0',
});
const manifests = chart.toJson() as { kind: string; metadata: { name: string; namespace?: string } }[];
const selectorOf = (name: string): string | undefined =>
  findResource(manifests, Deployment, name).spec?.template.spec?.containers[0]?.env?.find(
    (variable) => variable.name === 'KEELSON_SELECTOR',
  )?.value;

test('each cache is one of the two instances, and of one only', () => {
  expect([selectorOf('memcached-operator'), selectorOf('memcached-canary')]).toEqual(['track!=canary', 'track=canary']);
});

test('the instances share no object, so that one can be taken away', () => {
  const names = manifests.map(({ kind, metadata: { name, namespace = '' } }) => `${kind} ${namespace}/${name}`);
  expect(new Set(names).size).toBe(names.length);
});
