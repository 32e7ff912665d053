import { counter, defineController, defineCustomResource, defineOperator, gauge, histogram } from 'keelson';
import { findResource, type OperatorProps } from 'keelson/constructs';
import { z } from 'zod';
import { manifestsOf } from '../synthesized';

const BY = 'namespace="system", service="memcached-operator-metrics"';

interface Panel {
  readonly title: string;
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly legendFormat: string; readonly expr: string }[];
}

function panelsOf(props: Partial<OperatorProps>) {
  const { data } = findResource(manifestsOf({ grafanaDashboard: true, ...props }), 'ConfigMap');
  const [json = ''] = Object.values(data as Readonly<Record<string, string>>);
  const { panels } = JSON.parse(json) as { readonly panels: readonly Panel[] };
  return panels.map(({ title, fieldConfig, targets }) => ({ title, unit: fieldConfig.defaults.unit, targets }));
}

function queryOf(title: string, props: Partial<OperatorProps>): string | undefined {
  return panelsOf(props).find((panel) => panel.title === title)?.targets[0]?.expr;
}

test('the queue of a standby, which fills and is not worked on, is not shown as objects that wait', () => {
  expect(queryOf('Queue depth', {})).toBe(
    `sum by (controller) (workqueue_depth{${BY}} and on (instance) (leader_election_master_status{${BY}} == 1))`,
  );
  expect(queryOf('Queue depth', { leaderElection: false })).toBe(`sum by (controller) (workqueue_depth{${BY}})`);
});

test('metrics that the operator declares have a panel each, with the labels and the unit that they are declared with', () => {
  const free = gauge('store_free_bytes', 'Space that is left in the store.');
  const Backup = defineCustomResource({ group: 'backup.example.com', kind: 'Backup', versions: { v1: { spec: z.object({}) } } });
  const backup = defineController({
    name: 'backup',
    for: Backup,
    uses: {
      sizes: histogram('backup_size_bytes', 'Size of backups.'),
      failures: counter('store_failures_total', 'Failed calls of the store.', ['reason']),
      free,
    },
    reconcile: ({ done }) => done(),
  });
  const operator = defineOperator({
    name: 'memcached-operator',
    controllers: [backup],
    tasks: { sweep: { every: '1h', uses: { free }, run: () => undefined } },
  });
  const own = panelsOf({ operator }).slice(-3);
  expect(own.map(({ title, unit, targets }) => [title, unit, targets.map(({ legendFormat, expr }) => `${legendFormat}: ${expr}`)])).toEqual(
    [
      [
        'Size of backups.',
        'bytes',
        ['0.5', '0.99'].map(
          (quantile) =>
            `backup_size_bytes p${Number(quantile) * 100}: histogram_quantile(${quantile}, sum by (le) (rate(backup_size_bytes_bucket{${BY}}[5m])))`,
        ),
      ],
      ['Failed calls of the store.', 'ops', [`{{reason}}: sum by (reason) (rate(store_failures_total{${BY}}[5m]))`]],
      ['Space that is left in the store.', 'bytes', [`store_free_bytes: max(store_free_bytes{${BY}})`]],
    ],
  );
});
