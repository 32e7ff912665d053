import { explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, k, own } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const Site = defineCustomResource({
  group: 'values.example.com',
  kind: 'Site',
  versions: {
    v1: {
      spec: z.object({
        title: z.string().max(40),
        pages: k.int32().min(0).max(4).default(1),
        banner: z.string().optional(),
        paused: z.boolean().optional(),
        mode: z.enum(['Plain', 'Bold']).optional(),
        tags: z.array(z.string()).optional(),
      }),
      status: z.object({ longest: k.int32().optional() }),
    },
  },
});
const config = (name: string, text = 'x', annotations: Record<string, string> = {}) =>
  ConfigMap({ metadata: { name, annotations }, data: { text } });
const byHand = { name: 'sites', for: Site, owns: { configs: own(ConfigMap, { verbs: ['create', 'delete', 'patch'] }) } } as const;
const owning = { name: 'sites', for: Site, owns: { configs: ConfigMap } } as const;

interface Parts {
  readonly bug: Controller;
  readonly twin: Controller;
  /** The first seed for the mistake: one that finds it soon. @defaultValue 1 */
  readonly from?: number;
  readonly says: readonly RegExp[];
}

/** No step of the story changes a field: values alone do. */
function planted(name: string, { bug, twin, from = 1, says }: Parts): Planted {
  const run = (controller: Controller, first?: number) => (seeds: number) =>
    explore(defineOperator({ name: 'site-operator', controllers: [controller] }), {
      story: ({ apply }) => [
        apply(Site({ metadata: { name: 'a' }, spec: { title: 'A', tags: ['one'] } })),
        apply(Site({ metadata: { name: 'b' }, spec: { title: 'B', pages: 2, mode: 'Plain' } })),
      ],
      faults: { values: true },
      seeds,
      from: first,
      name,
    });
  return { name, bug: run(bug, from), twin: run(twin), says };
}

const bannered = (prunes: boolean) =>
  defineController({
    ...byHand,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const found = configs.get(`${metadata.name}-banner`);
      if (spec.banner !== undefined && found === undefined) await configs.create(config(`${metadata.name}-banner`));
      if (prunes && spec.banner === undefined && found !== undefined) await configs.delete(found);
      return done();
    },
  });

export const optionalChild: Planted = planted('a child of an optional field that stays without it', {
  bug: bannered(false),
  twin: bannered(true),
  says: [/spec\.banner of Site \w is "" for a while/, /\+ ConfigMap \w-banner/],
});

const paged = (prunes: boolean) =>
  defineController({
    ...byHand,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      for (let page = 0; page < spec.pages; page += 1)
        if (configs.get(`${metadata.name}-${page}`) === undefined) await configs.create(config(`${metadata.name}-${page}`));
      for (let page = spec.pages; prunes && page < 4; page += 1) {
        const found = configs.get(`${metadata.name}-${page}`);
        if (found !== undefined) await configs.delete(found);
      }
      return done();
    },
  });

export const largerNumber: Planted = planted('children of a number that are left when it becomes smaller', {
  bug: paged(false),
  twin: paged(true),
  from: 190,
  says: [/spec\.pages of Site \w is 4 for a while/, /\+ ConfigMap \w-3/],
});

const measuring = (remembers: boolean) =>
  defineController({
    ...owning,
    reconcile: ({ object: { spec, status }, done }) =>
      done({ status: { longest: Math.max(spec.title.length, remembers ? (status?.longest ?? 0) : 0) } }),
  });

export const longText: Planted = planted('a length that only grows', {
  bug: measuring(true),
  twin: measuring(false),
  says: [/spec\.title of Site \w is "a{36}\.\.\. for a while/, /status\.longest: 40/],
});

const pausing = (states: boolean) =>
  defineController({
    ...byHand,
    writesStatus: false,
    async reconcile({ object: { metadata, spec }, configs, done }) {
      const found = configs.get(metadata.name);
      if (found === undefined) await configs.create(config(metadata.name));
      const isMarked = found?.metadata.annotations?.['paused'] === 'true';
      if (found !== undefined && spec.paused === true && !isMarked)
        await configs.patch(found, { metadata: { annotations: { paused: 'true' } } });
      if (found !== undefined && states && spec.paused !== true && isMarked)
        await configs.patch(found, { metadata: { annotations: { paused: null } } });
      return done();
    },
  });

export const markThatStays: Planted = planted('a mark of a boolean that stays when it is false again', {
  bug: pausing(false),
  twin: pausing(true),
  says: [/spec\.paused of Site \w is true for a while/, /\+ ConfigMap \w metadata\.annotations\.paused: "true"/],
});

const remembered = (isRemembered: boolean) =>
  defineController({
    ...owning,
    reconcile({ object: { metadata, spec }, configs, done }) {
      const before = configs.get(metadata.name)?.data?.['text'];
      const mode = spec.mode ?? 'Plain';
      const text = isRemembered && before === 'Bold' ? before : mode;
      return done({ owned: { configs: [config(metadata.name, text)] } });
    },
  });

export const oneWay: Planted = planted('a word of an enumeration that has no way back', {
  bug: remembered(true),
  twin: remembered(false),
  says: [/spec\.mode of Site \w is "Bold" for a while/, /\+ ConfigMap \w data\.text: "Bold"/],
});
