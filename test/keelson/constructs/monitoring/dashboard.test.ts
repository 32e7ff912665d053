import { findResource, type OperatorProps } from 'keelson/constructs';
import { manifestsOf } from '../synthesized';

function queryOf(title: string, props: Partial<OperatorProps>): string | undefined {
  const { data } = findResource(manifestsOf({ grafanaDashboard: true, ...props }), 'ConfigMap');
  const [json = ''] = Object.values(data as Readonly<Record<string, string>>);
  const { panels } = JSON.parse(json) as {
    readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  };
  return panels.find((panel) => panel.title === title)?.targets[0]?.expr;
}

test('the queue of a standby, which fills and is not worked on, is not shown as objects that wait', () => {
  const by = 'namespace="system", service="memcached-operator-metrics"';
  expect(queryOf('Queue depth', {})).toBe(
    `sum by (controller) (workqueue_depth{${by}} and on (instance) (leader_election_master_status{${by}} == 1))`,
  );
  expect(queryOf('Queue depth', { leaderElection: false })).toBe(`sum by (controller) (workqueue_depth{${by}})`);
});
