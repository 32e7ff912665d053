import type { Scope, StructuralSchema } from '../../kubernetes/index.js';
import type { Problem } from '../errors.js';
import type { CustomResourceVersionModel } from '../model.js';
import type { CustomResourceOptions, VersionOptions } from './options.js';

/** The schema of a version, with what is wrong and what is risky in it. */
export interface VersionSchema {
  readonly schema: StructuralSchema;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export function versionSchemaOf(
  _version: VersionOptions,
  _at: { name: string; options: CustomResourceOptions<string, string, Scope> },
): VersionSchema {
  return { schema: {}, problems: [], warnings: [] };
}

export function interchangeProblems(_versions: readonly CustomResourceVersionModel[], _storage: string): Problem[] {
  return [];
}
