import { defaults } from './defaults.js';
import type { FeatureCases } from './feature-case.js';
import { kubernetesTypes } from './kubernetes-types.js';
import { lists } from './lists.js';
import { numbers } from './numbers.js';
import { objects } from './objects.js';
import { rules } from './rules.js';
import { strings } from './strings.js';

export type { Cause, FeatureCase, FeatureCases } from './feature-case.js';

/** Each group becomes one custom resource. */
export const featureGroups: Readonly<Record<string, FeatureCases>> = {
  Strings: strings,
  Numbers: numbers,
  Objects: objects,
  Lists: lists,
  KubernetesTypes: kubernetesTypes,
  Defaults: defaults,
  Rules: rules,
};
