import { defineController, defineCustomResource, defineOperator, k, own, read, toReferrers, validating, watch } from 'keelson';
import { z } from 'zod';

export const Page = defineCustomResource({
  group: 'web.example.com',
  kind: 'Page',
  versions: {
    v1: {
      spec: z.object({ title: z.string(), gate: z.string().optional() }),
      status: z.object({
        monitored: z.boolean().optional(),
        issuers: k.int32().optional(),
        gates: k.int32().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});

const ofOthers = (kind: string) =>
  defineCustomResource({ group: 'others.example.com', kind, versions: { v1: { spec: z.object({ page: z.string().optional() }) } } });
/** Kinds of others, which come and go. */
export const Monitor = ofOthers('Monitor');
export const Issuer = ofOthers('Issuer');
/** One that its controller cannot do without. */
export const Gate = ofOthers('Gate');

const pages = defineController({
  name: 'pages',
  for: Page,
  owns: { monitors: own(Monitor, { optional: true }) },
  watches: {
    seen: watch(Monitor, { optional: true, enqueue: toReferrers(Page, ({ metadata: { name } }) => [{ name }]) }),
  },
  reads: { issuers: read(Issuer, { optional: true, verbs: ['list'] }) },
  async reconcile({ object, monitors, seen, issuers, done }) {
    const { name } = object.metadata;
    const wanted = monitors.isServed ? [Monitor({ metadata: { name }, spec: { page: name } })] : [];
    return done({
      owned: { monitors: wanted },
      status: { monitored: seen.get(name) !== undefined, ...(issuers.isServed ? { issuers: (await issuers.list()).length } : {}) },
    });
  },
});

const gates = defineController({
  name: 'gates',
  for: Page,
  watches: { gates: watch(Gate, { enqueue: toReferrers(Page, ({ spec }) => [{ name: spec.gate }]) }) },
  writesStatus: { summary: 'GatesCounted', fields: ['gates'] },
  reconcile: ({ gates, done }) => done({ status: { gates: gates.list().length } }),
});

export const operator = defineOperator({
  name: 'page-operator',
  controllers: [pages, gates],
  webhooks: [validating(Page, ({ spec }) => (spec.title === 'wrong' ? [{ path: 'spec.title', message: 'is wrong' }] : []))],
});
