import type { Container, PodSpec } from '../../drafts.js';

/**
 * Drops what belongs to features that a server of 1.34 has switched off, unless the object has it already.
 *
 * Source: kubernetes 1.34 `pkg/api/pod/util.go` (`dropDisabledFields`), default feature gates.
 */
export function dropDisabledPodFields(spec: PodSpec | undefined, old: PodSpec | undefined): void {
  if (spec === undefined) return;
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])] as Container[];
  const oldContainers = [...(old?.initContainers ?? []), ...(old?.containers ?? []), ...(old?.ephemeralContainers ?? [])] as Container[];
  if (old?.hostnameOverride === undefined) delete spec.hostnameOverride;
  if (!usesRestartRules(old)) dropRestartRules(spec);
  if (!oldContainers.some(usesEnvFiles)) {
    for (const { valueFrom } of containers.flatMap(({ env }) => env ?? [])) if (valueFrom !== undefined) delete valueFrom.fileKeyRef;
  }
  if (!oldContainers.some(({ lifecycle }) => lifecycle?.stopSignal !== undefined))
    for (const container of containers) dropStopSignal(container);
  if (!(old?.volumes ?? []).some(({ image }) => image !== undefined)) dropImageVolumes(spec, containers);
  dropVolumeFields(spec, old);
}

function usesRestartRules(spec: PodSpec | undefined): boolean {
  const containers = [...(spec?.containers ?? []), ...((spec?.ephemeralContainers ?? []) as Container[])];
  const isRuled = ({ restartPolicy, restartPolicyRules }: Container): boolean =>
    restartPolicy !== undefined || (restartPolicyRules ?? []).length > 0;
  const isRuledInit = (container: Container): boolean => isRuled(container) && container.restartPolicy !== 'Always';
  return containers.some(isRuled) || (spec?.initContainers ?? []).some(isRuledInit);
}

/** Only init containers that stay have a policy of their own. */
function dropRestartRules(spec: PodSpec): void {
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy !== 'Always') delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
  for (const container of [...(spec.containers ?? []), ...((spec.ephemeralContainers ?? []) as Container[])]) {
    delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
}

function usesEnvFiles({ env }: Container): boolean {
  return (env ?? []).some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined);
}

function dropStopSignal(container: Container): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}

/** With what mounts them. */
function dropImageVolumes(spec: PodSpec, containers: readonly Container[]): void {
  const names = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (names.size === 0) return;
  spec.volumes = (spec.volumes ?? []).filter(({ name }) => !names.has(name));
  for (const container of containers) container.volumeMounts = (container.volumeMounts ?? []).filter(({ name }) => !names.has(name));
}

function dropVolumeFields(spec: PodSpec, old: PodSpec | undefined): void {
  const oldSources = (old?.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  for (const volume of spec.volumes ?? []) {
    for (const source of volume.projected?.sources ?? []) {
      if (!oldSources.some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined)) delete source.clusterTrustBundle;
      if (!oldSources.some(({ podCertificate }) => podCertificate !== undefined)) delete source.podCertificate;
    }
  }
}
