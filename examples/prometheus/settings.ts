import { settings } from 'keelson';
import { z } from 'zod';

// #region settings
/** Settings for all Prometheuses of an operator; variables of its process: `PROMETHEUS_OPERATOR_REPAIR_POLICY`. */
export const config = settings(
  z.object({
    prometheusImage: z.string().default('quay.io/prometheus/prometheus'),
    configReloaderImage: z.string().default('quay.io/prometheus-operator/prometheus-config-reloader:v0.93.0'),
    /** Two operators in one cluster: each looks at the Prometheuses that carry its own id in {@link CONTROLLER_ID}. */
    controllerId: z.string().default(''),
    /** How a Pod of an older revision goes that keeps a rollout from going on. */
    repairPolicy: z.enum(['none', 'evict', 'delete']).default('none'),
  }),
  { prefix: 'PROMETHEUS_OPERATOR_' },
);
// #endregion

export const CONTROLLER_ID = 'operator.prometheus.io/controller-id';
