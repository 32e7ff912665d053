/** Behaviour of the kinds of API group `discovery`: EndpointSlices. */
import type { BehaviourMakers } from '../behaviour.js';
import { endpointSlices } from './endpoint-slice.js';

/** Behaviours of the kinds of this group. */
export const discoveryBehaviours: BehaviourMakers = {
  'discovery.k8s.io/endpointslices': endpointSlices,
};
