/**
 * Features that a kube-apiserver has only if its flags ask for them.
 *
 * - `MutatingAdmissionPolicy`: `admissionregistration.k8s.io/v1beta1`, at which servers before 1.36 have the policies that change objects. This server always has
 *   them at `v1`. The flag of a real server: `--runtime-config=admissionregistration.k8s.io/v1beta1=true`.
 */
export type ServerFeature = 'MutatingAdmissionPolicy';

export const SERVER_FEATURES: readonly ServerFeature[] = ['MutatingAdmissionPolicy'];
