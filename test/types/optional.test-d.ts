import { expectTypeOf } from 'expect-type';
import {
  type ContextOf,
  declareAccess,
  defineController,
  defineCustomResource,
  type Handle,
  type Live,
  type OptionalHandle,
  own,
  read,
  toOwner,
  validating,
  watch,
} from 'keelson';
import { ConfigMap, Deployment, Secret } from 'keelson/kinds';
import { z } from 'zod';

const Site = defineCustomResource({ group: 'a.example.com', kind: 'Site', versions: { v1: { spec: z.object({}) } } });

// Inline calls infer from themselves, not from the constraint of the map that they stand in.
export const optional = defineController({
  name: 'optional',
  for: Site,
  owns: {
    children: own(Deployment, { optional: true }),
    acted: own(Secret, { optional: true, verbs: ['create'] }),
    needed: own(ConfigMap, { onDelete: 'orphan' }),
    said: own(ConfigMap, { optional: false, verbs: ['patch'] }),
  },
  watches: {
    watched: watch(Deployment, { optional: true, enqueue: toOwner(Site) }),
    indexed: watch(Deployment, { optional: true, indexes: { node: () => [] }, verbs: ['patch'] }),
    plain: watch(Deployment, { enqueue: toOwner(Site) }),
    known: watch(Secret, { optional: true, metadataOnly: true }),
  },
  reads: {
    asked: read(Secret, { optional: true }),
    one: read(Secret, { verbs: ['get'], optional: true }),
    both: read(Secret, { verbs: ['get'] }),
  },
  reconcile(context) {
    expectTypeOf(context.children).toEqualTypeOf<Handle<Deployment, never> & OptionalHandle>();
    expectTypeOf(context.acted).toEqualTypeOf<Handle<Secret, 'create'> & OptionalHandle>();
    expectTypeOf(context.watched.isServed).toEqualTypeOf<boolean>();
    expectTypeOf(context.indexed.isServed).toEqualTypeOf<boolean>();
    expectTypeOf(context.known.isServed).toEqualTypeOf<boolean>();
    expectTypeOf(context.asked).toEqualTypeOf<Live<Secret> & OptionalHandle>();
    expectTypeOf(context.one).toEqualTypeOf<Pick<Live<Secret>, 'get'> & OptionalHandle>();
    // A declaration without it is what it was.
    expectTypeOf(context.needed).toEqualTypeOf<Handle<ConfigMap, never>>();
    expectTypeOf(context.said).toEqualTypeOf<Handle<ConfigMap, 'patch'>>();
    expectTypeOf(context.plain).toEqualTypeOf<Handle<Deployment, never>>();
    expectTypeOf(context.both).toEqualTypeOf<Pick<Live<Secret>, 'get'>>();
    // @ts-expect-error a kind that is not optional is always served
    void context.plain.isServed;
    // @ts-expect-error it is known, and not set
    context.watched.isServed = true;
    return context.done({ owned: { children: [] } });
  },
  finalize({ acted, asked }) {
    expectTypeOf(acted.isServed).toEqualTypeOf<boolean>();
    expectTypeOf(asked.isServed).toEqualTypeOf<boolean>();
  },
});

const access = declareAccess({ for: Site, watches: { apart: watch(Deployment, { optional: true }) } });
export function isServedApart({ apart }: ContextOf<typeof access>): boolean {
  return apart.isServed;
}

export const webhook = validating(
  Site,
  (_, { sets, needed }) => {
    expectTypeOf(sets.isServed).toEqualTypeOf<boolean>();
    // @ts-expect-error a kind that is not optional is always served
    void needed.isServed;
  },
  { watches: { sets: watch(Deployment, { optional: true }), needed: ConfigMap } },
);
