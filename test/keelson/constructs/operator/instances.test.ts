import { Chart, Testing } from 'cdk8s';
import { defineController, defineCustomResource, defineOperator, validating } from 'keelson';
import { findResource, Operator } from 'keelson/constructs';
import { Deployment, ValidatingWebhookConfiguration } from 'keelson/kinds';
import { z } from 'zod';

const Site = defineCustomResource({
  group: 'a.example.com',
  kind: 'Site',
  versions: {
    v2: { spec: z.object({ className: z.string() }), selectableFields: ['.spec.className'], storage: true },
    v1: { spec: z.object({ className: z.string() }) },
  },
});
const operator = defineOperator({
  name: 'sites',
  controllers: [defineController({ name: 'sites', for: Site, reconcile: ({ done }) => done(), finalize: () => undefined })],
  webhooks: [
    validating(Site, () => [], { name: 'every' }),
    validating(Site, () => [], { name: 'mine', select: { labels: { checked: 'yes' }, ofInstance: true } }),
  ],
});
const IMAGE = 'registry.example.com/sites:1.0.0';
type Manifest = { readonly kind: string; readonly metadata: { readonly name: string; readonly namespace?: string } };
const charts = (...props: readonly object[]): Chart => {
  const chart = new Chart(Testing.app(), 'one', { namespace: 'sites' });
  for (const [index, each] of props.entries()) new Operator(chart, `operator-${index}`, { operator, image: IMAGE, ...each } as never);
  return chart;
};
const variables = (chart: Chart): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    (findResource(chart.toJson() as never, Deployment).spec?.template.spec?.containers[0]?.env ?? []).map(({ name, value }) => [
      name,
      value,
    ]),
  );
const selectorOf = (chart: Chart, webhook: string): unknown =>
  findResource(chart.toJson() as never, ValidatingWebhookConfiguration).webhooks?.find(({ name }) => name.startsWith(webhook))
    ?.objectSelector;

test('two instances of an operator in one cluster write no object twice', () => {
  const second = { name: 'sites-internal', selector: 'class=internal', crds: false, aggregateRoles: false };
  const objects = charts({ selector: 'class!=internal' }, second).toJson() as Manifest[];
  const names = objects.map(({ kind, metadata: { name, namespace = '' } }) => `${kind} ${namespace}/${name}`);
  expect(new Set(names).size).toBe(names.length);
  const clusterScoped = objects
    .filter(({ metadata }) => metadata.namespace === undefined)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(clusterScoped).toEqual(
    expect.arrayContaining([
      'ClusterRole sites',
      'ClusterRole sites-internal',
      'ValidatingWebhookConfiguration sites',
      'ValidatingWebhookConfiguration sites-internal',
    ]),
  );
});

test('the process hears of its selectors, its name and its Lease', () => {
  const chart = charts({ name: 'sites-internal', selector: 'class=internal', fieldSelector: 'spec.className=internal' });
  expect(variables(chart)).toMatchObject({
    KEELSON_INSTANCE: 'sites-internal',
    KEELSON_LEASE_NAME: 'sites-internal',
    KEELSON_SELECTOR: 'class=internal',
    KEELSON_FIELD_SELECTOR: 'spec.className=internal',
  });
});

test('a webhook follows the selector where its definition says so, within its own selection', () => {
  const chart = charts({ selector: 'class=internal' });
  expect(selectorOf(chart, 'every')).toBeUndefined();
  expect(selectorOf(chart, 'mine')).toEqual({
    matchLabels: { checked: 'yes', class: 'internal' },
  });
  expect(selectorOf(charts({}), 'mine')).toEqual({ matchLabels: { checked: 'yes' } });
});

test('fields cannot narrow a webhook, which is a warning', () => {
  const warned: string[] = [];
  const emit = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void warned.push(String(text)));
  const chart = charts({ fieldSelector: 'spec.className=internal' });
  const found = chart.node.findAll().flatMap(({ node }) => node.metadata.map(({ data }) => String(data)));
  emit.mockRestore();
  expect([...warned, ...found].filter((text) => text.includes('selects by labels alone'))).toHaveLength(1);
});

test('stored objects of all classes are rewritten by an installation that is for all of them', () => {
  expect(variables(charts({}))).toHaveProperty('KEELSON_STORED_VERSIONS');
  expect(variables(charts({ selector: 'class=internal' }))).not.toHaveProperty('KEELSON_STORED_VERSIONS');
  expect(variables(charts({ selector: 'class=internal', storedVersions: true }))).toHaveProperty('KEELSON_STORED_VERSIONS');
});

test.each([
  [{ selector: 'class=a b' }, "selector: 'class=a b' is not a label selector"],
  [
    { fieldSelector: 'spec.size=1' },
    "fieldSelector: 'spec.size=1' controller sites: spec.size is not a selectable field of Site, which has spec.className",
  ],
  [
    { webhookSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'webhookSelector: "Is" is not a valid label selector operator',
  ],
])('%j is refused where it is written', (props, message) => {
  expect(() => charts(props)).toThrow(message);
});
