import { type CustomResourceModel, defineCustomResource } from 'keelson';
import { z } from 'zod';

/** Three versions; `v1` is stored. */
export const Cache = defineCustomResource({
  group: 'cache.example.com',
  kind: 'Cache',
  versions: {
    v1: {
      spec: z.object({
        size: z.number().int().default(3),
        mode: z.string().optional(),
        ports: z.array(z.object({ name: z.string(), port: z.number().int() })).optional(),
      }),
      status: z.object({ ready: z.number().int() }),
      storage: true,
    },
    v1beta1: { spec: z.object({ replicas: z.number().int().optional(), mode: z.string().default('fast') }) },
    v1alpha1: { spec: z.object({ count: z.number().int() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { replicas, mode } }) => ({ spec: { size: replicas ?? 3, mode } }),
      fromStorage: ({ spec }) => ({ spec: { replicas: spec.size, mode: spec.mode ?? 'fast' } }),
      lossy: { fromStorage: { 'spec.ports': 'v1beta1 has no ports', 'status.ready': 'v1beta1 has no status' } },
    },
    v1alpha1: {
      toStorage: ({ spec: { count } }) => ({ spec: { size: count } }),
      fromStorage: ({ spec, metadata }) => {
        if (spec.size > 1_000) throw new RangeError('too large for v1alpha1');
        return { spec: { count: spec.size }, metadata: { annotations: { ...metadata.annotations, mode: spec.mode ?? '' } } };
      },
      lossy: {
        fromStorage: {
          'spec.mode': 'nobody reads it back',
          'spec.ports': 'v1alpha1 has no ports',
          'status.ready': 'v1alpha1 has no status',
        },
      },
    },
  },
});

export const cacheObject = (version: string, spec: object, metadata: object = {}): Record<string, unknown> => ({
  apiVersion: `cache.example.com/${version}`,
  kind: 'Cache',
  metadata: { name: 'a', namespace: 'team', uid: 'uid-a', ...metadata },
  spec,
});

/** As a model that was not made by the builder would have it: nothing stands between the author's function and the server. */
export function withConversion(toStorage: (object: never) => unknown): CustomResourceModel {
  const conversion = { toStorage: toStorage as (object: unknown) => unknown, fromStorage: (object: unknown) => object };
  return { ...(Cache as CustomResourceModel), conversions: { v1beta1: conversion, v1alpha1: conversion } };
}
