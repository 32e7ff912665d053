import { defineController, defineCustomResource, defineOperator, k, permissionsOf, select } from 'keelson';
import { ConfigMap, Pod } from 'keelson/kinds';
import { z } from 'zod';

const Site = defineCustomResource({
  group: 'a.example.com',
  kind: 'Site',
  versions: {
    v1: {
      spec: z.object({ className: z.string(), size: z.number() }),
      status: z.object({ conditions: k.conditions() }),
      selectableFields: ['.spec.className'],
    },
  },
});
const controllerFor = (kind: typeof Site) =>
  defineController({ name: 'sites', for: kind, owns: { configs: ConfigMap }, reconcile: ({ done }) => done(), finalize: () => undefined });

test('a controller for some objects of a kind is for that kind, and nothing else of it changes', () => {
  const { select: selection, for: kind, ...rest } = controllerFor(select(Site, { labels: { class: 'a' } }) as typeof Site);
  const { for: plainKind, ...plain } = controllerFor(Site);
  expect(kind).toBe(plainKind);
  expect(selection).toEqual({ labels: { class: 'a' } });
  expect(Object.keys(rest)).toEqual(Object.keys(plain));
  expect(
    defineOperator({ name: 'sites', controllers: [controllerFor(select(Site, { labels: { class: 'a' } }) as typeof Site)] })
      .customResources,
  ).toEqual([Site]);
});

test('a kind that is a function is selected from, too', () => {
  const { for: kind, select: selection } = defineController({
    name: 'pods',
    for: select(Pod, { fields: { 'spec.nodeName': 'one' } }),
    reconcile: ({ done }) => done(),
  });
  expect(kind).toBe(Pod);
  expect(selection).toEqual({ fields: { 'spec.nodeName': 'one' } });
});

test.each<[string, object, string]>([
  ['a label that is not one', { labels: { 'a b': 'c' } }, "labels: 'a b' must be"],
  ['a value that is not one', { labels: { a: 'b c' } }, "labels.a: 'b c' must be"],
  [
    'a field that the API server does not select by',
    { fields: { 'spec.size': '1' } },
    "fields.spec.size: is not a selectable field of Site, which has spec.className, metadata.name, metadata.namespace; add '.spec.size' to selectableFields",
  ],
  ['nothing', {}, 'labels: is empty, as is the rest; name labels or fields, or write the kind alone'],
  ['namespaces', { labels: { a: 'b' }, namespaces: ['shop'] }, 'namespaces: is not part of a selection'],
])('%s is refused where it is written', (_, selection, message) => {
  expect(() => select(Site, selection as never)).toThrow(message);
});

test('what is not a kind is refused', () => {
  expect(() => select({} as never, { labels: { a: 'b' } })).toThrow('kind: is not a kind; give a custom resource');
});

test('objects may come from another instance: its fields are taken over, by rights that say so', () => {
  const reasons = (controller: ReturnType<typeof controllerFor>, isSelective = false) =>
    permissionsOf(defineOperator({ name: 'sites', controllers: [controller] }), { isSelective })
      .grants.filter(({ because }) => because.includes('another instance'))
      .map(({ rule: { resources, verbs } }) => [resources, verbs]);
  const expected = [
    [['sites'], ['get', 'patch']],
    [['configmaps'], ['get']],
  ];
  expect(reasons(controllerFor(select(Site, { labels: { class: 'a' } }) as typeof Site))).toEqual(expected);
  expect(reasons(controllerFor(Site), true)).toEqual(expected);
  expect(reasons(controllerFor(Site))).toEqual([]);
});
