import { explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { StatefulSet } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const group = 'planted.example.com';

const setOf = (name: string, replicas: number) =>
  StatefulSet({
    metadata: { name },
    spec: {
      replicas,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'main:1' }] } },
    },
  });

const Cache = defineCustomResource({
  group,
  kind: 'Cache',
  versions: { v1: { spec: z.object({ size: k.int32() }), status: z.object({ phase: z.enum(['Pending', 'Running']) }) } },
});

const cacheParts = { name: 'caches', for: Cache, owns: { sets: StatefulSet } } as const;

/** Applied is taken for running. */
const eager = defineController({
  ...cacheParts,
  reconcile({ object: { metadata, spec }, done }) {
    return done({ owned: { sets: [setOf(metadata.name, spec.size)] }, status: { phase: 'Running' } });
  },
});

const observing = defineController({
  ...cacheParts,
  reconcile({ object: { metadata, spec }, sets, done }) {
    const ready = sets.get(metadata.name)?.status?.readyReplicas ?? 0;
    return done({ owned: { sets: [setOf(metadata.name, spec.size)] }, status: { phase: ready >= spec.size ? 'Running' : 'Pending' } });
  },
});

const Farm = defineCustomResource({
  group,
  kind: 'Farm',
  versions: { v1: { spec: z.object({ size: k.int32() }), status: z.object({ readyReplicas: k.int32().optional() }) } },
});

const farmParts = { name: 'farms', for: Farm, owns: { sets: StatefulSet } } as const;

/** The Pods that are wanted are counted as ready. */
const counting = defineController({
  ...farmParts,
  reconcile({ object: { metadata, spec }, done }) {
    return done({ owned: { sets: [setOf(metadata.name, spec.size)] }, status: { readyReplicas: spec.size } });
  },
});

const copying = defineController({
  ...farmParts,
  reconcile({ object: { metadata, spec }, sets, done }) {
    const { readyReplicas } = sets.get(metadata.name)?.status ?? {};
    return done({ owned: { sets: [setOf(metadata.name, spec.size)] }, status: { readyReplicas } });
  },
});

const exploring = (name: string, Kind: typeof Cache | typeof Farm) => (controller: Controller) => (seeds: number) =>
  explore(defineOperator({ name, controllers: [controller] }), {
    story: ({ apply, change }) => [
      apply(Kind({ metadata: { name: 'a' }, spec: { size: 1 } }) as never),
      change(Kind as never, 'a', { spec: { size: 2 } } as never),
    ],
    workloads: true,
    seeds,
  });
const exploreCaches = exploring('cache-operator', Cache);
const exploreFarms = exploring('farm-operator', Farm);

export const runningFromSpec: Planted = {
  name: 'a phase Running for Pods that are not ready',
  bug: exploreCaches(eager),
  twin: exploreCaches(observing),
  says: [/the status of Cache a is not true/, /status\.phase is "Running", and StatefulSet a does not work/],
};

export const readyCount: Planted = {
  name: 'a count of ready Pods from the spec',
  bug: exploreFarms(counting),
  twin: exploreFarms(copying),
  says: [/the status of Farm a is not true/, /status\.readyReplicas is \d, and StatefulSet a does not work/],
};
