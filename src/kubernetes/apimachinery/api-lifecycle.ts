/** When Kubernetes took a version of a built-in kind for deprecated, and when it ceased to serve it: minor versions of Kubernetes 1. */
export interface ApiLifecycle {
  readonly deprecated: number;
  /** `undefined`: it is served for ever. */
  readonly removed: number | undefined;
}

type Kinds = Readonly<Record<string, readonly [deprecated: number, removed?: number]>>;

/**
 * Kinds whose objects are stored, by version. Deprecations planned for after 1.37 are left out, because Kubernetes may change its mind.
 *
 * Source: `zz_generated.prerelease-lifecycle.go` of k8s.io/api 0.35 and 0.37, kube-aggregator 0.34 and apiextensions-apiserver 0.37; for PodSecurityPolicy and the kinds of
 * `v1`, which are not there, the deprecation guide and the warnings of kube-apiserver.
 */
const LIFECYCLES: Readonly<Record<string, Kinds>> = {
  v1: { ComponentStatus: [19], Endpoints: [33] },
  'admissionregistration.k8s.io/v1alpha1': {
    MutatingAdmissionPolicy: [35, 38],
    MutatingAdmissionPolicyBinding: [35, 38],
    ValidatingAdmissionPolicy: [29, 32],
    ValidatingAdmissionPolicyBinding: [29, 32],
  },
  'admissionregistration.k8s.io/v1beta1': {
    MutatingAdmissionPolicy: [37, 40],
    MutatingAdmissionPolicyBinding: [37, 40],
    MutatingWebhookConfiguration: [16, 22],
    ValidatingAdmissionPolicy: [31, 34],
    ValidatingAdmissionPolicyBinding: [31, 34],
    ValidatingWebhookConfiguration: [16, 22],
  },
  'apiextensions.k8s.io/v1beta1': { CustomResourceDefinition: [16, 22] },
  'apiregistration.k8s.io/v1beta1': { APIService: [19, 22] },
  'apps/v1beta1': { ControllerRevision: [8, 16], Deployment: [8, 16], StatefulSet: [8, 16] },
  'apps/v1beta2': { ControllerRevision: [9, 16], DaemonSet: [9, 16], Deployment: [9, 16], ReplicaSet: [9, 16], StatefulSet: [9, 16] },
  'autoscaling/v2beta1': { HorizontalPodAutoscaler: [22, 25] },
  'autoscaling/v2beta2': { HorizontalPodAutoscaler: [23, 26] },
  'batch/v1beta1': { CronJob: [21, 25] },
  'certificates.k8s.io/v1alpha1': { ClusterTrustBundle: [34, 37] },
  'certificates.k8s.io/v1beta1': { CertificateSigningRequest: [19, 22], ClusterTrustBundle: [37, 40], PodCertificateRequest: [37, 40] },
  'coordination.k8s.io/v1alpha2': { LeaseCandidate: [35, 38] },
  'coordination.k8s.io/v1beta1': { Lease: [19, 22], LeaseCandidate: [36, 39] },
  'discovery.k8s.io/v1beta1': { EndpointSlice: [21, 25] },
  'events.k8s.io/v1beta1': { Event: [22, 25] },
  'extensions/v1beta1': { DaemonSet: [8, 16], Deployment: [8, 16], Ingress: [14, 22], NetworkPolicy: [9, 16], ReplicaSet: [8, 16] },
  'flowcontrol.apiserver.k8s.io/v1beta1': { FlowSchema: [23, 26], PriorityLevelConfiguration: [23, 26] },
  'flowcontrol.apiserver.k8s.io/v1beta2': { FlowSchema: [26, 29], PriorityLevelConfiguration: [26, 29] },
  'flowcontrol.apiserver.k8s.io/v1beta3': { FlowSchema: [29, 32], PriorityLevelConfiguration: [29, 32] },
  'networking.k8s.io/v1beta1': { Ingress: [19, 22], IngressClass: [19, 22], IPAddress: [34, 37], ServiceCIDR: [34, 37] },
  'node.k8s.io/v1beta1': { RuntimeClass: [22, 25] },
  'policy/v1beta1': { PodDisruptionBudget: [21, 25], PodSecurityPolicy: [21, 25] },
  'rbac.authorization.k8s.io/v1beta1': {
    ClusterRole: [17, 22],
    ClusterRoleBinding: [17, 22],
    Role: [17, 22],
    RoleBinding: [17, 22],
  },
  'resource.k8s.io/v1alpha3': { DeviceTaintRule: [36, 39] },
  'resource.k8s.io/v1beta1': { DeviceClass: [35, 38], ResourceClaim: [35, 38], ResourceClaimTemplate: [35, 38], ResourceSlice: [35, 38] },
  'resource.k8s.io/v1beta2': { DeviceClass: [36, 39], ResourceClaim: [36, 39], ResourceClaimTemplate: [36, 39], ResourceSlice: [36, 39] },
  'scheduling.k8s.io/v1beta1': { PriorityClass: [14, 22] },
  'storage.k8s.io/v1alpha1': { CSIStorageCapacity: [21, 24], VolumeAttachment: [21, 24], VolumeAttributesClass: [32, 35] },
  'storage.k8s.io/v1beta1': {
    CSIDriver: [19, 22],
    CSINode: [17, 22],
    CSIStorageCapacity: [24, 27],
    StorageClass: [19, 22],
    VolumeAttachment: [19, 22],
    VolumeAttributesClass: [34, 37],
  },
  'storagemigration.k8s.io/v1beta1': { StorageVersionMigration: [37, 40] },
};

/** The end of a version of a built-in kind; `undefined` if it has none, or the kind is not built in. */
export function apiLifecycleOf(apiVersion: string, kind: string): ApiLifecycle | undefined {
  const kinds = Object.hasOwn(LIFECYCLES, apiVersion) ? LIFECYCLES[apiVersion] : undefined;
  const found = kinds !== undefined && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return found && { deprecated: found[0], removed: found[1] };
}
