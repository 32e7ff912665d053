import type { LabelSelector, Pod, PodAffinityTerm, PodSpec, PodStatus } from '../../kinds/index.js';
import { dns1123LabelProblems, type FieldError, forbidden, invalid, required } from '../../kubernetes/index.js';
import type { DeleteRequest, FieldLabels, JsonObject } from '../resources/index.js';
import type { Behaviour } from './behaviour.js';
import { imageSpaceErrors } from './container-validation.js';
import { dropDisabledPodFields } from './disabled-pod-fields.js';
import { type Errors, inclusiveRange } from './field-checks.js';
import { beginGenerations, countChangedSpec, keepSpec, keepStatus } from './generation.js';
import { internalValue } from './internal-json.js';
import { jsonDiff } from './line-diff.js';
import { podAnnotationErrors, podAnnotationUpdateErrors } from './pod-annotations.js';
import { setPodDefaults } from './pod-defaults.js';
import { qosClassOf } from './pod-qos.js';
import { podSpecErrors } from './pod-spec-validation.js';
import { podStatusErrors } from './pod-status-validation.js';
import { podSpecWarnings } from './pod-warnings.js';
import { addedGateErrors, addedTolerationErrors } from './scheduling-validation.js';
import { semanticEqual } from './semantic-equal.js';

