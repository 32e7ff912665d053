/** Behaviour of the kinds of API group `apiregistration`: APIServices. */
import type { BehaviourMakers } from '../behaviour.js';
import { apiServices } from './api-service.js';

/** Behaviours of the kinds of this group. */
export const apiregistrationBehaviours: BehaviourMakers = {
  'apiregistration.k8s.io/apiservices': () => apiServices,
};
