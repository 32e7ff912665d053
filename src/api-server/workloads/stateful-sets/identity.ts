import type { OwnerReference } from '@keelson/kubernetes/apimachinery';
import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@keelson/kubernetes/kinds';
import { controllerReference, isSame } from '../objects/index.js';
import { type NewPod, podFromTemplate } from '../pods/index.js';
import { templateIn } from '../revisions/index.js';

export const KIND = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
const POD = { apiVersion: 'v1', kind: 'Pod' };
const REVISION = 'controller-revision-hash';
export const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const INDEX = 'apps.kubernetes.io/pod-index';

export function ordinalIn(set: StatefulSet, name: string): number | undefined {
  const match = /^(.*)-(\d+)$/.exec(name);
  return match?.[1] === set.metadata.name ? Number(match[2]) : undefined;
}

export function startOf({ spec }: StatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** Whether a Pod of this number is wanted. */
export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const start = startOf(set);
  return ordinal >= start && ordinal < start + (set.spec.replicas ?? 1);
}

export function revisionOf({
  metadata,
}: {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined };
}): string {
  return metadata.labels?.[REVISION] ?? '';
}

/** The claims of the Pod of this number, by the name of their template. */
export function claimsFor(set: StatefulSet, ordinal: number): ReadonlyMap<string, PersistentVolumeClaim> {
  const { metadata, spec } = set;
  const claims = (spec.volumeClaimTemplates ?? []).map((template): readonly [string, PersistentVolumeClaim] => {
    const { name: volume = '', ...described } = template.metadata ?? {};
    const name = `${volume}-${metadata.name}-${ordinal}`;
    const labels = { ...described.labels, ...spec.selector.matchLabels };
    const claimMetadata = { ...described, name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }), labels };
    const { spec: claimSpec = {} } = template;
    return [volume, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: claimMetadata, spec: claimSpec }];
  });
  return new Map(claims);
}

/** The Pod of this number at this revision. */
export function podFor(set: StatefulSet, revision: ControllerRevision, ordinal: number): NewPod {
  const name = `${set.metadata.name}-${ordinal}`;
  const { metadata, ...pod } = podFromTemplate(templateIn(revision), {
    name: set.metadata.name,
    reference: controllerReference(set, KIND),
  });
  const labels = { ...metadata.labels, [POD_NAME]: name, [INDEX]: String(ordinal), [REVISION]: revision.metadata.name };
  const claims = [...claimsFor(set, ordinal)].map(([volume, claim]) => ({
    name: volume,
    persistentVolumeClaim: { claimName: claim.metadata.name },
  }));
  const others = (pod.spec.volumes ?? []).filter((volume) => !claims.some((claim) => claim.name === volume.name));
  const volumes = [...claims, ...others];
  const subdomain = set.spec.serviceName === undefined || set.spec.serviceName === '' ? {} : { subdomain: set.spec.serviceName };
  return {
    ...pod,
    metadata: { ...metadata, name, labels },
    spec: { ...pod.spec, ...(volumes.length === 0 ? {} : { volumes }), hostname: name, ...subdomain },
  };
}

/**
 * The owners that a claim has by the retention policy: those decide what the garbage collector does. Undefined: it has them, or they are others' matter.
 *
 * Source: kubernetes `pkg/controller/statefulset/stateful_set_utils.go`.
 */
export function retainedBy(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim): readonly OwnerReference[] | undefined {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const { ownerReferences = [] } = claim.metadata;
  const names = (reference: OwnerReference, kind: { readonly kind: string }, name: string): boolean =>
    reference.kind === kind.kind && reference.name === name;
  const isSet = (reference: OwnerReference): boolean => names(reference, KIND, set.metadata.name);
  const isPod = (reference: OwnerReference): boolean => names(reference, POD, pod.metadata.name);
  const isStale = ownerReferences.some(
    (one) => (isSet(one) && one.uid !== set.metadata.uid) || (isPod(one) && one.uid !== pod.metadata.uid),
  );
  if (isStale) return undefined;
  const others = ownerReferences.filter((one) => !isSet(one) && !isPod(one));
  const isRetained = whenDeleted === 'Retain' && whenScaled === 'Retain';
  const isOthers = !isRetained && others.some(({ controller }) => controller === true);
  const isScaledDown = !isInRange(set, ordinalIn(set, pod.metadata.name) ?? -1);
  const withSet = whenDeleted === 'Delete' && !(whenScaled === 'Delete' && isScaledDown);
  const withPod = whenScaled === 'Delete' && isScaledDown;
  const wanted = isOthers
    ? others
    : [...others, ...(withPod ? [controllerReference(pod, POD)] : []), ...(withSet ? [controllerReference(set, KIND)] : [])];
  return isSame(wanted, ownerReferences) ? undefined : wanted;
}