/** Source: kubernetes 1.34 `pkg/registry/core/pod/strategy.go`, `pkg/apis/core/validation`. */
export const pods: Behaviour<Pod> = {
  setDefaults: setPodDefaults,

  prepareForCreate(pod, { now }) {
    beginGenerations(pod);
    const qosClass = pod.status?.qosClass || qosClassOf(pod.spec);
    pod.status = { phase: 'Pending', qosClass } as PodStatus;
    dropDisabledPodFields(pod.spec, undefined);
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
    // Nobody has to be asked to end what does not run.
    if (nodeName === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
    const period = request.gracePeriodSeconds ?? terminationGracePeriodSeconds;
    return period < 0 ? 1 : period;
  },
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

/** What is the same on pods that are to be spread, or kept together, becomes part of the selector. */
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

function podErrors({ metadata, spec }: Pod): Errors {
  const tokens = (spec.serviceAccountName ?? '') === '' ? (spec.volumes ?? []) : [];
  return [
    ...podAnnotationErrors(metadata.annotations ?? {}, spec, 'metadata.annotations'),
    ...podSpecErrors(spec, { path: 'spec', podName: metadata.name ?? '' }),
    ...tokens.flatMap(({ projected }, index) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken }, position) => {
        const field = `spec.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
        return serviceAccountToken === undefined ? [] : [forbidden(field, 'must not be specified when serviceAccountName is not set')];
      }),
    ),
    ...(spec.containers ?? []).flatMap((container, index) => imageSpaceErrors(container, `spec.containers[${index}]`)),
    ...(spec.initContainers ?? []).flatMap((container, index) => imageSpaceErrors(container, `spec.initContainers[${index}]`)),
  ];
}

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

function specUpdateErrors(spec: PodSpec, old: PodSpec): Errors {
  const errors: FieldError[] = [];
  for (const kind of ['containers', 'initContainers'] as const) {
    const list = spec[kind] ?? [];
    if (list.length !== (old[kind] ?? []).length)
      return [...errors, forbidden(`spec.${kind}`, 'pod updates may not add or remove containers')];
    for (const [index, container] of list.entries()) {
      if ((container.image ?? '') === '') errors.push(required(`spec.${kind}[${index}].image`));
      errors.push(...imageSpaceErrors(container, `spec.${kind}[${index}]`));
    }
  }
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, old.activeDeadlineSeconds);
  errors.push(...deadline.errors);
  if (deadline.isFinal) return errors;
  errors.push(
    ...addedTolerationErrors(spec.tolerations ?? [], old.tolerations ?? [], 'spec.tolerations'),
    ...addedGateErrors(spec.schedulingGates ?? [], old.schedulingGates ?? [], 'spec.schedulingGates'),
  );
  const { comparable, errors: gatedErrors } = withUpdatableFieldsOf(spec, old);
  errors.push(...gatedErrors);
  return semanticEqual(comparable, old) ? errors : [...errors, changedSpec(comparable, old)];
}

function changedSpec(spec: PodSpec, old: PodSpec): FieldError {
  const difference = jsonDiff(internalValue('core/v1.PodSpec', old), internalValue('core/v1.PodSpec', spec));
  return forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}\n${difference}`);
}

/** It can be set, and brought nearer. */
function deadlineErrors(deadline: number | undefined, old: number | undefined): { readonly errors: Errors; readonly isFinal: boolean } {
  const field = 'spec.activeDeadlineSeconds';
  if (deadline === undefined) {
    const text = 'must not update from a positive integer to nil value';
    return { errors: old === undefined ? [] : [invalid(field, null, text)], isFinal: false };
  }
  if (deadline < 0 || deadline > 2_147_483_647)
    return { errors: [invalid(field, deadline, inclusiveRange(0, 2_147_483_647))], isFinal: true };
  if (old !== undefined && old < deadline)
    return { errors: [invalid(field, deadline, 'must be less than or equal to previous value')], isFinal: true };
  return { errors: [], isFinal: false };
}

/** The new spec as it would be if nothing but what cannot change had changed. */
function withUpdatableFieldsOf(spec: PodSpec, old: PodSpec): { readonly comparable: PodSpec; readonly errors: Errors } {
  const comparable = structuredClone(spec);
  for (const kind of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (comparable[kind] ?? []).entries()) container.image = old[kind]?.[index]?.image;
  }
  comparable.activeDeadlineSeconds = old.activeDeadlineSeconds;
  comparable.schedulingGates = old.schedulingGates;
  comparable.tolerations = old.tolerations;
  const { terminationGracePeriodSeconds: period = 0 } = old;
  if (period < 0 && comparable.terminationGracePeriodSeconds === 1) comparable.terminationGracePeriodSeconds = period;
  if ((old.schedulingGates ?? []).length === 0) return { comparable, errors: [] };
  return { comparable, errors: gatedErrors(comparable, old) };
}

/** A pod that waits can still be told where to run. Changes `spec` so that the allowed differences are gone. */
function gatedErrors(spec: PodSpec, old: PodSpec): Errors {
  const errors: FieldError[] = [];
  const selector = spec.nodeSelector ?? {};
  const isKept = Object.entries(old.nodeSelector ?? {}).every(([key, value]) => selector[key] === value);
  if (!isKept)
    errors.push(invalid('spec.nodeSelector', selector, 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'));
  spec.nodeSelector = old.nodeSelector;
  errors.push(...nodeAffinityErrors(spec, old));
  const { nodeAffinity: _node, ...others } = spec.affinity ?? {};
  const affinity = old.affinity?.nodeAffinity === undefined ? others : { ...others, nodeAffinity: old.affinity.nodeAffinity };
  spec.affinity = Object.keys(affinity).length === 0 && old.affinity === undefined ? undefined : affinity;
  return errors;
}

function nodeAffinityErrors(spec: PodSpec, old: PodSpec): Errors {
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const oldTerms = old.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const print = (term: unknown): unknown => internalValue('core/v1.NodeSelectorTerm', term);
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    return [invalid(field, terms.map(print), 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return oldTerms.flatMap((oldTerm, index) => {
    const term = terms[index] ?? {};
    const begins = (kind: 'matchExpressions' | 'matchFields'): boolean => {
      const before = oldTerm[kind] ?? [];
      return semanticEqual((term[kind] ?? []).slice(0, before.length), before);
    };
    const wasEmpty = (oldTerm.matchExpressions ?? []).length + (oldTerm.matchFields ?? []).length === 0;
    const isEmpty = (term.matchExpressions ?? []).length + (term.matchFields ?? []).length === 0;
    const isAllowed = (!wasEmpty || isEmpty) && begins('matchExpressions') && begins('matchFields');
    return isAllowed ? [] : [invalid(`${field}[${index}]`, print(term), 'only additions are allowed (no mutations or deletions)')];
  });
}

/** Who does not know the field must not clear it. */
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
  // Of old clients.
  fields.set('spec.host', (object) => text(object, 'spec', 'nodeName'));
  // Allowed, but never told of a pod.
  fields.set('status.podIPs', () => '');
  return { fields, unsupported: (field) => `field label not supported: ${field}` };
}
