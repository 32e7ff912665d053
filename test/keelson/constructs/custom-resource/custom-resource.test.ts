import { Chart, Testing } from 'cdk8s';
import { CustomResource } from 'keelson/constructs';
import { ConfigMap } from 'keelson/kinds';
import { poolKind } from '../models';

test('a built-in kind as a construct: fields beside spec, typed by the kind', () => {
  const chart = Testing.chart();
  new CustomResource(chart, 'settings', { definition: ConfigMap, metadata: { name: 'settings' }, data: { a: '1' } });
  expect(Testing.synth(chart)).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } }]);
});

test('a cluster-scoped custom resource carries no namespace', () => {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new CustomResource(chart, 'pool', { definition: poolKind, metadata: { name: 'p' }, ...{ spec: {} } });
  expect(chart.toJson()[0].metadata).toEqual({ name: 'p' });
});

test('what is not a kind is refused', () => {
  expect(() => new CustomResource(Testing.chart(), 'x', { definition: {} as never })).toThrow(/^test\/x: definition is not a kind/);
});
