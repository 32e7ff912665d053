import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, nonNegative, printedSelector, replicaStatusErrors } from '../checks/index.js';
import {
  dropDisabledPodFields,
  podNameWarnings,
  replicatedTemplateErrors,
  selectorErrors,
  setPodTemplateDefaults,
  templateWarnings,
} from '../core/index.js';
import type { ReplicaSet, ReplicaSetSpec } from '../drafts.js';
import { beginGenerations, countChangedSpec, keepSpec, keepStatus } from '../generation.js';

/** Source: kubernetes 1.34 `pkg/registry/apps/replicaset`, `pkg/apis/apps/{v1,validation}`. */
export const replicaSets: Behaviour<ReplicaSet> = {
  setDefaults({ spec }) {
    spec.replicas ??= 1;
    spec.template ??= {};
    setPodTemplateDefaults(spec.template);
  },

  prepareForCreate(set) {
    set.status = { replicas: 0 };
    beginGenerations(set);
    dropDisabledPodFields(set.spec.template?.spec, undefined);
  },
  validate: ({ spec }) => specErrors(spec),
  warningsOnCreate: ({ metadata, spec }) => [...podNameWarnings(metadata.name), ...templateWarnings(spec.template, 'spec.template')],

  prepareForUpdate(set, old) {
    keepStatus(set, old);
    dropDisabledPodFields(set.spec.template?.spec, old.spec.template?.spec);
    countChangedSpec(set, old);
  },
  validateUpdate: ({ spec }, old) => [
    ...specErrors(spec),
    ...immutable(spec.selector, old.spec.selector, 'spec.selector', printedSelector(spec.selector)),
  ],
  warningsOnUpdate: (set, old) =>
    set.metadata.generation === old.metadata.generation ? [] : templateWarnings(set.spec.template, 'spec.template'),

  prepareForStatusUpdate(set, old) {
    keepSpec(set, old);
    // Of a feature that is switched off.
    if (set.status !== undefined && old.status?.terminatingReplicas === undefined) delete set.status.terminatingReplicas;
  },
  validateStatusUpdate: ({ status }) => replicaStatusErrors(status ?? { replicas: 0 }),

  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.spec.selector' },
};

function specErrors(spec: ReplicaSetSpec): Errors {
  return [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...selectorErrors(spec.selector, 'spec.selector', 'deployment'),
    ...replicatedTemplateErrors({ selector: spec.selector, template: spec.template ?? {} }, 'spec', 'ReplicaSet'),
  ];
}
