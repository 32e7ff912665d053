/** Behaviour of the kinds of API group `admissionregistration`: webhook configurations and admission policies. */
import type { BehaviourMakers } from '../behaviour.js';
import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from './admission-policy.js';
import { mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings } from './mutating-policy.js';

import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configuration.js';

export { mutatingBindingConversion, mutatingPolicyConversion } from './mutating-policy.js';

/** Behaviours of the kinds of this group. */
export const admissionregistrationBehaviours: BehaviourMakers = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingAdmissionPolicies,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': mutatingAdmissionPolicyBindings,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': () => mutatingWebhookConfigurations,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': () => validatingWebhookConfigurations,
  'admissionregistration.k8s.io/validatingadmissionpolicies': validatingAdmissionPolicies,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': validatingAdmissionPolicyBindings,
};
