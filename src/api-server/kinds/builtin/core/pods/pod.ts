import { dns1123LabelProblems, forbidden } from '@keelson/kubernetes/apimachinery';
import type { DeleteRequest, FieldLabels, JsonObject } from '../../../../contract/index.js';
import type { Behaviour } from '../../behaviour.js';
import type { LabelSelector, Pod, PodAffinityTerm, PodStatus } from '../../drafts.js';
import { beginGenerations, countChangedSpec, keepSpec, keepStatus } from '../../generation.js';
import { setPodLevelResourceDefaults } from '../containers/index.js';
import { dropDisabledPodFields, dropInitContainerAnnotations } from './disabled-pod-fields.js';
import { podAnnotationErrors, podAnnotationUpdateErrors } from './pod-annotations.js';
import { setPodDefaults } from './pod-defaults.js';
import { qosClassOf } from './pod-qos.js';
import { podStatusErrors } from './pod-status-validation.js';
import { podErrors, specUpdateErrors } from './pod-validation.js';
import { ephemeralContainers, resize } from './pod-variants.js';
import { podSpecWarnings } from './pod-warnings.js';

/** Source: kubernetes `pkg/registry/core/pod/strategy.go`, `pkg/apis/core/validation`. */
export const pods: Behaviour<Pod> = {
  setDefaults: setPodDefaults,

  prepareForCreate(pod, { now }) {
    beginGenerations(pod);
    setPodLevelResourceDefaults(pod.spec);
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec) } as PodStatus;
    dropDisabledPodFields(pod.spec, undefined);
    dropInitContainerAnnotations(pod.metadata);
    if ((pod.spec.schedulingGates ?? []).length > 0) pod.status.conditions = [gated(now())];
    mergeLabelKeys(pod);
  },
  revalidatesMetadata: true,
  validate(pod) {
    const { nodeName = '', schedulingGates = [], ephemeralContainers = [] } = pod.spec;
    const isGated = nodeName !== '' && schedulingGates.length > 0;
    return [
      ...podErrors(pod),
      ...(ephemeralContainers.length > 0 ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
      ...(isGated ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
    ];
  },
  warningsOnCreate(pod) {
    const problems = dns1123LabelProblems(pod.metadata.name);
    const text = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    return [...(problems.length === 0 ? [] : [`${text}: [${problems.join(' ')}]`]), ...podSpecWarnings(pod.spec, 'spec')];
  },

  prepareForUpdate(pod, old) {
    keepStatus(pod, old);
    dropDisabledPodFields(pod.spec, old.spec);
    countChangedSpec(pod, old);
  },
  validateUpdate: (pod, old) => [
    ...podErrors(pod),
    ...podAnnotationUpdateErrors(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}, 'metadata.annotations'),
    ...podAnnotationErrors(pod.metadata.annotations ?? {}, pod.spec, 'metadata.annotations'),
    ...specUpdateErrors(pod.spec, old.spec),
  ],

  prepareForStatusUpdate(pod, old) {
    keepSpec(pod, old);
    const metadata: { deletionTimestamp?: unknown; ownerReferences?: unknown } = pod.metadata;
    delete metadata.deletionTimestamp;
    delete metadata.ownerReferences;
    if (old.metadata.ownerReferences !== undefined) metadata.ownerReferences = structuredClone(old.metadata.ownerReferences);
    const status: PodStatus = pod.status ?? {};
    pod.status = status;
    if (status.qosClass === undefined && old.status?.qosClass !== undefined) status.qosClass = old.status.qosClass;
    keepObservedGenerations(status, old.status ?? {});
  },
  validateStatusUpdate: podStatusErrors,

  gracePeriodSeconds(pod, request: DeleteRequest) {
    const { nodeName = '', terminationGracePeriodSeconds = 0 } = pod.spec;
    const phase = pod.status?.phase;
    // A pod that does not run needs no kubelet to end it.
    if (nodeName === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
    const period = request.gracePeriodSeconds ?? terminationGracePeriodSeconds;
    return period < 0 ? 1 : period;
  },
  variants: { ephemeralcontainers: ephemeralContainers, resize },
  fieldLabels: podFieldLabels(),
  resetFields: { '': ['status'], status: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] },
};

function gated(now: Date): NonNullable<PodStatus['conditions']>[number] {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastTransitionTime: `${now.toISOString().slice(0, 19)}Z`,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

/** Labels that are equal on pods that are to be spread, or kept together, become part of the selector. */
function mergeLabelKeys({ spec, metadata }: Pod): void {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms: PodAffinityTerm[] = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
  const labels = metadata.labels ?? {};
  for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of terms) {
    mergeKeys(labelSelector, matchLabelKeys, { operator: 'In', labels });
    mergeKeys(labelSelector, mismatchLabelKeys, { operator: 'NotIn', labels });
  }
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    mergeKeys(labelSelector, matchLabelKeys, { operator: 'In', labels });
  }
}

function mergeKeys(
  selector: LabelSelector | undefined,
  keys: readonly string[] | undefined,
  { operator, labels }: { operator: string; labels: Readonly<Record<string, string>> },
): void {
  if (selector === undefined) return;
  const added = (keys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}

/** A client that does not know the field must not clear it. */
function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  if ((status.observedGeneration ?? 0) === 0 && old.observedGeneration !== undefined) status.observedGeneration = old.observedGeneration;
  const known = new Map<string, (number | undefined)[]>();
  for (const { type, observedGeneration } of old.conditions ?? []) known.set(type, [...(known.get(type) ?? []), observedGeneration]);
  for (const condition of status.conditions ?? []) {
    const generation = known.get(condition.type)?.shift();
    if ((condition.observedGeneration ?? 0) === 0 && generation !== undefined) condition.observedGeneration = generation;
  }
}

function podFieldLabels(): FieldLabels {
  const text = (object: JsonObject, part: 'spec' | 'status', field: string): string => {
    const value = (object[part] as JsonObject | undefined)?.[field];
    return value === undefined || value === null ? '' : String(value as boolean | number | string);
  };
  const names = {
    spec: ['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName'],
    status: ['phase', 'podIP', 'nominatedNodeName'],
  } as const;
  const fields = new Map<string, (object: JsonObject) => string>();
  for (const part of ['spec', 'status'] as const) {
    for (const name of names[part]) fields.set(`${part}.${name}`, (object) => text(object, part, name));
  }
  fields.set('spec.hostNetwork', (object) => text(object, 'spec', 'hostNetwork') || 'false');
  // A field of old clients.
  fields.set('spec.host', (object) => text(object, 'spec', 'nodeName'));
  // Allowed, but never reported for a pod.
  fields.set('status.podIPs', () => '');
  return { fields, unsupported: (field) => `field label not supported: ${field}` };
}
