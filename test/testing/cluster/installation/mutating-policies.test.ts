import { TestCluster } from '@keelson/testing';
import { defineOperator, mutatingPolicy } from 'keelson';
import { ConfigMap } from 'keelson/kinds';

const operator = defineOperator({
  name: 'marker',
  webhooks: [
    mutatingPolicy(ConfigMap, {
      name: 'marks.example.com',
      params: { kind: ConfigMap, selector: { matchLabels: { marks: 'yes' } }, namespace: 'default', parameterNotFoundAction: 'Allow' },
      mutations: [{ apply: 'Object{data: {"mark": params.data.mark}}' }],
    }),
  ],
});

test('a cluster with the operator has its mutating policies, whether it runs or not', async () => {
  const cluster = await TestCluster.start({ operator });
  try {
    const before = await cluster.create(ConfigMap({ metadata: { name: 'before' }, data: { a: '1' } }));
    await cluster.create(ConfigMap({ metadata: { name: 'marks', labels: { marks: 'yes' } }, data: { mark: 'blue' } }));
    const after = await cluster.create(ConfigMap({ metadata: { name: 'after' }, data: { a: '1' } }));
    expect([before.data, after.data]).toEqual([{ a: '1' }, { a: '1', mark: 'blue' }]);
  } finally {
    await cluster.close();
  }
});
