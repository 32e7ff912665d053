import type { Installation } from '../installation/index.js';

/** PromQL with `$by` and `$waiting` filled in for one installation. */
export function promQl(query: string, installation: Installation): string {
  return query.replaceAll('$waiting', waiting(installation)).replaceAll('$by', seriesOf(installation));
}

/** The labels that a ServiceMonitor of the metrics Service gives to the operator's series. */
function seriesOf({ namespace, names }: Installation): string {
  return `namespace="${namespace}", service="${names.metricsService}"`;
}

/** Objects that wait, by controller, on the leader: the queue of a standby fills and is not worked on. */
function waiting({ leaseName }: Installation): string {
  const leads = leaseName === undefined ? '' : ' and on (instance) (leader_election_master_status{$by} == 1)';
  return `sum by (controller) (workqueue_depth{$by}${leads})`;
}
