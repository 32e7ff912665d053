import { dns1123LabelProblems, type FieldError, forbidden, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../../behaviour.js';
import { type Errors, isEmptySelector, labelSelectorErrors, oneOf, printedSelector, selects, those } from '../../checks/index.js';
import type { LabelSelector, PodSpec, PodTemplateSpec } from '../../drafts.js';
import { withStatus } from '../../generation.js';
import { dropDisabledPodFields } from './disabled-pod-fields.js';
import { podTemplateErrors } from './pod-spec-validation.js';
import { podSpecWarnings } from './pod-warnings.js';

/** Rules for all kinds that make pods from a template. Source: kubernetes `pkg/apis/apps/validation`. */
export interface Workload {
  readonly selector?: LabelSelector | undefined;
  readonly template: PodTemplateSpec;
}

/** In the messages about its template. */
export type WorkloadName = 'DaemonSet' | 'ReplicaSet' | 'ReplicationController' | 'StatefulSet';

/** @param kind as the message about an empty selector calls it; a ReplicaSet's is a Deployment's too */
export function selectorErrors(selector: LabelSelector | undefined, path: string, kind: string): Errors {
  if (selector === undefined || selector === null) return [required(path)];
  const errors = labelSelectorErrors(selector, path);
  return isEmptySelector(selector) ? [...errors, emptySelector(selector, path, kind)] : errors;
}

export function emptySelector(selector: LabelSelector, path: string, kind: string): FieldError {
  return invalid(path, printedSelector(selector), `empty selector is invalid for ${kind}`);
}

/** A selector that cannot be read is reported alone. @param text of that error */
export function matchedTemplateErrors({ selector, template }: Workload, path: string, text: string): Errors {
  const isSelected = selects(selector, template.metadata?.labels);
  if (isSelected === undefined) return [invalid(`${path}.selector`, printedSelector(selector), text)];
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  return isSelected || isEmpty ? [] : [unmatched(template, `${path}.template`)];
}

export function unmatched({ metadata }: PodTemplateSpec, path: string): FieldError {
  return invalid(`${path}.metadata.labels`, metadata?.labels ?? null, '`selector` does not match template `labels`');
}

/** Pods that are started again whenever they end. */
export function lastingPodErrors(spec: PodSpec | undefined, path: string, kind: WorkloadName): Errors {
  const { restartPolicy, activeDeadlineSeconds } = spec ?? {};
  return those(
    oneOf(['Always'])(restartPolicy, `${path}.restartPolicy`),
    activeDeadlineSeconds !== undefined && forbidden(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`),
  );
}

export function replicatedTemplateErrors(workload: Workload, path: string, kind: WorkloadName): Errors {
  const { selector, template } = workload;
  const matching = matchedTemplateErrors(workload, path, 'invalid label selector');
  if (selects(selector, template.metadata?.labels) === undefined) return matching;
  return [
    ...matching,
    ...podTemplateErrors(template, `${path}.template`),
    ...lastingPodErrors(template.spec, `${path}.template.spec`, kind),
  ];
}

/** Names that become names of pods should be labels. */
export function podNameWarnings(name: string): readonly string[] {
  const problems = dns1123LabelProblems(name);
  const text =
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended';
  return problems.length === 0 ? [] : [`${text}: [${problems.join(' ')}]`];
}

export function templateWarnings(template: PodTemplateSpec | undefined, path: string): readonly string[] {
  return template?.spec === undefined ? [] : podSpecWarnings(template.spec, `${path}.spec`);
}

type Replicating = 'prepareForCreate' | 'prepareForStatusUpdate' | 'prepareForUpdate' | 'scale' | 'warningsOnCreate' | 'warningsOnUpdate';

interface Replicated<T> {
  readonly newStatus: () => object;
  readonly templateOf: (object: T) => PodTemplateSpec | undefined;
  /** Beside fields of Pods. */
  readonly drop?: (object: T, old: T | undefined) => void;
  readonly content?: (object: T) => unknown;
}

/** The frame of kinds that keep a number of Pods from a template. */
export function replicated<
  T extends { metadata: { readonly name: string; readonly generation?: number | undefined }; spec?: unknown; status?: unknown },
>({ templateOf, drop, ...lifeCycle }: Replicated<T>): Required<Pick<Behaviour<T>, Replicating>> {
  const warnings = (object: T): readonly string[] => templateWarnings(templateOf(object), 'spec.template');
  return {
    ...withStatus({
      ...lifeCycle,
      drop(object, old) {
        dropDisabledPodFields(templateOf(object)?.spec, old && templateOf(old)?.spec);
        drop?.(object, old);
      },
    }),
    warningsOnCreate: (object) => [...podNameWarnings(object.metadata.name), ...warnings(object)],
    warningsOnUpdate: (object, old) => (object.metadata.generation === old.metadata.generation ? [] : warnings(object)),
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.spec.selector' },
  };
}
