/** Behaviour of the kinds of API group `autoscaling`: HorizontalPodAutoscalers. */
import type { BehaviourMakers } from '../behaviour.js';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler.js';

export { autoscalerConversion } from './autoscaler-conversion.js';

/** Behaviours of the kinds of this group. */
export const autoscalingBehaviours: BehaviourMakers = {
  'autoscaling/horizontalpodautoscalers': () => horizontalPodAutoscalers,
};
