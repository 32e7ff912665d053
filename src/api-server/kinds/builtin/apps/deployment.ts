import { type FieldError, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  collisionCountErrors,
  counters,
  type Errors,
  immutable,
  internalValue,
  intOrPercentValue,
  nonNegative,
  notMoreThan100Percent,
  positiveIntOrPercent,
  printedSelector,
  those,
} from '../checks/index.js';
import { replicated, replicatedTemplateErrors, selectorErrors, setPodTemplateDefaults } from '../core/index.js';
import type { Deployment, DeploymentSpec, DeploymentStrategy } from '../drafts.js';
import { keepSpec } from '../generation.js';

const frame = replicated<Deployment>({
  newStatus: () => ({}),
  templateOf: ({ spec }) => spec.template,
  // ReplicaSets get the annotations of their Deployment: a change is work for the controller.
  content: ({ spec, metadata }) => ({ spec, annotations: metadata.annotations ?? {} }),
});

const STATUS = counters<NonNullable<Deployment['status']>>(
  [
    ...(['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas'] as const),
    ...(['unavailableReplicas', 'terminatingReplicas', 'collisionCount'] as const),
  ],
  { of: ['updatedReplicas', 'readyReplicas', 'availableReplicas'], most: 'replicas', text: 'cannot be greater than status.replicas' },
  { of: ['availableReplicas'], most: 'readyReplicas', text: 'cannot be greater than readyReplicas' },
);

/** Source: kubernetes `pkg/registry/apps/deployment`, `pkg/apis/apps/{v1,validation}`. */
export const deployments: Behaviour<Deployment> = {
  setDefaults({ spec }) {
    spec.replicas ??= 1;
    setStrategyDefaults(spec);
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    setPodTemplateDefaults(spec.template);
  },

  ...frame,
  validate: ({ spec }) => specErrors(spec),
  validateUpdate: ({ spec }, old) => [
    ...specErrors(spec),
    ...immutable(spec.selector, old.spec.selector, 'spec.selector', printedSelector(spec.selector)),
  ],

  prepareForStatusUpdate(deployment, old) {
    keepSpec(deployment, old);
    if (old.metadata.labels === undefined) delete deployment.metadata.labels;
    else deployment.metadata.labels = { ...old.metadata.labels };
  },
  validateStatusUpdate: ({ status = {} }, old) => [
    ...STATUS(status, 'status'),
    ...collisionCountErrors(status.collisionCount, old.status?.collisionCount),
  ],
  resetFields: { '': ['status'], status: ['spec', 'metadata.labels'] },
};

function setStrategyDefaults(spec: DeploymentSpec): void {
  spec.strategy ??= {};
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type !== 'RollingUpdate') return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= '25%';
  strategy.rollingUpdate.maxSurge ??= '25%';
}

function specErrors(spec: DeploymentSpec): Errors {
  const { replicas, selector, strategy = {}, minReadySeconds = 0, progressDeadlineSeconds: deadline } = spec;
  const isTooNear = deadline !== undefined && deadline <= minReadySeconds;
  return those(
    nonNegative(replicas, 'spec.replicas'),
    selectorErrors(selector, 'spec.selector', 'deployment'),
    replicatedTemplateErrors(spec, 'spec', 'ReplicaSet'),
    strategyErrors(strategy, 'spec.strategy'),
    nonNegative(minReadySeconds, 'spec.minReadySeconds'),
    nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
    nonNegative(deadline, 'spec.progressDeadlineSeconds'),
    isTooNear && invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'),
  );
}

function strategyErrors(strategy: DeploymentStrategy, path: string): Errors {
  const { type, rollingUpdate } = strategy;
  const field = `${path}.rollingUpdate`;
  switch (type) {
    case 'Recreate':
      return rollingUpdate === undefined ? [] : [forbidden(field, "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return rollingUpdate === undefined
        ? [required(field, 'this should be defaulted and never be nil')]
        : rollingUpdateErrors(rollingUpdate, field);
    default:
      return [notSupported(path, internalValue('apps/v1.DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate'])];
  }
}

function rollingUpdateErrors({ maxUnavailable = 0, maxSurge = 0 }: NonNullable<DeploymentStrategy['rollingUpdate']>, path: string): Errors {
  const errors: FieldError[] = [
    ...positiveIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...positiveIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    errors.push(invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  return [...errors, ...notMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`)];
}
