import { type ExploreOptions, explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, k, own, watch } from 'keelson';
import { ConfigMap, PersistentVolumeClaim, Pod, StatefulSet } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const group = 'planted.example.com';

/** A claim of an object, which survives it: no reference names the owner. */
const claim = (name: string, { metadata }: { readonly metadata: { readonly name: string; readonly uid: string } }, size = 1) =>
  PersistentVolumeClaim({
    metadata: { name, annotations: { [`${group}/of`]: metadata.name, [`${group}/owner`]: metadata.uid } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: `${size}Gi` } } },
  });
const sizeOf = ({ spec }: PersistentVolumeClaim): number => Number.parseInt(String(spec?.resources?.requests?.['storage']), 10);
const pod = (name: string) =>
  Pod({ metadata: { name }, spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'main:1' }] } });
const claims = watch(PersistentVolumeClaim, {
  verbs: ['create', 'delete'],
  enqueue: ({ metadata: { annotations = {} } }) => [{ name: annotations[`${group}/of`] ?? '' }],
});

interface Parts {
  readonly bug: Controller;
  readonly twin: Controller;
  readonly options: ExploreOptions;
  /** Children that others delete after the story, in that of the twin. */
  readonly removed?: ExploreOptions['story'];
  /** The first seed for the mistake: one that finds it soon. @defaultValue 1 */
  readonly from?: number;
  readonly says: readonly RegExp[];
}

function planted(name: string, { bug, twin, options, removed = () => [], from = 1, says }: Parts): Planted {
  const run = (controller: Controller, more: Partial<ExploreOptions>) => (seeds: number) =>
    explore(defineOperator({ name: 'planted-operator', controllers: [controller] }), { ...options, ...more, seeds, name });
  // A watch that says nothing shows an old state too, and is told otherwise.
  const story: ExploreOptions['story'] = (user) => [...options.story(user), ...removed(user)];
  return { name, bug: run(bug, { from, faults: { watches: false } }), twin: run(twin, { story }), says };
}

const Store = defineCustomResource({
  group,
  kind: 'Store',
  versions: { v1: { spec: z.object({ size: k.int32().default(1) }), status: z.object({}) } },
});

const storeParts = { name: 'stores', for: Store, watches: { claims }, writesStatus: false } as const;

/** The owner's name finds the claim: after a restart on an old state it is that of the owner's successor. */
export const recreatedOwner: Planted = planted('a claim deleted by name after its owner was recreated', {
  bug: defineController({
    ...storeParts,
    async reconcile({ object: { metadata }, claims, done }) {
      if (claims.get(`data-${metadata.name}`) === undefined) await claims.create(claim(`data-${metadata.name}`, { metadata }));
      return done();
    },
    async finalize({ object: { metadata }, claims }) {
      await claims.delete(`data-${metadata.name}`);
    },
  }),
  twin: defineController({
    ...storeParts,
    async reconcile({ object: { metadata }, claims, done }) {
      if (claims.get(`data-${metadata.name}`) === undefined) await claims.create(claim(`data-${metadata.name}`, { metadata }));
      return done();
    },
    async finalize({ object: { metadata }, claims }) {
      const mine = claims.list().filter((one) => one.metadata.annotations?.[`${group}/owner`] === metadata.uid);
      for (const one of mine) await claims.delete(one);
    },
  }),
  options: {
    story: ({ apply, remove }) => [
      apply(Store({ metadata: { name: 'a' }, spec: {} })),
      remove(Store, 'a'),
      apply(Store({ metadata: { name: 'a' }, spec: {} })),
    ],
  },
  removed: ({ remove }) => [remove(PersistentVolumeClaim, 'data-a')],
  from: 99,
  says: [/PersistentVolumeClaim data-a was deleted twice, undisturbed once/, /reads an old state: that of/],
});

const Database = defineCustomResource({
  group,
  kind: 'Database',
  versions: { v1: { spec: z.object({ disk: z.string() }), status: z.object({}) } },
});

