import { type FieldError, forbidden, invalid, notSupported, required } from '../../../../kubernetes/index.js';
import type { Behaviour } from '../behaviour.js';
import {
  atMostErrors,
  collisionCountErrors,
  countErrors,
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
import {
  dropDisabledPodFields,
  podNameWarnings,
  replicatedTemplateErrors,
  selectorErrors,
  setPodTemplateDefaults,
  templateWarnings,
} from '../core/index.js';
import type { Deployment, DeploymentSpec, DeploymentStrategy } from '../drafts.js';
import { beginGenerations, countGeneration, keepSpec, keepStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';

/** Source: kubernetes 1.34 `pkg/registry/apps/deployment`, `pkg/apis/apps/{v1,validation}`. */
export const deployments: Behaviour<Deployment> = {
  setDefaults({ spec }) {
    spec.replicas ??= 1;
    setStrategyDefaults(spec);
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    setPodTemplateDefaults(spec.template);
  },

  prepareForCreate(deployment) {
    deployment.status = {};
    beginGenerations(deployment);
    dropDisabledPodFields(deployment.spec.template.spec, undefined);
  },
  validate: ({ spec }) => specErrors(spec),
  warningsOnCreate: ({ metadata, spec }) => [...podNameWarnings(metadata.name), ...templateWarnings(spec.template, 'spec.template')],

  prepareForUpdate(deployment, old) {
    keepStatus(deployment, old);
    dropDisabledPodFields(deployment.spec.template.spec, old.spec.template.spec);
    // ReplicaSets get the annotations of their Deployment: a change is work for the controller.
    const isSame = semanticEqual(deployment.spec, old.spec) && semanticEqual(annotationsOf(deployment), annotationsOf(old));
    if (!isSame) countGeneration(deployment, old);
  },
  validateUpdate: ({ spec }, old) => [
    ...specErrors(spec),
    ...immutable(spec.selector, old.spec.selector, 'spec.selector', printedSelector(spec.selector)),
  ],
  warningsOnUpdate: (deployment, old) =>
    deployment.metadata.generation === old.metadata.generation ? [] : templateWarnings(deployment.spec.template, 'spec.template'),

  prepareForStatusUpdate(deployment, old) {
    keepSpec(deployment, old);
    if (old.metadata.labels === undefined) delete deployment.metadata.labels;
    else deployment.metadata.labels = { ...old.metadata.labels };
    // Of a feature that is switched off.
    if (deployment.status !== undefined && old.status?.terminatingReplicas === undefined) delete deployment.status.terminatingReplicas;
  },
  validateStatusUpdate: ({ status = {} }, old) => [
    ...statusErrors(status),
    ...collisionCountErrors(status.collisionCount, old.status?.collisionCount),
  ],

  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.spec.selector' },
  resetFields: { '': ['status'], status: ['spec', 'metadata.labels'] },
};

function annotationsOf({ metadata }: Deployment): object {
  return metadata.annotations ?? {};
}

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

function statusErrors(status: NonNullable<Deployment['status']>): Errors {
  const { replicas, updatedReplicas, readyReplicas, availableReplicas, unavailableReplicas, terminatingReplicas } = status;
  const { observedGeneration, collisionCount } = status;
  const counts = {
    observedGeneration,
    replicas,
    updatedReplicas,
    readyReplicas,
    availableReplicas,
    unavailableReplicas,
    terminatingReplicas,
  };
  return [
    ...countErrors({ ...counts, collisionCount }),
    ...atMostErrors({ updatedReplicas, readyReplicas, availableReplicas }, replicas, 'cannot be greater than status.replicas'),
    ...atMostErrors({ availableReplicas }, readyReplicas, 'cannot be greater than readyReplicas'),
  ];
}
