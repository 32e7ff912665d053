import { collections } from './collections.js';
import { kubernetesTypes } from './kubernetes-types.js';
import { rules } from './rules.js';
import { scalars } from './scalars.js';
import type { ZodCases } from './zod-case.js';

export type { ZodCase, ZodCases } from './zod-case.js';

/** Each group becomes one custom resource. */
export const zodGroups: Readonly<Record<string, ZodCases>> = {
  ZodScalars: scalars,
  ZodCollections: collections,
  ZodKubernetesTypes: kubernetesTypes,
  ZodRules: rules,
};