const set = (name: string, disk: string) =>
  StatefulSet({
    metadata: { name, labels: { disk } },
    spec: {
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'main:1' }] } },
    },
  });

const databaseParts = { name: 'databases', for: Database, writesStatus: false } as const;

/** It wants the one that leaves to be gone, and deletes it once more, by its name. */
export const terminatingPredecessor: Planted = planted('a StatefulSet deleted by name for a predecessor that leaves', {
  bug: defineController({
    ...databaseParts,
    watches: { sets: watch(StatefulSet, { verbs: ['create', 'delete'], enqueue: ({ metadata: { name } }) => [{ name: name ?? '' }] }) },
    async reconcile({ object: { metadata, spec }, sets, done }) {
      const found = sets.get(metadata.name);
      if (found === undefined) await sets.create(set(metadata.name, spec.disk));
      else if (found.metadata.deletionTimestamp !== undefined || found.metadata.labels?.['disk'] !== spec.disk)
        await sets.delete(metadata.name, { propagationPolicy: 'Foreground' });
      return done();
    },
  }),
  twin: defineController({
    ...databaseParts,
    watches: { sets: watch(StatefulSet, { verbs: ['create', 'delete'], enqueue: ({ metadata: { name } }) => [{ name: name ?? '' }] }) },
    async reconcile({ object: { metadata, spec }, sets, done }) {
      const found = sets.get(metadata.name);
      if (found === undefined) await sets.create(set(metadata.name, spec.disk));
      else if (found.metadata.deletionTimestamp === undefined && found.metadata.labels?.['disk'] !== spec.disk)
        await sets.delete(found, { propagationPolicy: 'Foreground' });
      return done();
    },
  }),
  options: {
    story: ({ apply, change }) => [
      apply(Database({ metadata: { name: 'a' }, spec: { disk: 'slow' } })),
      change(Database, 'a', { spec: { disk: 'fast' } }),
    ],
  },
  removed: ({ remove }) => [remove(StatefulSet, 'a')],
  from: 51,
  says: [/StatefulSet a was deleted twice, undisturbed once/, /reads an old state: that of/],
});

const Ring = defineCustomResource({
  group,
  kind: 'Ring',
  versions: { v1: { spec: z.object({ size: k.int32() }), status: z.object({ size: k.int32().optional() }) } },
});

const ringParts = {
  name: 'rings',
  for: Ring,
  owns: { pods: own(Pod, { verbs: ['create', 'delete'] }) },
  watches: { claims },
  writesStatus: false,
} as const;

/** The last claim is that of the number of Pods which the cache counts. */
export const staleCount: Planted = planted('the claim of a Pod that leaves, chosen by a stale count', {
  bug: defineController({
    ...ringParts,
    async reconcile({ object: { metadata, spec }, pods, claims, done }) {
      const count = pods.list().length;
      if (count > spec.size) {
        await claims.delete(`data-${metadata.name}-${count - 1}`);
        await pods.delete(`${metadata.name}-${count - 1}`);
      }
      for (let index = count; index < spec.size; index += 1) {
        if (claims.get(`data-${metadata.name}-${index}`) === undefined)
          await claims.create(claim(`data-${metadata.name}-${index}`, { metadata }));
        await pods.create(pod(`${metadata.name}-${index}`));
      }
      return done();
    },
  }),
  twin: defineController({
    ...ringParts,
    async reconcile({ object: { metadata, spec }, pods, claims, done }) {
      const { name } = metadata;
      for (let index = 0; index < spec.size; index += 1) {
        if (claims.get(`data-${name}-${index}`) === undefined) await claims.create(claim(`data-${name}-${index}`, { metadata }));
        if (pods.get(`${name}-${index}`) === undefined) await pods.create(pod(`${name}-${index}`));
      }
      const mine = claims.list().filter((one) => one.metadata.annotations?.[`${group}/owner`] === metadata.uid);
      for (const one of mine) {
        const index = Number(one.metadata.name.split('-').at(-1));
        if (index < spec.size) continue;
        const left = pods.get(`${name}-${index}`);
        if (left !== undefined) await pods.delete(left);
        await claims.delete(one);
      }
      return done();
    },
  }),
  options: {
    story: ({ apply, change }) => [
      apply(Ring({ metadata: { name: 'a' }, spec: { size: 2 } })),
      change(Ring, 'a', { spec: { size: 1 } }),
      change(Ring, 'a', { spec: { size: 2 } }),
    ],
  },
  removed: ({ remove }) => [remove(Pod, 'a-0'), remove(PersistentVolumeClaim, 'data-a-1')],
  // Of the seeds before, some leave no time between the steps, and then the claim is lost without an old state.
  from: 21,
  says: [/PersistentVolumeClaim data-a-1 was deleted twice, undisturbed once/, /reads an old state: that of/],
});

