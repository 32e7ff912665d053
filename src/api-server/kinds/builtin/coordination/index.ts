/** Behaviour of the kinds of API group `coordination`: Leases. */
import type { BehaviourMakers } from '../behaviour.js';
import { leases } from './lease.js';

/** Behaviours of the kinds of this group. */
export const coordinationBehaviours: BehaviourMakers = {
  'coordination.k8s.io/leases': () => leases,
};
