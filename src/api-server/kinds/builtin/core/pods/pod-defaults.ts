import { roundResourceList } from '../../checks/index.js';
import type {
  Container,
  DownwardAPIVolumeFile,
  EphemeralContainer,
  Lifecycle,
  ObjectFieldSelector,
  PersistentVolumeClaimSpec,
  Pod,
  PodSpec,
  PodTemplateSpec,
  Probe,
  ProjectedVolumeSource,
  Volume,
} from '../../drafts.js';
import { imageTag } from './image-reference.js';

/**
 * The values that the server fills in where a pod leaves something out.
 *
 * Source: kubernetes `pkg/apis/core/v1/{defaults,zz_generated.defaults,conversion}.go`.
 */
export function setPodDefaults(pod: Pod): void {
  const spec = specOf(pod);
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    if (resources?.limits !== undefined) resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) setHostPorts([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
  setPodSpecDefaults(spec);
  for (const status of [
    ...(pod.status?.initContainerStatuses ?? []),
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.ephemeralContainerStatuses ?? []),
  ]) {
    roundResourceList(status.allocatedResources);
    roundResourceList(status.resources?.limits);
    roundResourceList(status.resources?.requests);
  }
  if (pod.status !== undefined) syncAddresses(pod.status);
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
}

/** Two fields for addresses, of which the older counts. */
function syncAddresses(status: NonNullable<Pod['status']>): void {
  const { podIP = '', podIPs } = status;
  if (podIP !== '' && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first !== undefined) status.podIP = first;
}

export function setPodTemplateDefaults(template: PodTemplateSpec): void {
  template.spec ??= { containers: [] };
  template.metadata ??= {};
  setPodSpecDefaults(template.spec);
}

function specOf(pod: Pod): PodSpec {
  const written = pod as { spec?: PodSpec };
  written.spec ??= { containers: [] };
  return written.spec;
}

function setHostPorts(containers: readonly Container[]): void {
  for (const port of containers.flatMap(({ ports }) => ports ?? [])) port.hostPort = port.hostPort || port.containerPort;
}

function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  setServiceAccount(spec);
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const container of spec.initContainers ?? []) setContainerDefaults(container);
  for (const container of spec.containers ?? []) setContainerDefaults(container);
  for (const container of spec.ephemeralContainers ?? []) setContainerDefaults(container);
  roundResourceList(spec.overhead);
  roundResourceList(spec.resources?.limits);
  roundResourceList(spec.resources?.requests);
}

/** Two names of one field: the newer wins, both are answered. */
function setServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (name === undefined || name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= imageTag(container.image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef !== undefined) setFieldRefDefaults(valueFrom.fieldRef);
    if (valueFrom?.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
  }
  roundResourceList(container.resources?.limits);
  roundResourceList(container.resources?.requests);
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) setProbeDefaults(probe);
  setLifecycleDefaults(container.lifecycle);
}

function setFieldRefDefaults(selector: ObjectFieldSelector): void {
  selector.apiVersion ||= 'v1';
}

function setProbeDefaults(probe: Probe | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpGetDefaults(probe.httpGet);
  if (probe.grpc !== undefined) probe.grpc.service ??= '';
}

function setLifecycleDefaults(lifecycle: Lifecycle | undefined): void {
  setHttpGetDefaults(lifecycle?.postStart?.httpGet);
  setHttpGetDefaults(lifecycle?.preStop?.httpGet);
}

function setHttpGetDefaults(action: Probe['httpGet']): void {
  if (action === undefined) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

const FILE_MODE = 0o644;

function setVolumeDefaults(volume: Volume): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  const { hostPath, secret, configMap, downwardAPI, projected, ephemeral, image } = volume;
  if (hostPath !== undefined) hostPath.type ??= '';
  if (secret !== undefined) secret.defaultMode ??= FILE_MODE;
  if (configMap !== undefined) configMap.defaultMode ??= FILE_MODE;
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= FILE_MODE;
    setFileDefaults(downwardAPI.items);
  }
  if (projected !== undefined) setProjectedDefaults(projected);
  if (ephemeral?.volumeClaimTemplate !== undefined) setClaimSpecDefaults(ephemeral.volumeClaimTemplate.spec);
  if (image !== undefined) image.pullPolicy ||= imageTag(image.reference ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
  setStorageDefaults(volume);
}

/** Volumes of storage systems, most of which are no more; also of PersistentVolumes. */
export function setStorageDefaults({ iscsi, rbd, azureDisk, scaleIO }: Pick<Volume, 'azureDisk' | 'iscsi' | 'rbd' | 'scaleIO'>): void {
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default';
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}

function setFileDefaults(items: readonly DownwardAPIVolumeFile[] | undefined): void {
  for (const { fieldRef } of items ?? []) if (fieldRef !== undefined) setFieldRefDefaults(fieldRef);
}

function setProjectedDefaults(projected: ProjectedVolumeSource): void {
  projected.defaultMode ??= FILE_MODE;
  for (const { downwardAPI, serviceAccountToken } of projected.sources ?? []) {
    setFileDefaults(downwardAPI?.items);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= 3600;
  }
}

/** Also of PersistentVolumeClaims and of the templates of StatefulSets. */
export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  roundResourceList(spec.resources?.limits);
  roundResourceList(spec.resources?.requests);
}
