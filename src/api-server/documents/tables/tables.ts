import type { TableConvertor } from '../../contract/index.js';
import { autoscalers } from './autoscalers.js';
import * as certificates from './certificates.js';
import * as cluster from './cluster.js';
import { customResourceDefinitions } from './definitions.js';
import * as network from './network.js';
import { pods, podTemplates } from './pods.js';
import * as policies from './policies.js';
import * as storage from './storage.js';
import { type Named, table } from './table.js';
import * as workloads from './workloads.js';

/** By group and kind. */
const TABLES: Readonly<Record<string, TableConvertor>> = {
  '/ComponentStatus': cluster.componentStatuses,
  '/ConfigMap': cluster.configMaps,
  '/Endpoints': network.endpoints,
  '/Event': cluster.events,
  '/Namespace': cluster.namespaces,
  '/Node': cluster.nodes,
  '/PersistentVolume': storage.persistentVolumes,
  '/PersistentVolumeClaim': storage.persistentVolumeClaims,
  '/Pod': pods,
  '/PodTemplate': podTemplates,
  '/ReplicationController': workloads.replicationControllers,
  '/ResourceQuota': cluster.resourceQuotas,
  '/Secret': cluster.secrets,
  '/Service': network.services,
  '/ServiceAccount': cluster.serviceAccounts,
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': policies.mutatingPolicies,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': policies.admissionPolicyBindings,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': policies.webhookConfigurations,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': policies.admissionPolicies,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': policies.admissionPolicyBindings,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': policies.webhookConfigurations,
  'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitions,
  'apiregistration.k8s.io/APIService': cluster.apiServices,
  'apps/ControllerRevision': workloads.controllerRevisions,
  'apps/DaemonSet': workloads.daemonSets,
  'apps/Deployment': workloads.deployments,
  'apps/ReplicaSet': workloads.replicaSets,
  'apps/StatefulSet': workloads.statefulSets,
  'autoscaling/HorizontalPodAutoscaler': autoscalers,
  'batch/CronJob': workloads.cronJobs,
  'batch/Job': workloads.jobs,
  'certificates.k8s.io/CertificateSigningRequest': certificates.certificateSigningRequests,
  'certificates.k8s.io/ClusterTrustBundle': certificates.clusterTrustBundles,
  'certificates.k8s.io/PodCertificateRequest': certificates.podCertificateRequests,
  'coordination.k8s.io/Lease': cluster.leases,
  'discovery.k8s.io/EndpointSlice': network.endpointSlices,
  'events.k8s.io/Event': cluster.events,
  'flowcontrol.apiserver.k8s.io/FlowSchema': policies.flowSchemas,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': policies.priorityLevels,
  'networking.k8s.io/IPAddress': network.ipAddresses,
  'networking.k8s.io/Ingress': network.ingresses,
  'networking.k8s.io/IngressClass': network.ingressClasses,
  'networking.k8s.io/NetworkPolicy': network.networkPolicies,
  'networking.k8s.io/ServiceCIDR': network.serviceCidrs,
  'node.k8s.io/RuntimeClass': cluster.runtimeClasses,
  'policy/PodDisruptionBudget': workloads.podDisruptionBudgets,
  'rbac.authorization.k8s.io/ClusterRoleBinding': policies.bindings,
  'rbac.authorization.k8s.io/RoleBinding': policies.bindings,
  'resource.k8s.io/DeviceClass': policies.namedAndAged,
  'resource.k8s.io/DeviceTaintRule': policies.deviceTaintRules,
  'resource.k8s.io/ResourceClaim': policies.resourceClaims,
  'resource.k8s.io/ResourceClaimTemplate': policies.namedAndAged,
  'resource.k8s.io/ResourceSlice': policies.resourceSlices,
  'scheduling.k8s.io/PriorityClass': cluster.priorityClasses,
  'storage.k8s.io/CSIDriver': storage.csiDrivers,
  'storage.k8s.io/CSINode': storage.csiNodes,
  'storage.k8s.io/StorageClass': storage.storageClasses,
  'storage.k8s.io/VolumeAttachment': storage.volumeAttachments,
  'storage.k8s.io/VolumeAttributesClass': storage.volumeAttributesClasses,
  'storagemigration.k8s.io/StorageVersionMigration': storage.storageVersionMigrations,
};

/** Columns of kinds that define none. Source: apiserver `pkg/registry/rest/table.go`. */
const DEFAULT_TABLE: TableConvertor = table<Named>(['Name', 'Created At:date'], ({ metadata }) => [
  metadata.name,
  metadata.creationTimestamp ?? '0001-01-01T00:00:00Z',
]);

/**
 * How a built-in kind is shown in rows, at every version.
 *
 * Source: kubernetes `pkg/printers/internalversion/printers.go`, kube-aggregator `pkg/registry/apiservice/etcd`.
 */
export function tableOf(group: string, kind: string): TableConvertor {
  return TABLES[`${group}/${kind}`] ?? DEFAULT_TABLE;
}
