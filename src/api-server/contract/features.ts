/**
 * Features that a kube-apiserver 1.34 has only where its flags ask for them.
 *
 * - `MutatingAdmissionPolicy`: policies that change objects, and `admissionregistration.k8s.io/v1beta1`, which has their kinds. The flags of a real server:
 *   `--feature-gates=MutatingAdmissionPolicy=true --runtime-config=admissionregistration.k8s.io/v1beta1=true`.
 */
export type ServerFeature = 'MutatingAdmissionPolicy';

export const SERVER_FEATURES: readonly ServerFeature[] = ['MutatingAdmissionPolicy'];