const storeSizes = { ...storeParts, name: 'store-sizes' } as const;

/** Claims cannot shrink: it makes another one, whenever the size that it sees is not the one that is wanted. */
export const staleSize: Planted = planted('a resize decided by a stale size', {
  bug: defineController({
    ...storeSizes,
    async reconcile({ object: { metadata, spec }, claims, done }) {
      const name = `data-${metadata.name}`;
      const found = claims.get(name);
      if (found !== undefined && sizeOf(found) !== spec.size) await claims.delete(name);
      if (found === undefined) await claims.create(claim(name, { metadata }, spec.size));
      return done();
    },
  }),
  twin: defineController({
    ...storeSizes,
    async reconcile({ object: { metadata, spec }, claims, done }) {
      const name = `data-${metadata.name}`;
      const found = claims.get(name);
      if (found !== undefined && sizeOf(found) !== spec.size) await claims.delete(found);
      if (found === undefined) await claims.create(claim(name, { metadata }, spec.size));
      return done();
    },
  }),
  options: {
    story: ({ apply, change }) => [apply(Store({ metadata: { name: 'a' }, spec: { size: 3 } })), change(Store, 'a', { spec: { size: 2 } })],
  },
  removed: ({ remove }) => [remove(PersistentVolumeClaim, 'data-a')],
  from: 51,
  says: [/PersistentVolumeClaim data-a was deleted twice, undisturbed once/, /reads an old state: that of/],
});

const Site = defineCustomResource({
  group,
  kind: 'Site',
  versions: { v1: { spec: z.object({ banner: z.boolean() }), status: z.object({}) } },
});

/** The switch is that of the cache, and the name finds the child that is there now. */
export const disabledComponent: Planted = planted("a disabled component's child deleted from a stale cache", {
  bug: defineController({
    name: 'sites',
    for: Site,
    watches: { configs: watch(ConfigMap, { verbs: ['create', 'delete'], enqueue: () => [] }) },
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const name = `${metadata.name}-banner`;
      if (!spec.banner) await configs.delete(name);
      else if (configs.get(name) === undefined) await configs.create(ConfigMap({ metadata: { name }, data: { text: 'hello' } }));
      return done();
    },
  }),
  twin: defineController({
    name: 'sites',
    for: Site,
    owns: { configs: ConfigMap },
    writesStatus: false,
    reconcile({ object: { metadata, spec }, done }) {
      const banner = ConfigMap({ metadata: { name: `${metadata.name}-banner` }, data: { text: 'hello' } });
      return done({ owned: { configs: spec.banner ? [banner] : [] } });
    },
  }),
  options: {
    story: ({ apply, change }) => [
      apply(Site({ metadata: { name: 'a' }, spec: { banner: true } })),
      change(Site, 'a', { spec: { banner: false } }),
      change(Site, 'a', { spec: { banner: true } }),
    ],
  },
  removed: ({ remove }) => [remove(ConfigMap, 'a-banner')],
  from: 38,
  says: [/ConfigMap a-banner/, /an old state/],
});

