/** Behaviour of the kinds of API group `scheduling`: PriorityClasses. */
import type { BehaviourMakers } from '../behaviour.js';
import { priorityClasses } from './priority-class.js';

/** Behaviours of the kinds of this group. */
export const schedulingBehaviours: BehaviourMakers = {
  'scheduling.k8s.io/priorityclasses': () => priorityClasses,
};
