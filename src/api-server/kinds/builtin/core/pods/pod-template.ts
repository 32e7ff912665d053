import type { Behaviour } from '../../behaviour.js';
import type { Errors } from '../../checks/index.js';
import type { PodTemplate } from '../../drafts.js';
import { beginGenerations, countGeneration } from '../../generation.js';
import { semanticEqual } from '../../semantic-equal.js';
import { dropDisabledPodFields } from './disabled-pod-fields.js';
import { setPodTemplateDefaults } from './pod-defaults.js';
import { podTemplateErrors } from './pod-spec-validation.js';
import { templateWarnings } from './workload-template.js';

/** Source: kubernetes `pkg/registry/core/podtemplate`. */
export const podTemplates: Behaviour<PodTemplate> = {
  setDefaults(object) {
    object.template ??= {};
    setPodTemplateDefaults(object.template);
  },
  prepareForCreate(object) {
    beginGenerations(object);
    dropDisabledPodFields(object.template?.spec, undefined);
  },
  validate: templateErrors,
  warningsOnCreate: ({ template }) => templateWarnings(template, 'template'),
  prepareForUpdate(object, old) {
    dropDisabledPodFields(object.template?.spec, old.template?.spec);
    if (!semanticEqual(object.template, old.template)) countGeneration(object, old);
  },
  validateUpdate: templateErrors,
  warningsOnUpdate: (object, old) =>
    object.metadata.generation === old.metadata.generation ? [] : templateWarnings(object.template, 'template'),
};

function templateErrors({ template }: PodTemplate): Errors {
  return podTemplateErrors(template ?? {}, 'template');
}
