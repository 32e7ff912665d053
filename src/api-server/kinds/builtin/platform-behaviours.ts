import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from './admission-policy.js';
import { apiServices } from './api-service.js';
import type { BehaviourMaker } from './behaviour.js';
import { certificateSigningRequests } from './certificate-signing-request.js';
import { configMaps } from './config-map.js';
import { csiDrivers, csiNodes, csiStorageCapacities } from './csi-driver.js';
import { endpointSlices } from './endpoint-slice.js';
import { endpoints } from './endpoints.js';
import { events, eventsOfEventsGroup } from './event.js';
import { flowSchemas, priorityLevels } from './flow-control.js';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler.js';
import { ingresses } from './ingress.js';
import { ingressClasses } from './ingress-class.js';
import { leases } from './lease.js';
import { limitRanges } from './limit-range.js';
import { namespaces } from './namespace.js';
import { networkPolicies } from './network-policy.js';
import { nodes } from './node.js';
import { persistentVolumes } from './persistent-volume.js';
import { persistentVolumeClaims } from './persistent-volume-claim.js';
import { podDisruptionBudgets } from './pod-disruption-budget.js';
import { priorityClasses } from './priority-class.js';
import { resourceQuotas } from './resource-quota.js';
import { clusterRoles, roles } from './role.js';
import { clusterRoleBindings, roleBindings } from './role-binding.js';
import { runtimeClasses } from './runtime-class.js';
import { secrets } from './secret.js';
import { services } from './service.js';
import { serviceAccounts } from './service-account.js';
import { storageClasses, volumeAttributesClasses } from './storage-class.js';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhook-configuration.js';

/** Behaviours of all kinds but workloads, by group and plural. */
export const platformBehaviours: Readonly<Record<string, BehaviourMaker>> = {
  '/configmaps': () => configMaps,
  '/endpoints': () => endpoints,
  '/limitranges': () => limitRanges,
  '/namespaces': () => namespaces,
  '/nodes': () => nodes,
  '/resourcequotas': () => resourceQuotas,
  '/secrets': () => secrets,
  '/serviceaccounts': () => serviceAccounts,
  '/services': services,
  'discovery.k8s.io/endpointslices': () => endpointSlices,
  'networking.k8s.io/ingresses': () => ingresses,
  'networking.k8s.io/ingressclasses': () => ingressClasses,
  'networking.k8s.io/networkpolicies': () => networkPolicies,
  'coordination.k8s.io/leases': () => leases,
  'policy/poddisruptionbudgets': () => podDisruptionBudgets,
  'rbac.authorization.k8s.io/clusterroles': () => clusterRoles,
  'rbac.authorization.k8s.io/roles': () => roles,
  'rbac.authorization.k8s.io/clusterrolebindings': () => clusterRoleBindings,
  'rbac.authorization.k8s.io/rolebindings': () => roleBindings,
  'scheduling.k8s.io/priorityclasses': () => priorityClasses,
  'node.k8s.io/runtimeclasses': () => runtimeClasses,
  '/persistentvolumes': () => persistentVolumes,
  '/persistentvolumeclaims': () => persistentVolumeClaims,
  'storage.k8s.io/csidrivers': () => csiDrivers,
  'storage.k8s.io/csinodes': () => csiNodes,
  'storage.k8s.io/csistoragecapacities': () => csiStorageCapacities,
  'storage.k8s.io/volumeattributesclasses': () => volumeAttributesClasses,
  'apiregistration.k8s.io/apiservices': () => apiServices,
  'certificates.k8s.io/certificatesigningrequests': () => certificateSigningRequests,
  'flowcontrol.apiserver.k8s.io/flowschemas': () => flowSchemas,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': () => priorityLevels,
  'storage.k8s.io/storageclasses': () => storageClasses,
  '/events': () => events,
  'events.k8s.io/events': () => eventsOfEventsGroup,
  'autoscaling/horizontalpodautoscalers': () => horizontalPodAutoscalers,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': () => mutatingWebhookConfigurations,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': () => validatingWebhookConfigurations,
  'admissionregistration.k8s.io/validatingadmissionpolicies': validatingAdmissionPolicies,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': validatingAdmissionPolicyBindings,
};
