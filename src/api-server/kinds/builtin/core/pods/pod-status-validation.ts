import { duplicate, type FieldError, forbidden, invalid } from '@keelson/kubernetes/apimachinery';
import { dnsSubdomain, type Errors, immutable, ipErrors, labelName, those } from '../../checks/index.js';
import type { Pod, PodStatus } from '../../drafts.js';
import { isSidecar } from '../containers/index.js';
import { podAnnotationErrors, podAnnotationUpdateErrors } from './pod-annotations.js';

/** Source: kubernetes `pkg/apis/core/validation` (`ValidatePodStatusUpdate`). */
export function podStatusErrors(pod: Pod, old: Pod): Errors {
  const [status, oldStatus]: readonly [PodStatus, PodStatus] = [pod.status ?? {}, old.status ?? {}];
  const { nominatedNodeName = '', observedGeneration = 0, qosClass } = status;
  const isNominated = nominatedNodeName !== '' && nominatedNodeName !== oldStatus.nominatedNodeName;
  return those(
    podAnnotationUpdateErrors(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}, 'metadata.annotations'),
    podAnnotationErrors(pod.metadata.annotations ?? {}, pod.spec, 'metadata.annotations'),
    conditionErrors(status, 'status.conditions'),
    isNominated && dnsSubdomain(nominatedNodeName, 'status.nominatedNodeName'),
    isNominated &&
      (old.spec.nodeName ?? '') !== '' &&
      forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node'),
    observedGeneration < 0 && invalid('status.observedGeneration', observedGeneration, 'must be a non-negative integer'),
    immutable(qosClass, oldStatus.qosClass, 'status.qosClass', qosClass ?? ''),
    transitionErrors(pod, old),
    claimStatusErrors(pod, 'status.resourceClaimStatuses'),
    addressErrors(status, oldStatus),
  );
}

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

function conditionErrors({ conditions = [] }: PodStatus, path: string): Errors {
  return conditions.flatMap(({ type, observedGeneration = 0 }, index) =>
    those(
      observedGeneration < 0 && invalid(`${path}[${index}].observedGeneration`, observedGeneration, 'must be a non-negative integer'),
      !SYSTEM_CONDITIONS.includes(type) && labelName(type, `${path}[${index}].Type`),
    ),
  );
}

type Statuses = PodStatus['containerStatuses'];

/** A container that has ended for good does not begin again. */
function transitionErrors({ status = {} }: Pod, { spec, status: old = {} }: Pod): Errors {
  const { restartPolicy } = spec;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const mayRestart = (name: string, exitCode: number): boolean =>
    restartPolicy === 'Always' || (exitCode !== 0 && restartPolicy === 'OnFailure') || sidecars.has(name);
  return [
    ...restartErrors(status.containerStatuses, old.containerStatuses, { path: 'status.containerStatuses', mayRestart }),
    ...restartErrors(status.initContainerStatuses, old.initContainerStatuses, { path: 'status.initContainerStatuses', mayRestart }),
    ...restartErrors(status.ephemeralContainerStatuses, old.ephemeralContainerStatuses, {
      path: 'status.ephemeralContainerStatuses',
      mayRestart: () => false,
    }),
  ];
}

function restartErrors(
  statuses: Statuses,
  old: Statuses,
  { path, mayRestart }: { path: string; mayRestart: (name: string, exitCode: number) => boolean },
): Errors {
  return (old ?? []).flatMap(({ name, state }, index) => {
    const ended = state?.terminated;
    if (ended === undefined || mayRestart(name, ended.exitCode)) return [];
    const isBack = (statuses ?? []).some((status) => status.name === name && status.state?.terminated === undefined);
    return isBack ? [forbidden(`${path}[${index}].state`, 'may not be transitioned to non-terminated state')] : [];
  });
}

function claimStatusErrors({ spec, status }: Pod, path: string): Errors {
  const names = new Set<string>();
  return (status?.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, index) => {
    const field = `${path}[${index}].name`;
    const errors: FieldError[] = [];
    if (!(spec.resourceClaims ?? []).some((claim) => claim.name === name)) {
      errors.push(invalid(field, name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (names.has(name)) errors.push(duplicate(field, name));
    names.add(name);
    return resourceClaimName === undefined ? errors : [...errors, ...dnsSubdomain(resourceClaimName, field)];
  });
}

function addressErrors({ podIPs = [], hostIP = '', hostIPs = [] }: PodStatus, old: PodStatus): Errors {
  const [firstHost] = hostIPs;
  const isOther = firstHost !== undefined && firstHost.ip !== hostIP;
  return those(
    listErrors(
      podIPs.map(({ ip }) => ip),
      (old.podIPs ?? []).map(({ ip }) => ip),
      'status.podIPs',
    ),
    isOther && invalid('status.hostIPs[0].ip', firstHost.ip, 'must be equal to `hostIP`'),
    listErrors(
      hostIPs.map(({ ip }) => ip),
      (old.hostIPs ?? []).map(({ ip }) => ip),
      'status.hostIPs',
    ),
  );
}

function listErrors(addresses: readonly string[], old: readonly string[], path: string): Errors {
  const families = new Set(addresses.map((address) => address.includes(':')));
  const printed = addresses.map((ip) => new Map([['IP', ip]]));
  const isTooMuch = addresses.length > 2 || (addresses.length === 2 && families.size < 2);
  return those(
    addresses.flatMap((address, index) => (old.includes(address) ? [] : ipErrors(address, `${path}[${index}]`))),
    isTooMuch && invalid(path, printed, 'may specify no more than one IP for each IP family'),
  );
}
