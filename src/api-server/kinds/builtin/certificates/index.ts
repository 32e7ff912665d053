/** Behaviour of the kinds of API group `certificates`: CertificateSigningRequests. */
import type { BehaviourMakers } from '../behaviour.js';
import { certificateSigningRequests } from './certificate-signing-request.js';

/** Behaviours of the kinds of this group. */
export const certificatesBehaviours: BehaviourMakers = {
  'certificates.k8s.io/certificatesigningrequests': () => certificateSigningRequests,
};
