import { type FieldError, forbidden, invalid, required } from '@keelson/kubernetes/apimachinery';
import { type Errors, inclusiveRange, internalValue, those } from '../../checks/index.js';
import type { Pod, PodSpec } from '../../drafts.js';
import { semanticEqual } from '../../semantic-equal.js';
import { imageSpaceErrors } from '../containers/index.js';
import { podAnnotationErrors } from './pod-annotations.js';
import { podSpecErrors } from './pod-spec-validation.js';
import { addedGateErrors, addedTolerationErrors } from './scheduling-validation.js';

/** Validates the pod as it is. Source: `validatePodMetadataAndSpec`. */
export function podErrors({ metadata, spec }: Pod): Errors {
  const tokens = (spec.serviceAccountName ?? '') === '' ? (spec.volumes ?? []) : [];
  return those(
    podAnnotationErrors(metadata.annotations ?? {}, spec, 'metadata.annotations'),
    podSpecErrors(spec, { path: 'spec', podName: metadata.name ?? '' }),
    tokens.flatMap(({ projected }, index) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken }, position) => {
        const field = `spec.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
        return serviceAccountToken === undefined ? [] : [forbidden(field, 'must not be specified when serviceAccountName is not set')];
      }),
    ),
    (spec.containers ?? []).flatMap((container, index) => imageSpaceErrors(container, `spec.containers[${index}]`)),
    (spec.initContainers ?? []).flatMap((container, index) => imageSpaceErrors(container, `spec.initContainers[${index}]`)),
  );
}

const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Refuses changes of an existing pod. Source: `ValidatePodUpdate`. */
export function specUpdateErrors(spec: PodSpec, old: PodSpec): Errors {
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
  if (semanticEqual(comparable, old)) return errors;
  return [...errors, forbidden('spec', `pod updates may not change fields other than ${UPDATABLE}`)];
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

/** A pod that waits can still be given a place to run. Changes `spec` so that the allowed differences are gone. */
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
