import type { DeepReadonly } from 'keelson';
import type { z } from 'zod';
import type { v1alpha1, v1beta1 } from './schema.js';

type Annotations = Record<string, string>;
type Meta = { readonly annotations?: Readonly<Annotations> | undefined };
type SpecOf<T extends { spec: z.ZodType }> = DeepReadonly<z.output<T['spec']>>;
type StatusOf<T extends { status: z.ZodType }> = DeepReadonly<z.output<T['status']>>;

interface Old {
  readonly metadata: Meta;
  readonly spec: SpecOf<typeof v1alpha1>;
  readonly status?: StatusOf<typeof v1alpha1> | undefined;
}

interface New {
  readonly metadata: Meta;
  readonly spec: SpecOf<typeof v1beta1>;
  readonly status?: StatusOf<typeof v1beta1> | undefined;
}

/** Holds, in an object of the one version, what only the other version can say: without it, an edit of the old version would delete the new fields. */
export const KEPT_ANNOTATIONS = { v1alpha1: 'apps.example.com/kept-v1alpha1', v1beta1: 'apps.example.com/kept-v1beta1' } as const;

type Kept = { readonly spec?: Record<string, unknown>; readonly status?: Record<string, unknown> };

// #region convert
export function toStorage({ metadata, spec: { paused, namespace, ...common }, status }: Old) {
  const kept = keptIn(metadata, 'v1beta1');
  const strategy = kept.spec?.['updateStrategy'] as Partial<New['spec']['updateStrategy']> | undefined;
  const spec = { ...kept.spec, ...common, updateStrategy: { ...strategy, paused: paused ?? false } };
  return {
    metadata: keeping(metadata, { drop: 'v1beta1', keep: 'v1alpha1', kept: without({ spec: { namespace } }) }),
    spec: spec as New['spec'],
    status: status === undefined ? undefined : ({ ...kept.status, ...status } as New['status']),
  };
}

export function fromStorage({ metadata, spec: { selector, containers, ...rest }, status }: New) {
  const { updateStrategy, ...others } = rest;
  const { paused, ...strategy } = updateStrategy;
  const { observedGeneration, matchedPods, updatedPods, readyPods, ...news } = status ?? {};
  const { namespace } = keptIn(metadata, 'v1alpha1').spec ?? {};
  const counts = { observedGeneration, matchedPods, updatedPods, readyPods };
  return {
    metadata: keeping(metadata, {
      drop: 'v1alpha1',
      keep: 'v1beta1',
      kept: without({ spec: { ...others, updateStrategy: strategy }, status: news }),
    }),
    spec: { selector, containers, paused, ...(namespace === undefined ? {} : { namespace }) } as Old['spec'],
    status: status === undefined ? undefined : (counts as Old['status']),
  };
}
// #endregion

function keptIn({ annotations }: Meta, version: keyof typeof KEPT_ANNOTATIONS): Kept {
  const text = annotations?.[KEPT_ANNOTATIONS[version]];
  if (text === undefined) return {};
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    // A user has edited it: its content is lost, the object is not.
    return {};
  }
}

interface Keeping {
  readonly drop: keyof typeof KEPT_ANNOTATIONS;
  readonly keep: keyof typeof KEPT_ANNOTATIONS;
  readonly kept: Kept;
}

function keeping({ annotations }: Meta, { drop, keep, kept }: Keeping): { annotations: Annotations } {
  const { [KEPT_ANNOTATIONS[drop]]: _, ...others } = annotations ?? {};
  return { annotations: Object.keys(kept).length === 0 ? others : { ...others, [KEPT_ANNOTATIONS[keep]]: JSON.stringify(kept) } };
}

/** Without what is undefined, and without what is empty then. */
function without(kept: Kept): Kept {
  const present = JSON.parse(JSON.stringify(kept)) as Record<string, object>;
  return Object.fromEntries(Object.entries(present).filter(([, fields]) => Object.keys(fields).length > 0));
}
