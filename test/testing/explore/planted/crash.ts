import { explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, external, k, own, watch } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const group = 'planted.example.com';

const Report = defineCustomResource({
  group,
  kind: 'Report',
  versions: {
    v1: { spec: z.object({ edition: k.int32() }), status: z.object({ phase: z.string().optional(), edition: k.int32().optional() }) },
  },
});

const configOf = (name: string, edition: number) => ConfigMap({ metadata: { name }, immutable: true, data: { edition: String(edition) } });
const configs = own(ConfigMap, { verbs: ['create', 'delete'] });

/** A child that is gone is taken for one that a user has removed: what it deleted itself before it was killed, too. */
const forgetful = defineController({
  name: 'reports',
  for: Report,
  owns: { configs },
  async reconcile({ object: { metadata, spec, status }, configs, done }) {
    const { name } = metadata;
    const found = configs.get(name);
    const wasMade = status?.phase === 'Made';
    if (found === undefined && wasMade) return done({ status: { phase: 'Made' } });
    if (found !== undefined && found.data?.['edition'] !== String(spec.edition)) {
      await configs.delete(found);
      await configs.create(configOf(name, spec.edition));
    } else if (found === undefined) await configs.create(configOf(name, spec.edition));
    return done({ status: { phase: 'Made' } });
  },
});

const mindful = defineController({
  name: 'reports',
  for: Report,
  owns: { configs },
  async reconcile({ object: { metadata, spec, status: before }, configs, status, done }) {
    const { name } = metadata;
    const found = configs.get(name);
    const isAsWanted = found?.data?.['edition'] === String(spec.edition);
    if (isAsWanted) return done({ status: { phase: 'Made', edition: spec.edition } });
    // Removed by a user: this edition was made, and is not replaced.
    if (found === undefined && before?.phase === 'Made' && before.edition === spec.edition) return done({ status: before });
    if (before?.phase !== 'Replacing') await status.write({ phase: 'Replacing' });
    if (found !== undefined) await configs.delete(found);
    else await configs.create(configOf(name, spec.edition));
    return done({ status: { phase: 'Replacing' }, requeueAfter: '1s' });
  },
});

const exploreReports = (controller: Controller) => (seeds: number) =>
  explore(defineOperator({ name: 'report-operator', controllers: [controller] }), {
    story: ({ apply, change }) => [
      apply(Report({ metadata: { name: 'a' }, spec: { edition: 1 } })),
      change(Report, 'a', { spec: { edition: 2 } }),
    ],
    ignore: ['status.phase'],
    seeds,
  });

export const deleteThenRecreate: Planted = {
  name: 'delete, then recreate, without a record of the intent',
  bug: exploreReports(forgetful),
  twin: exploreReports(mindful),
  says: [/- ConfigMap a/, /the operator is killed right after its write "delete configmaps\/a"/],
};

interface Disks {
  create(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}
interface Needed {
  readonly disks: Disks;
}
const disks = external<Disks>();

class FakeDisks implements Disks {
  readonly ids = new Set<string>();

  async create(id: string): Promise<void> {
    this.ids.add(id);
  }

  async remove(id: string): Promise<void> {
    this.ids.delete(id);
  }
}

const Machine = defineCustomResource({ group, kind: 'Machine', versions: { v1: { spec: z.object({}), status: z.object({}) } } });
const keys = watch(Secret, { verbs: ['apply', 'delete'], enqueue: () => [] });

const machineParts = { name: 'machines', for: Machine, uses: { disks }, watches: { keys }, writesStatus: false } as const;

/** The key says that there is a disk, and is deleted first: a second try finds nothing to do. */
const hasty = defineController({
  ...machineParts,
  async reconcile({ object: { metadata }, disks, keys, done }) {
    await disks.create(metadata.name);
    await keys.apply(Secret({ metadata: { name: `${metadata.name}-key` }, stringData: { disk: metadata.name } }));
    return done();
  },
  async finalize({ object: { metadata }, disks, keys }) {
    const key = keys.get(`${metadata.name}-key`);
    if (key === undefined) return;
    await keys.delete(key);
    await disks.remove(metadata.name);
  },
});

const patient = defineController({
  ...machineParts,
  async reconcile({ object: { metadata }, disks, keys, done }) {
    await disks.create(metadata.name);
    await keys.apply(Secret({ metadata: { name: `${metadata.name}-key` }, stringData: { disk: metadata.name } }));
    return done();
  },
  async finalize({ object: { metadata }, disks, keys }) {
    await disks.remove(metadata.name);
    await keys.delete(`${metadata.name}-key`);
  },
});

const exploreMachines = (controller: Controller<Needed>) => (seeds: number) =>
  explore(defineOperator({ name: 'machine-operator', controllers: [controller] }), {
    story: ({ apply, remove }) => [apply(Machine({ metadata: { name: 'a' }, spec: {} })), remove(Machine, 'a')],
    externals: () => ({ disks: new FakeDisks() }),
    outside: ({ disks }) => [...(disks as FakeDisks).ids],
    seeds,
  });

export const finalizerSteps: Planted = {
  name: 'a finalizer of several steps without resume',
  bug: exploreMachines(hasty),
  twin: exploreMachines(patient),
  says: [/\+ outside.*"a"/],
};
