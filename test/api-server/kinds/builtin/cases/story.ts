import type { Json } from '../../../../../src/kubernetes/index.js';

/** One object and what happens to it: to be told to our registry and to a real server. */
export interface Story {
  /** Also the name of the object, unless it says otherwise. */
  readonly title: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Without apiVersion, kind and name. */
  readonly object: { readonly [field: string]: Json };
  readonly steps?: readonly Step[];
}

export type Step =
  /** A merge patch of the object, or of a subresource. */
  | { readonly patch: Json; readonly subresource?: 'ephemeralcontainers' | 'resize' | 'scale' | 'status' }
  | { readonly delete: { readonly [option: string]: Json } }
  /** Sends what is there, changed by a JavaScript function, as an update. */
  | { readonly get: 'object' | 'scale' | 'status' };

export type Fields = Story['object'];

export function bodyOf({ title, apiVersion, kind, object }: Story): { readonly [field: string]: Json } {
  const { metadata, ...rest } = object;
  return { apiVersion, kind, metadata: { name: title.replaceAll(/[^a-z0-9]+/g, '-'), ...(metadata as object) }, ...rest };
}

export function nameOf(story: Story): string {
  return (bodyOf(story)['metadata'] as { name: string }).name;
}
