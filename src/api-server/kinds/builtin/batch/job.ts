import { dns1123LabelProblems, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../../contract/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, internalValue, printedSelector, selects, those } from '../checks/index.js';
import { dropDisabledPodFields, podNameWarnings, setPodTemplateDefaults, templateWarnings } from '../core/index.js';
import type { Affinity, Container, Job, JobSpec, PodSpec, PodTemplateSpec } from '../drafts.js';
import { beginGenerations, countChangedSpec, keepSpec, keepStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import { jobSpecErrors } from './job-spec-validation.js';
import { jobStatusErrors } from './job-status-validation.js';

/** Source: kubernetes `pkg/registry/batch/job`, `pkg/apis/batch/{v1,validation}`. */
export const jobs: Behaviour<Job> = {
  setDefaults: setJobDefaults,

  prepareForCreate(job, { isDryRun }) {
    const spec = specOf(job);
    if (spec.manualSelector !== true) generateSelector(job, spec);
    // An object that is read from the store is defaulted again, and has labels in its template now.
    const { labels } = spec.template.metadata ?? {};
    if (!isDryRun && labels !== undefined && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels };
    job.status = {};
    beginGenerations(job);
    dropDisabledPodFields(spec.template.spec, undefined);
  },
  validate: (job) => [...generatedSelectorErrors(job), ...jobSpecErrors(specOf(job), 'spec'), ...hostnameErrors(job)],
  warningsOnCreate: (job) => [...podNameWarnings(job.metadata.name), ...jobSpecWarnings(specOf(job), 'spec')],

  prepareForUpdate(job, old) {
    keepStatus(job, old);
    dropDisabledPodFields(specOf(job).template.spec, specOf(old).template.spec);
    countChangedSpec(job, old);
  },
  validateUpdate: (job, old) => [...jobSpecErrors(specOf(job), 'spec'), ...fixedFieldsErrors(job, old), ...hostnameErrors(job)],
  warningsOnUpdate: (job, old) => (job.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(specOf(job), 'spec')),

  prepareForStatusUpdate: keepSpec,
  validateStatusUpdate: jobStatusErrors,

  fieldLabels: {
    fields: new Map([
      ['status.successful', (object: JsonObject) => String((object['status'] as JsonObject | undefined)?.['succeeded'] ?? 0)],
    ]),
    unsupported: (field) => `field label "${field}" not supported for Job`,
  },
  defaultPropagation: 'Orphan',
  checkDelete(_job, { warn }, { propagationPolicy }) {
    if (propagationPolicy === undefined) warn(PODS_ARE_KEPT);
  },
};

const PODS_ARE_KEPT =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

function specOf(job: Job): JobSpec {
  const written = job as { spec?: JobSpec };
  written.spec ??= { template: {} };
  return written.spec;
}

const ALL_INDEXES_FAIL = 2_147_483_647;
const BACKOFF_LIMIT = 6;

function setJobDefaults(job: Job): void {
  const spec = specOf(job);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? BACKOFF_LIMIT : ALL_INDEXES_FAIL;
  // The same map, as in Go: the labels that a new Job's template gets are its own then, too.
  const labels = spec.template.metadata?.labels;
  if (labels !== undefined && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  setJobSpecDefaults(spec);
}

/** Also of the Jobs of CronJobs, whose other defaults come when they are made. */
export function setJobSpecDefaults(spec: JobSpec): void {
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? []) {
    for (const condition of onPodConditions ?? []) condition.status ||= 'True';
  }
  setPodTemplateDefaults(spec.template);
}

const LEGACY_JOB_NAME = 'job-name';
const LEGACY_CONTROLLER_UID = 'controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';
const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';

/** No other Job has its uid: what selects it selects no pods of others. */
function generateSelector(job: Job, spec: JobSpec): void {
  const { name, uid } = identityOf(job);
  spec.template.metadata ??= {};
  const generated = { [LEGACY_JOB_NAME]: name, [JOB_NAME]: name, [LEGACY_CONTROLLER_UID]: uid, [CONTROLLER_UID]: uid };
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  for (const [key, value] of Object.entries(generated)) labels[key] ??= value;
  spec.selector ??= {};
  spec.selector.matchLabels = { [CONTROLLER_UID]: uid, ...spec.selector.matchLabels };
}

/** A name may be missing: another rule reports that. */
function identityOf({ metadata }: Job): { readonly name: string; readonly uid: string } {
  const { name = '', uid = '' } = metadata as Partial<typeof metadata>;
  return { name, uid };
}

function generatedSelectorErrors(job: Job): Errors {
  const { manualSelector, selector, template } = specOf(job);
  if (manualSelector === true || selector === undefined) return [];
  const { name, uid } = identityOf(job);
  const expected = { [LEGACY_CONTROLLER_UID]: uid, [LEGACY_JOB_NAME]: name, [CONTROLLER_UID]: uid, [JOB_NAME]: name };
  const errors: FieldError[] = uid === '' ? [required('metadata.uid')] : [];
  for (const [key, value] of Object.entries(expected)) {
    const found = template.metadata?.labels?.[key];
    const field = `spec.template.metadata.labels[${key}]`;
    if (found === undefined) errors.push(required(field, `must be '${value}'`));
    else if (found !== value) errors.push(invalid(field, template.metadata?.labels, `must be '${value}'`));
  }
  if (selects(selector, expected) === false)
    errors.push(invalid('spec.selector', printedSelector(selector), '`selector` not auto-generated'));
  return errors;
}

/** Pods are called after the Job and their index. */
function hostnameErrors(job: Job): Errors {
  const { completionMode, completions = 0 } = specOf(job);
  const longest = `${identityOf(job).name}-${completions - 1}`;
  if (completionMode !== 'Indexed' || completions <= 0 || dns1123LabelProblems(longest).length === 0) return [];
  return [invalid('metadata.name', identityOf(job).name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function fixedFieldsErrors(job: Job, old: Job): Errors {
  const [spec, before] = [specOf(job), specOf(old)];
  const printed = (struct: string, value: unknown): unknown => (value === undefined ? null : internalValue(`batch/v1.${struct}`, value));
  return those(
    completionsErrors(spec, before),
    immutable(spec.selector, before.selector, 'spec.selector', printedSelector(spec.selector)),
    fixedTemplateErrors(spec.template, old),
    immutable(spec.completionMode, before.completionMode, 'spec.completionMode'),
    !semanticEqual(spec.podFailurePolicy, before.podFailurePolicy) &&
      immutable(
        spec.podFailurePolicy,
        before.podFailurePolicy,
        'spec.podFailurePolicy',
        printed('PodFailurePolicy', spec.podFailurePolicy),
      ),
    immutable(spec.backoffLimitPerIndex, before.backoffLimitPerIndex, 'spec.backoffLimitPerIndex'),
    immutable(spec.managedBy, before.managedBy, 'spec.managedBy'),
    !semanticEqual(spec.successPolicy, before.successPolicy) &&
      immutable(spec.successPolicy, before.successPolicy, 'spec.successPolicy', printed('SuccessPolicy', spec.successPolicy)),
  );
}

/** A Job that is suspended, and of which no pod runs, may be given other resources and other places to run. */
function fixedTemplateErrors(template: PodTemplateSpec, old: Job): Errors {
  const { suspend = false, template: before } = specOf(old);
  const { startTime, active = 0, conditions = [] } = old.status ?? {};
  const isSuspended = conditions.some(({ type, status }) => type === 'Suspended' && status === 'True');
  if (!suspend || !(startTime === undefined || isSuspended) || active > 0) {
    if (semanticEqual(template, before)) return [];
    return immutable(template, before, 'spec.template', internalValue('core/v1.PodTemplateSpec', template));
  }
  const spec = template.spec ?? { containers: [] };
  const kept = withResourcesOf(withSchedulingOf(before, template).spec ?? { containers: [] }, spec);
  return semanticEqual(spec, kept) ? [] : immutable(spec, kept, 'spec.template.spec', internalValue('core/v1.PodSpec', spec));
}

function withResourcesOf(old: PodSpec, spec: PodSpec): PodSpec {
  const merged = (before: readonly Container[] | undefined, now: readonly Container[] | undefined): Container[] | undefined => {
    if (before === undefined || before.length !== (now ?? []).length) return before as Container[] | undefined;
    return before.map((container, index) => {
      const { name, resources } = now?.[index] ?? {};
      return name === container.name ? { ...container, resources } : container;
    });
  };
  const initContainers = merged(old.initContainers, spec.initContainers);
  return { ...old, containers: merged(old.containers, spec.containers) ?? [], ...(initContainers && { initContainers }) };
}

/** An indexed Job can be scaled. */
function completionsErrors(spec: JobSpec, old: JobSpec): Errors {
  const { completionMode, completions, parallelism } = spec;
  if (completionMode !== 'Indexed') return immutable(completions, old.completions, 'spec.completions');
  if (completions === undefined || completions === old.completions || completions === parallelism) return [];
  return [invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}

/** Where the pods of a Job run that has not begun can still be changed. */
function withSchedulingOf(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates, affinity } = template.spec ?? { containers: [] };
  const { labels, annotations } = template.metadata ?? {};
  const oldSpec = old.spec ?? { containers: [] };
  return {
    ...old,
    metadata: { ...old.metadata, labels, annotations },
    spec: { ...oldSpec, nodeSelector, tolerations, schedulingGates, affinity: withNodeAffinityOf(oldSpec.affinity, affinity) },
  };
}

function withNodeAffinityOf(old: Affinity | undefined, affinity: Affinity | undefined): Affinity | undefined {
  if (affinity === undefined && old === undefined) return undefined;
  const { nodeAffinity: _node, ...others } = old ?? {};
  if (affinity === undefined) return Object.keys(others).length === 0 ? undefined : others;
  return affinity.nodeAffinity === undefined ? others : { ...others, nodeAffinity: affinity.nodeAffinity };
}

const MANY_COMPLETIONS = 100_000;
const MUCH_PARALLELISM = 10_000;

export function jobSpecWarnings(spec: JobSpec, path: string): readonly string[] {
  const { completionMode, completions = 0, parallelism = 0, template } = spec;
  const isMuch = completionMode === 'Indexed' && completions > MANY_COMPLETIONS && parallelism > MUCH_PARALLELISM;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(isMuch ? [`${path}: ${text}`] : []), ...templateWarnings(template, `${path}.template`)];
}
