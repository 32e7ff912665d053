import { required } from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, type Errors, nonNegative, replicaStatus, those } from '../checks/index.js';
import type { ReplicationController, ReplicationControllerSpec } from '../drafts.js';
import { lastingPodErrors, podTemplateErrors, replicated, setPodTemplateDefaults, unmatched } from './pods/index.js';

const frame = replicated<ReplicationController>({ newStatus: () => ({ replicas: 0 }), templateOf: ({ spec }) => spec?.template });

/** Source: kubernetes `pkg/registry/core/replicationcontroller`, `pkg/apis/core/{v1,validation}`. */
export const replicationControllers: Behaviour<ReplicationController> = {
  setDefaults(controller) {
    const written = controller as { spec?: ReplicationControllerSpec };
    written.spec ??= {};
    const { spec } = written;
    const labels = spec.template?.metadata?.labels;
    if (labels !== undefined) {
      if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
      if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
    }
    spec.replicas ??= 1;
    if (spec.template !== undefined) setPodTemplateDefaults(spec.template);
  },

  ...frame,
  validate: ({ spec }) => specErrors(spec ?? {}),
  validateUpdate: ({ spec }) => specErrors(spec ?? {}),
  validateStatusUpdate: ({ status }) => replicaStatus(status, 'status'),

  defaultPropagation: 'Orphan',
};

function specErrors({ minReadySeconds, selector = {}, replicas, template }: ReplicationControllerSpec): Errors {
  return those(
    Object.keys(selector).length === 0 && required('spec.selector'),
    declaredErrors([...nonNegative(replicas, 'spec.replicas'), ...nonNegative(minReadySeconds, 'spec.minReadySeconds')]),
    template === undefined ? [required('spec.template')] : templateErrors(template, selector),
  );
}

function templateErrors(template: NonNullable<ReplicationControllerSpec['template']>, selector: Readonly<Record<string, string>>): Errors {
  const labels = template.metadata?.labels ?? {};
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value);
  return those(
    !isSelected && unmatched(template, 'spec.template'),
    podTemplateErrors(template, 'spec.template'),
    lastingPodErrors(template.spec, 'spec.template.spec', 'ReplicationController'),
  );
}
