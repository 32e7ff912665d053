import type { Installation } from '../installation/index.js';

/** The PromQL selector of the operator's series: the labels that a ServiceMonitor of its metrics Service gives them. */
export function seriesOf({ namespace, names }: Installation): string {
  return `namespace="${namespace}", service="${names.metricsService}"`;
}
