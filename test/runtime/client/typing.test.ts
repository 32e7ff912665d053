import { expectTypeOf } from 'expect-type';
import { defineKind } from 'keelson/kinds';
import { Deployment } from 'keelson/kinds/apps/v1';
import { ConfigMap, Namespace, Pod } from 'keelson/kinds/core/v1';
import type { Kind, KindInfo, NamedMeta } from '../../../src/kubernetes/apimachinery/index.js';
import {
  type ApiClient,
  type MetadataObject,
  mergePatch,
  metadataOf,
  type Scale,
  strategicPatch,
  type UntypedObject,
} from '../../../src/runtime/client/index.js';

interface Widget {
  readonly apiVersion: 'a/v1';
  readonly kind: 'Widget';
  metadata: NamedMeta;
  spec: { size: number; mode: 'a' | 'b' };
  status?: { ready: boolean } | undefined;
}
interface WidgetInput extends Omit<Widget, 'spec'> {
  spec: { size: number; mode?: 'a' | 'b' };
}
const Widget: Kind<Widget, 'Namespaced', WidgetInput> = defineKind({
  group: 'a',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});

const key = { namespace: 'n', name: 'a' };

/** Never run: the compiler is the judge. */
async function right(client: ApiClient, anything: KindInfo): Promise<void> {
  const config = await client.get(ConfigMap, key);
  expectTypeOf(config.data).toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
  expectTypeOf(config.metadata.uid).toEqualTypeOf<string>();
  expectTypeOf((await client.list(Pod, { namespace: 'n' })).items[0]?.kind).toEqualTypeOf<'Pod' | undefined>();
  for await (const event of await client.watch(Deployment)) {
    if (event.type !== 'BOOKMARK') expectTypeOf(event.object.kind).toEqualTypeOf<'Deployment'>();
  }
  for await (const namespace of client.items(Namespace)) expectTypeOf(namespace.kind).toEqualTypeOf<'Namespace'>();
  expectTypeOf(await client.scale(Deployment).get(key)).toEqualTypeOf<Scale>();
  expectTypeOf((await client.status(Widget).apply(key, { status: { ready: true } })).spec.mode).toEqualTypeOf<'a' | 'b'>();
  const { metadata } = await client.get(metadataOf(Namespace), { name: 'a' });
  expectTypeOf(metadata.name).toEqualTypeOf<string>();
  expectTypeOf((await client.list(metadataOf(Pod))).items[0]).toExtend<MetadataObject | undefined>();
  // What has a default may be left out when it is written, and is there when it is read.
  expectTypeOf(
    (await client.create(Widget, { metadata: { generateName: 'a', namespace: 'n' }, spec: { size: 1 } })).spec.mode,
  ).toEqualTypeOf<'a' | 'b'>();
  await client.apply(Widget, Widget({ metadata: key, spec: { size: 1 } }));
  await client.patch(Widget, key, mergePatch({ spec: { mode: 'a' }, status: null }));
  await client.patch(ConfigMap, key, mergePatch({ metadata: { finalizers: ['a/b'] }, data: { a: null } }));
  await client.patch(Deployment, key, strategicPatch({ spec: { template: { spec: { containers: [{ name: 'a' }] } } } }));
  // A kind that was found at run time: a key of either scope, an object of which the common form is known.
  expectTypeOf(await client.get(anything, { name: 'a' })).toExtend<UntypedObject>();
  await client.get(anything, key);
  await client.create(anything, { metadata: { name: 'a' }, spec: { any: 'thing' } });
  await client.subresource(Pod, 'eviction').create(key, {});
}

async function wrong(client: ApiClient): Promise<void> {
  // @ts-expect-error a namespaced object is not found by its name alone
  await client.get(ConfigMap, { name: 'a' });
  // @ts-expect-error a cluster-scoped object has no namespace
  await client.get(Namespace, { namespace: 'n', name: 'a' });
  // @ts-expect-error a cluster-scoped collection has no namespaces
  await client.list(Namespace, { namespace: 'n' });
  // @ts-expect-error a field that the kind does not have
  await client.create(ConfigMap, { metadata: key, daata: {} });
  // @ts-expect-error a value that the field does not take
  await client.create(Widget, { metadata: key, spec: { size: '1' } });
  // @ts-expect-error what is replaced has a name
  await client.update(Widget, { metadata: { namespace: 'n' }, spec: { size: 1 } });
  // @ts-expect-error another kind's object
  await client.update(Widget, await client.get(ConfigMap, key));
  // @ts-expect-error a propagation policy that there is not
  await client.delete(Widget, key, { propagationPolicy: 'Later' });
  // @ts-expect-error a patch of a field that the kind does not have
  await client.patch(Widget, key, { type: 'merge', body: { spec: { siz: 1 } } });
}

test('the contracts above are held by the compiler', () => {
  expect([right, wrong].map(({ name }) => name)).toEqual(['right', 'wrong']);
});
