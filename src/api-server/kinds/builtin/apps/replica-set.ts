import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, nonNegative, printedSelector, replicaStatus } from '../checks/index.js';
import { replicated, replicatedTemplateErrors, selectorErrors, setPodTemplateDefaults } from '../core/index.js';
import type { ReplicaSet, ReplicaSetSpec } from '../drafts.js';
import { keepSpec } from '../generation.js';

const frame = replicated<ReplicaSet>({ newStatus: () => ({ replicas: 0 }), templateOf: ({ spec }) => spec.template });

/** Source: kubernetes `pkg/registry/apps/replicaset`, `pkg/apis/apps/{v1,validation}`. */
export const replicaSets: Behaviour<ReplicaSet> = {
  setDefaults({ spec }) {
    spec.replicas ??= 1;
    spec.template ??= {};
    setPodTemplateDefaults(spec.template);
  },

  ...frame,
  validate: ({ spec }) => specErrors(spec),
  validateUpdate: ({ spec }, old) => [
    ...specErrors(spec),
    ...immutable(spec.selector, old.spec.selector, 'spec.selector', printedSelector(spec.selector)),
  ],

  prepareForStatusUpdate(set, old) {
    keepSpec(set, old);
  },
  validateStatusUpdate: ({ status }) => replicaStatus(status, 'status'),
};

function specErrors(spec: ReplicaSetSpec): Errors {
  return [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...selectorErrors(spec.selector, 'spec.selector', 'deployment'),
    ...replicatedTemplateErrors({ selector: spec.selector, template: spec.template ?? {} }, 'spec', 'ReplicaSet'),
  ];
}
