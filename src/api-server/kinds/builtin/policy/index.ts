/** Behaviour of the kinds of API group `policy`: PodDisruptionBudgets. */
import type { BehaviourMakers } from '../behaviour.js';
import { podDisruptionBudgets } from './pod-disruption-budget.js';

/** Behaviours of the kinds of this group. */
export const policyBehaviours: BehaviourMakers = {
  'policy/poddisruptionbudgets': () => podDisruptionBudgets,
};
