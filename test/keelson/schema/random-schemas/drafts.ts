import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

type Fields = Readonly<Record<string, Json>>;

/** A custom resource without its metadata. */
export type Draft = { readonly spec: Json };

/** An update. */
export type Change = { readonly old: Draft; readonly object: Draft };

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
