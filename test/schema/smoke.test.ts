import { z } from 'zod';
import { k, structuralSchemaOf, convertSchema } from '../../src/schema/index.js';

test('memcached', () => {
  const spec = z.object({
    size: k.int32().min(1).max(5).default(3).describe('Number of memcached pods.'),
    image: z.string().default('memcached:1.6'),
    limits: k.listMap(z.object({ name: z.string(), value: k.quantity() }), 'name').max(10).optional(),
    cache: z.object({ mb: k.int32().default(64) }).prefault({}),
    storage: z.discriminatedUnion('type', [z.object({ type: z.literal('pvc'), size: k.quantity() }), z.object({ type: z.literal('none') })]).optional(),
    mode: z.enum(['a', 'b']).nullable().optional(),
    x: k.immutable(z.string().optional()),
    a: z.string().optional(), b: z.string().optional(),
    port: k.intOrString().optional(), u: z.union([z.int(), z.literal('auto')]).optional(),
  }).check(k.rule('self.size <= 5', { message: 'size must be at most 5' })).check(k.oneOf('a', 'b'));
  console.log(JSON.stringify(structuralSchemaOf(spec, { path: 'spec', resolveBuiltin: () => undefined }), null, 1));
  const bad = z.object({ d: z.date(), r: z.string().refine(() => true), t: z.tuple([z.string()]), re: z.string().regex(/(?=a)b/) , n: z.object({ get me() { return bad; } })});
  console.log(convertSchema(bad, { path: 'spec', resolveBuiltin: () => undefined }).problems);
  console.log(z.toJSONSchema === undefined, spec.safeParse({ size: 1, limits: [{ name: 'a', value: 'x' }, { name: 'a', value: 1 }], a: '1' }).error?.issues);
});
