import { invalid } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  conditionErrors,
  counters,
  type Errors,
  internalValue,
  labelSelectorErrors,
  notMoreThan100Percent,
  oneOf,
  positiveIntOrPercent,
  those,
} from '../checks/index.js';
import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from '../drafts.js';
import { withStatus } from '../generation.js';

const COUNTERS = counters<NonNullable<PodDisruptionBudget['status']>>([
  'disruptionsAllowed',
  'currentHealthy',
  'desiredHealthy',
  'expectedPods',
]);

/** Source: kubernetes `pkg/registry/policy/poddisruptionbudget`, `pkg/apis/policy/validation`. */
export const podDisruptionBudgets: Behaviour<PodDisruptionBudget> = {
  ...withStatus<PodDisruptionBudget>({
    newStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  }),
  validate: ({ spec }) => specErrors(spec ?? {}),
  validateUpdate: ({ spec }) => specErrors(spec ?? {}),
  allowsUnconditionalUpdate: false,
  validateStatusUpdate({ status }) {
    if (status === undefined) return [];
    return [...conditionErrors(status.conditions ?? [], 'status.conditions'), ...COUNTERS(status, 'status')];
  },
};

function specErrors(spec: PodDisruptionBudgetSpec): Errors {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const share = (value: number | string | undefined, path: string): Errors =>
    value === undefined ? [] : [...positiveIntOrPercent(value, path), ...notMoreThan100Percent(value, path)];
  const printed = internalValue('policy/v1.PodDisruptionBudgetSpec', spec);
  return those(
    minAvailable !== undefined &&
      maxUnavailable !== undefined &&
      invalid('spec', printed, 'minAvailable and maxUnavailable cannot be both set'),
    share(minAvailable, 'spec.minAvailable'),
    share(maxUnavailable, 'spec.maxUnavailable'),
    labelSelectorErrors(selector, 'spec.selector'),
    oneOf(['AlwaysAllow', 'IfHealthyBudget'])(policy, 'spec.unhealthyPodEvictionPolicy'),
  );
}
