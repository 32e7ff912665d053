/** Behaviour of the kinds of API group `node`: RuntimeClasses. */
import type { BehaviourMakers } from '../behaviour.js';
import { runtimeClasses } from './runtime-class.js';

/** Behaviours of the kinds of this group. */
export const nodeBehaviours: BehaviourMakers = {
  'node.k8s.io/runtimeclasses': () => runtimeClasses,
};
