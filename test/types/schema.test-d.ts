import { expectTypeOf } from 'expect-type';
import { k } from 'keelson';
import type { PodTemplateSpec } from 'keelson/kinds';
import { Deployment } from 'keelson/kinds';
import { z } from 'zod';

const limit = z.object({ name: z.string(), value: k.quantity() });

// @ts-expect-error '"nam"' is not assignable to '"name" | "value"'
k.listMap(limit, 'nam');
// @ts-expect-error a list-map has at least one key
k.listMap(limit);
// @ts-expect-error a list-map has objects as items
k.listMap(z.string(), 'length');
// @ts-expect-error there is no such built-in type
k.builtin('PodTemplat');
// @ts-expect-error an option is true or false
k.builtin('PodSpec', { open: 'yes' });
// @ts-expect-error there is no such option
k.builtin('PodSpec', { opened: true });

const open = k.builtin('Toleration', { open: true });
expectTypeOf<z.output<typeof open>['operator']>().toEqualTypeOf<'Equal' | 'Exists' | 'Gt' | 'Lt' | (string & {}) | undefined>();
expectTypeOf<z.output<typeof open>['value']>().toEqualTypeOf<string | undefined>();
const openPod = k.builtin('PodTemplateSpec', { open: true });
type OpenPod = NonNullable<z.output<typeof openPod>['spec']>;
expectTypeOf<NonNullable<OpenPod['tolerations']>[number]['tolerationSeconds']>().toEqualTypeOf<number | undefined>();
expectTypeOf<NonNullable<OpenPod['nodeSelector']>>().toEqualTypeOf<Readonly<Record<string, string>>>();
const future: z.input<typeof openPod> = { spec: { containers: [], tolerations: [{ operator: 'Near' }] } };
const { spec: known } = future as PodTemplateSpec;
expectTypeOf(known?.tolerations?.[0]?.operator).toEqualTypeOf<'Equal' | 'Exists' | 'Gt' | 'Lt' | undefined>();
const closed = k.builtin('Toleration', { open: false });
// @ts-expect-error 'Near' is not an operator of this version
const refused: z.input<typeof closed> = { operator: 'Near' };
expectTypeOf(refused).toEqualTypeOf(refused);

// @ts-expect-error the object has none of these fields
z.object({ a: z.string().optional() }).check(k.oneOf('x', 'y'));
// @ts-expect-error one field alone is not a choice
k.oneOf('a');
// @ts-expect-error an API server knows four reasons
k.rule('true', { reason: 'Because' });
// @ts-expect-error a format is about text
z.number().check(k.format('email'));

const spec = z
  .object({
    size: k.int32().min(1).default(3),
    limits: k.listMap(limit, 'name').max(10).optional(),
    tags: k.set(z.string()),
    template: k.builtin('PodTemplateSpec'),
    port: k.intOrString(),
    anything: k.preserveUnknown(),
    child: k.embedded(Deployment).optional(),
    zone: k.immutable(z.string().optional()),
    a: z.string().optional(),
    b: z.string().optional(),
  })
  .check(k.rule('self.size > 0', { message: 'must be positive' }), k.atMostOneOf('a', 'b'));

expectTypeOf<z.output<typeof spec>['size']>().toEqualTypeOf<number>();
expectTypeOf<z.input<typeof spec>['size']>().toEqualTypeOf<number | undefined>();
expectTypeOf<z.output<typeof spec>['limits']>().toEqualTypeOf<{ name: string; value: string | number }[] | undefined>();
expectTypeOf<z.output<typeof spec>['tags']>().toEqualTypeOf<string[]>();
expectTypeOf<z.output<typeof spec>['template']>().toEqualTypeOf<PodTemplateSpec>();
expectTypeOf<z.output<typeof spec>['port']>().toEqualTypeOf<string | number>();
expectTypeOf<z.output<typeof spec>['anything']>().toEqualTypeOf<Record<string, unknown>>();
expectTypeOf<z.output<typeof spec>['child']>().toEqualTypeOf<Deployment | undefined>();
expectTypeOf<z.output<typeof spec>['zone']>().toEqualTypeOf<string | undefined>();
