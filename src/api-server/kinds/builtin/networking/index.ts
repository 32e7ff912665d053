/** Behaviour of the kinds of API group `networking`: Ingresses, IngressClasses, NetworkPolicies. */
import type { BehaviourMakers } from '../behaviour.js';
import { ingresses } from './ingress.js';
import { ingressClasses } from './ingress-class.js';
import { networkPolicies } from './network-policy.js';

/** Behaviours of the kinds of this group. */
export const networkingBehaviours: BehaviourMakers = {
  'networking.k8s.io/ingresses': () => ingresses,
  'networking.k8s.io/ingressclasses': () => ingressClasses,
  'networking.k8s.io/networkpolicies': () => networkPolicies,
};
