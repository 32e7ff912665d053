import { z } from 'zod';
import { type CustomResourceModel, defineCustomResource } from '../../../../src/keelson/definition/index.js';
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

/** One definition per group, with one optional field of `spec` per case. */
export function featureDefinitions(): CustomResourceModel[] {
  return Object.entries(zodGroups).map(([kind, cases]) => {
    const fields = Object.fromEntries(Object.entries(cases).map(([name, { schema }]) => [name, schema.optional()]));
    return defineCustomResource({
      group: 'features.example.com',
      kind,
      plural: kind.toLowerCase(),
      versions: { v1: { spec: z.object(fields as z.ZodRawShape) } },
    });
  });
}