/** What it does not see leaving keeps its claim for ever. */
export const unseenDeletion: Planted = planted("a claim deleted only if the Pod's deletion was seen", {
  bug: defineController({
    ...ringParts,
    async reconcile({ object: { metadata, spec }, pods, claims, done }) {
      const { name } = metadata;
      for (const one of pods.list()) if (one.metadata.deletionTimestamp !== undefined) await claims.delete(`data-${one.metadata.name}`);
      for (let index = 0; index < spec.size; index += 1) {
        if (claims.get(`data-${name}-${index}`) === undefined) await claims.create(claim(`data-${name}-${index}`, { metadata }));
        if (pods.get(`${name}-${index}`) === undefined) await pods.create(pod(`${name}-${index}`));
      }
      for (const one of pods.list()) {
        const index = Number(one.metadata.name.split('-').at(-1));
        if (index >= spec.size && one.metadata.deletionTimestamp === undefined) await pods.delete(one);
      }
      return done();
    },
  }),
  twin: defineController({
    ...ringParts,
    async reconcile({ object: { metadata, spec }, pods, claims, done }) {
      const { name } = metadata;
      for (let index = 0; index < spec.size; index += 1) {
        if (claims.get(`data-${name}-${index}`) === undefined) await claims.create(claim(`data-${name}-${index}`, { metadata }));
        if (pods.get(`${name}-${index}`) === undefined) await pods.create(pod(`${name}-${index}`));
      }
      for (const one of pods.list()) if (Number(one.metadata.name.split('-').at(-1)) >= spec.size) await pods.delete(one);
      for (const one of claims.list()) {
        const index = Number(one.metadata.name.split('-').at(-1));
        const isMine = one.metadata.annotations?.[`${group}/owner`] === metadata.uid;
        if (isMine && index >= spec.size && pods.get(`${name}-${index}`) === undefined) await claims.delete(one);
      }
      return done();
    },
  }),
  options: {
    workloads: { stopAfter: '5s' },
    story: ({ apply, change, pass }) => [
      apply(Ring({ metadata: { name: 'a' }, spec: { size: 2 } })),
      pass('10s'),
      change(Ring, 'a', { spec: { size: 1 } }),
      pass('10s'),
    ],
  },
  removed: ({ remove }) => [remove(Pod, 'a-0')],
  from: 11,
  says: [/\+ PersistentVolumeClaim data-a-1/, /what was between is never seen/],
});

/** Only steps by one are allowed, from the size that it saw last. */
export const unseenSize: Planted = planted('a scale-down refused by comparing with a size that was never seen', {
  bug: defineController({
    name: 'rings',
    for: Ring,
    owns: { configs: ConfigMap },
    reconcile({ object: { metadata, spec, status }, done }) {
      const before = status?.size ?? spec.size;
      const size = spec.size < before - 1 ? before : spec.size;
      return done({
        owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { size: String(size) } })] },
        status: { size },
      });
    },
  }),
  twin: defineController({
    name: 'rings',
    for: Ring,
    owns: { configs: ConfigMap },
    reconcile({ object: { metadata, spec, status }, done }) {
      const before = status?.size ?? spec.size;
      // One step at a time, and then the next.
      const size = Math.max(spec.size, before - 1);
      const config = ConfigMap({ metadata: { name: metadata.name }, data: { size: String(size) } });
      return done({ owned: { configs: [config] }, status: { size }, ...(size === spec.size ? {} : { requeueAfter: '1s' }) });
    },
  }),
  options: {
    story: ({ apply, change }) => [
      apply(Ring({ metadata: { name: 'a' }, spec: { size: 3 } })),
      change(Ring, 'a', { spec: { size: 2 } }),
      change(Ring, 'a', { spec: { size: 1 } }),
    ],
  },
  removed: ({ remove }) => [remove(ConfigMap, 'a')],
  from: 6,
  says: [/- ConfigMap a data\.size: "1"/, /\+ ConfigMap a data\.size: "3"/, /what was between is never seen/],
});
