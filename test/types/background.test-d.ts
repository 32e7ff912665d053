import { expectTypeOf } from 'expect-type';
import { type ContextOf, type Done, declareAccess, defineController, defineCustomResource, external, own, read } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds';
import { z } from 'zod';

const Vault = defineCustomResource({
  group: 'vaults.example.com',
  kind: 'Vault',
  versions: { v1: { spec: z.object({ bucket: z.string() }), status: z.object({ bytes: z.number().optional() }) } },
});
interface Store {
  save(bucket: string, key: string, password: string, signal: AbortSignal): Promise<number>;
}
const store = external<Store>();

// The simplest: what is declared under `reads` is in the context.
export const simplest = defineController({
  name: 'simplest',
  for: Vault,
  reads: { secrets: Secret },
  background: { copy: async ({ object, secrets }) => (await secrets.get(object.metadata.name))?.data?.['password'] },
  reconcile({ copy, done }) {
    expectTypeOf(copy.start).parameters.toEqualTypeOf<[key: string]>();
    const state = copy.start('daily');
    if (state.phase === 'done') expectTypeOf(state.result).toEqualTypeOf<string | undefined>();
    return done();
  },
});

// The hardest: an external, a read of one verb, an input, progress; several pieces of work.
interface Part {
  readonly bucket: string;
  readonly number: number;
}
export const hardest = defineController({
  name: 'hardest',
  for: Vault,
  uses: { store },
  owns: { configs: own(ConfigMap, { verbs: ['create'] }) },
  reads: { secrets: read(Secret, { verbs: ['get'] }) },
  background: {
    async upload({ object, store, secrets, signal, progress, key }, { bucket, number }: Part) {
      expectTypeOf<keyof typeof secrets>().toEqualTypeOf<'get'>();
      progress(`part ${number}`);
      const secret = await secrets.get(`${object.metadata.name}-key`);
      return { bytes: await store.save(bucket, key, secret?.data?.['password'] ?? '', signal) };
    },
    sometimes: (_, deep?: boolean) => (deep === true ? 'deep' : 'flat') as 'deep' | 'flat',
    plain: () => 1,
  },
  reconcile({ object, upload, sometimes, plain, done }) {
    const state = upload.start('today', { bucket: object.spec.bucket, number: 1 });
    if (state.phase === 'done') expectTypeOf(state.result).toEqualTypeOf<{ bytes: number }>();
    sometimes.start('a');
    const deep = sometimes.start('a', true);
    if (deep.phase === 'done') expectTypeOf(deep.result).toEqualTypeOf<'deep' | 'flat'>();
    plain.cancel('a');
    // @ts-expect-error: an input is missing
    upload.start('today');
    // @ts-expect-error: it has another form
    upload.start('today', { bucket: 'a' });
    // @ts-expect-error: it takes none
    plain.start('today', {});
    return done();
  },
});

export const mistaken = defineController({
  name: 'mistaken',
  for: Vault,
  owns: { configs: ConfigMap },
  reads: { secrets: Secret },
  background: {
    // @ts-expect-error: handles of children are for runs
    child: ({ configs }) => configs,
    // @ts-expect-error: an input says its type
    untyped: (_, input) => input.bucket,
    // @ts-expect-error: one input, not two
    two: (_, bucket: string, number: number) => `${bucket} ${number}`,
  },
  reconcile: ({ done }) => done(),
});

// Written apart.
const access = declareAccess({
  for: Vault,
  uses: { store },
  reads: { secrets: Secret },
  background: { upload: async ({ secrets }, part: Part) => `${part.bucket} ${(await secrets.list()).length}` },
});
async function reconcileApart({ upload, done }: ContextOf<typeof access>): Promise<Done> {
  expectTypeOf(upload.start).parameters.toEqualTypeOf<[key: string, part: Part]>();
  const state = upload.start('a', { bucket: 'b', number: 1 });
  if (state.phase === 'done') expectTypeOf(state.result).toEqualTypeOf<string>();
  return done();
}
export const apart = defineController({ name: 'apart', ...access, reconcile: reconcileApart });
