import { type FieldError, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  collisionCountErrors,
  counters,
  type Errors,
  immutable,
  internalValue,
  intOrPercentValue,
  isEmptySelector,
  labelSelectorErrors,
  nonNegative,
  notMoreThan100Percent,
  positiveIntOrPercent,
  printedSelector,
  selects,
  those,
} from '../checks/index.js';
import {
  dropDisabledPodFields,
  emptySelector,
  lastingPodErrors,
  podTemplateErrors,
  setPodTemplateDefaults,
  templateWarnings,
  unmatched,
} from '../core/index.js';
import type { DaemonSet, DaemonSetSpec, DaemonSetStatus, DaemonSetUpdateStrategy } from '../drafts.js';
import { keepSpec, withStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';

const frame = withStatus<DaemonSet>({
  newStatus: () => ({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }),
  drop(set, old) {
    dropDisabledPodFields(set.spec.template.spec, old?.spec.template.spec);
    const isSameTemplate = old === undefined || semanticEqual(set.spec.template, old.spec.template);
    const generation = old === undefined ? Math.max(templateGenerationOf(set), 1) : templateGenerationOf(old);
    setTemplateGeneration(set, generation + (isSameTemplate ? 0 : 1));
  },
});

const STATUS = counters<DaemonSetStatus>([
  ...(['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'observedGeneration'] as const),
  ...(['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'] as const),
]);

/** Source: kubernetes `pkg/registry/apps/daemonset`, `pkg/apis/apps/{v1,validation}`. */
export const daemonSets: Behaviour<DaemonSet> = {
  setDefaults(set) {
    const { spec } = set;
    setTemplateGeneration(set, templateGenerationOf(set));
    spec.updateStrategy ??= {};
    const { updateStrategy } = spec;
    updateStrategy.type ||= 'RollingUpdate';
    if (updateStrategy.type === 'RollingUpdate') {
      updateStrategy.rollingUpdate ??= {};
      updateStrategy.rollingUpdate.maxUnavailable ??= 1;
      updateStrategy.rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    setPodTemplateDefaults(spec.template);
  },

  ...frame,
  validate: (set) => specErrors(set),
  warningsOnCreate: ({ spec }) => templateWarnings(spec.template, 'spec.template'),
  validateUpdate: (set, old) => [
    ...immutable(set.spec.selector, old.spec.selector, 'spec.selector', printedSelector(set.spec.selector)),
    ...specErrors(set),
  ],
  warningsOnUpdate: (set, old) =>
    templateGenerationOf(set) === templateGenerationOf(old) ? [] : templateWarnings(set.spec.template, 'spec.template'),

  prepareForStatusUpdate(set, old) {
    keepSpec(set, old);
    setTemplateGeneration(set, templateGenerationOf(old));
  },
  validateStatusUpdate: ({ status }, old) => [
    ...STATUS(status, 'status'),
    ...collisionCountErrors(status?.collisionCount, old.status?.collisionCount),
  ],
};

/** A field of the spec that clients of today see as an annotation. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function templateGenerationOf({ metadata }: DaemonSet): number {
  const generation = Number(metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);
  return Number.isSafeInteger(generation) ? generation : 0;
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function specErrors(set: DaemonSet): Errors {
  const { spec } = set;
  const { selector, template } = spec;
  const isUnmatched = selects(selector, template.metadata?.labels) === false;
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  return those(
    labelSelectorErrors(selector, 'spec.selector'),
    isUnmatched && unmatched(template, 'spec.template'),
    isEmpty && emptySelector(selector, 'spec.selector', 'daemonset'),
    podTemplateErrors(template, 'spec.template'),
    lastingPodErrors(template.spec, 'spec.template.spec', 'DaemonSet'),
    nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    nonNegative(templateGenerationOf(set), 'spec.templateGeneration'),
    strategyErrors(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  );
}

function strategyErrors(strategy: DaemonSetUpdateStrategy, path: string): Errors {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    return [notSupported(path, internalValue('apps/v1.DaemonSetUpdateStrategy', strategy), ['RollingUpdate', 'OnDelete'])];
  }
  const field = `${path}.rollingUpdate`;
  return rollingUpdate === undefined ? [required(field)] : rollingUpdateErrors(rollingUpdate, field);
}

function rollingUpdateErrors(
  { maxUnavailable = 0, maxSurge = 0 }: NonNullable<DaemonSetSpec['updateStrategy']>['rollingUpdate'] & object,
  path: string,
): Errors {
  const errors: FieldError[] = [
    ...positiveIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...positiveIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...notMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`),
    ...notMoreThan100Percent(maxSurge, `${path}.maxSurge`),
  ];
  const [unavailable, surge] = [intOrPercentValue(maxUnavailable) !== 0, intOrPercentValue(maxSurge) !== 0];
  if (unavailable && surge) errors.push(invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (!unavailable && !surge) errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  return errors;
}
