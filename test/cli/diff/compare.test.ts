import type { KubernetesObject, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { compareReleases } from '../../../src/cli/diff/compare.js';
import { withRatcheting } from '../../../src/cli/diff/ratcheting.js';
import { RULES, type RuleId } from '../../../src/cli/diff/rules.js';

type Fields = Readonly<Record<string, StructuralSchema>>;

interface Crd {
  readonly spec?: StructuralSchema;
  readonly version?: object;
  readonly more?: object;
  readonly names?: object;
}

function crd({ spec = { type: 'object' }, version = {}, more = {}, names = {} }: Crd = {}): KubernetesObject {
  const root: StructuralSchema = {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'kilns.lab.example.org' },
    spec: {
      group: 'lab.example.org',
      scope: 'Namespaced',
      names: { kind: 'Kiln', listKind: 'KilnList', plural: 'kilns', singular: 'kiln', ...names },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root }, ...version }],
      ...more,
    },
  } as unknown as KubernetesObject;
}

const withFields = (properties: Fields, required: readonly string[] = []): KubernetesObject =>
  crd({ spec: { type: 'object', properties, ...(required.length === 0 ? {} : { required: [...required] }) } });
const field = (schema: StructuralSchema): KubernetesObject => withFields({ a: schema });
const text: StructuralSchema = { type: 'string' };
const served = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});
const object = (kind: string, fields: object, apiVersion = 'v1'): KubernetesObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 's' }, ...fields }) as KubernetesObject;
const role = (...rules: readonly object[]) => object('Role', { rules }, 'rbac.authorization.k8s.io/v1');
const hook = (more: object) =>
  object('ValidatingWebhookConfiguration', { webhooks: [{ name: 'a.example.org', failurePolicy: 'Ignore', ...more }] });
const deployment = (spec: object) => object('Deployment', { spec }, 'apps/v1');
const leased = (value: string) => deployment({ template: { spec: { containers: [{ env: [{ name: 'KEELSON_LEASE_NAME', value }] }] } } });
const versions = (...list: readonly object[]) => crd({ more: { versions: list } });
const rules = (...list: readonly object[]) => field({ ...text, 'x-kubernetes-validations': list as never });

/** By rule: a change that it is about, with the path and the text of the finding. The way back is in the next column, where a rule is about it. */
const CASES: readonly (readonly [RuleId, KubernetesObject, KubernetesObject, string, string, RuleId | undefined])[] = [
  ['field-removed', field(text), withFields({}), 'v1 spec.a', 'is no longer in the schema', 'field-added'],
  ['type-changed', field(text), field({ type: 'integer' }), 'v1 spec.a', 'string → integer', 'type-changed'],
  [
    'required-added',
    withFields({ a: text }),
    withFields({ a: text }, ['a']),
    'v1 spec.a',
    'must be given, and has no default',
    'required-removed',
  ],
  ['required-added', withFields({}), withFields({ a: text }, ['a']), 'v1 spec.a', 'must be given, and has no default', 'field-removed'],
  [
    'default-changed',
    field({ ...text, default: 'x' }),
    field({ ...text, default: 'y' }),
    'v1 spec.a',
    'default: "x" → "y"',
    'default-changed',
  ],
  [
    'enum-narrowed',
    field({ ...text, enum: ['x', 'y'] }),
    field({ ...text, enum: ['x'] }),
    'v1 spec.a',
    'no longer possible: "y"',
    'enum-widened',
  ],
  ['enum-narrowed', field(text), field({ ...text, enum: ['x'] }), 'v1 spec.a', 'any value → ["x"]', 'enum-widened'],
  [
    'bound-narrowed',
    field({ type: 'integer', maximum: 9 }),
    field({ type: 'integer', maximum: 5 }),
    'v1 spec.a',
    'maximum: 9 → 5',
    'bound-widened',
  ],
  ['bound-narrowed', field({ type: 'integer' }), field({ type: 'integer', minimum: 0 }), 'v1 spec.a', 'minimum: none → 0', 'bound-widened'],
  ['bound-narrowed', field(text), field({ ...text, maxLength: 63 }), 'v1 spec.a', 'maxLength: none → 63', 'bound-widened'],
  ['pattern-changed', field(text), field({ ...text, pattern: '^a' }), 'v1 spec.a', 'pattern: none → "^a"', 'pattern-removed'],
  ['format-changed', field(text), field({ ...text, format: 'date' }), 'v1 spec.a', 'format: none → "date"', 'format-changed'],
  ['nullable-removed', field({ ...text, nullable: true }), field(text), 'v1 spec.a', 'may not be null', 'nullable-added'],
  ['rule-added', rules(), rules({ rule: 'size(self) < 9' }), 'v1 spec.a', 'size(self) < 9', 'rule-removed'],
  ['immutable-added', rules(), rules({ rule: 'self == oldSelf' }), 'v1 spec.a', 'self == oldSelf', 'rule-removed'],
  [
    'list-type-changed',
    field({ type: 'array', items: text }),
    field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set' }),
    'v1 spec.a',
    'atomic → set',
    'list-type-changed',
  ],
  [
    'map-type-changed',
    field({ type: 'object', additionalProperties: text }),
    field({ type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' }),
    'v1 spec.a',
    'granular → atomic',
    'map-type-changed',
  ],
  [
    'unknown-fields-dropped',
    field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
    field({ type: 'object' }),
    'v1 spec.a',
    'x-kubernetes-preserve-unknown-fields: true → none',
    undefined,
  ],
  ['junctor-changed', field(text), field({ ...text, not: { enum: ['x'] } }), 'v1 spec.a', 'not: none → {"enum":["x"]}', 'junctor-changed'],
  [
    'description-changed',
    field(text),
    field({ ...text, description: 'A.' }),
    'v1 spec.a',
    'description: none → "A."',
    'description-changed',
  ],
  ['scope-changed', crd(), crd({ more: { scope: 'Cluster' } }), '', 'Namespaced → Cluster', 'scope-changed'],
  ['names-changed', crd(), crd({ names: { kind: 'Oven' } }), 'names.kind', '"Kiln" → "Oven"', 'names-changed'],
  ['short-names-changed', crd(), crd({ names: { shortNames: ['k'] } }), 'names.shortNames', 'none → ["k"]', 'short-names-changed'],
  [
    'version-removed',
    versions(served('v1'), served('v2')),
    versions(served('v2')),
    'v1',
    'is no longer in the definition',
    'version-added',
  ],
  ['version-unserved', versions(served('v1')), versions(served('v1', { served: false })), 'v1', 'is no longer served', undefined],
  ['version-deprecated', versions(served('v1')), versions(served('v1', { deprecated: true })), 'v1', 'is deprecated', undefined],
  [
    'storage-changed',
    versions(served('v1', { storage: true }), served('v2')),
    versions(served('v1'), served('v2', { storage: true })),
    '',
    'v1 → v2',
    'storage-changed',
  ],
  ['conversion-changed', crd(), crd({ more: { conversion: { strategy: 'Webhook' } } }), '', 'None → Webhook', 'conversion-changed'],
  ['subresource-removed', crd({ version: { subresources: { status: {} } } }), crd(), 'v1 status', 'is no longer served', undefined],
  [
    'scale-changed',
    crd({ version: { subresources: { scale: { specReplicasPath: '.spec.a' } } } }),
    crd({ version: { subresources: { scale: { specReplicasPath: '.spec.b' } } } }),
    'v1 scale',
    '{"specReplicasPath":".spec.a"} → {"specReplicasPath":".spec.b"}',
    'scale-changed',
  ],
  [
    'column-removed',
    crd({ version: { additionalPrinterColumns: [{ name: 'Heat' }] } }),
    crd(),
    'v1 Heat',
    'is no longer a column',
    undefined,
  ],
  [
    'selectable-field-removed',
    crd({ version: { selectableFields: [{ jsonPath: '.spec.a' }] } }),
    crd(),
    'v1 .spec.a',
    'can no longer be selected by',
    undefined,
  ],
  [
    'right-added',
    role({ apiGroups: [''], resources: ['pods'], verbs: ['get'] }),
    role(
      { apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['get'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ),
    'get deployments/scale',
    'may get deployments/scale',
    'right-removed',
  ],
  ['webhook-widened', hook({}), hook({ failurePolicy: 'Fail' }), 'a.example.org failurePolicy', '"Ignore" → "Fail"', 'webhook-widened'],
  ['webhook-removed', hook({}), hook({ name: 'b.example.org' }), 'a.example.org', 'is gone', 'webhook-removed'],
  [
    'selector-changed',
    deployment({ selector: { matchLabels: { app: 'a' } } }),
    deployment({ selector: { matchLabels: { app: 'b' } } }),
    'spec.selector',
    '{"matchLabels":{"app":"a"}} → {"matchLabels":{"app":"b"}}',
    'selector-changed',
  ],
  ['lease-changed', leased('a'), leased('b'), 'KEELSON_LEASE_NAME', '"a" → "b"', 'lease-changed'],
  [
    'service-port-changed',
    object('Service', { spec: { ports: [{ name: 'web', port: 80 }] } }),
    object('Service', { spec: { ports: [{ name: 'web', port: 81 }] } }),
    'spec.ports',
    'web:80 is gone; there are web:81',
    'service-port-changed',
  ],
];

test.each(CASES)('%s is found, and the way back', (...[rule, before, after, path, message, back]) => {
  const findings = compareReleases([before], [after]);
  expect(findings).toContainEqual(expect.objectContaining({ rule, level: RULES[rule].level, path, message }));
  expect(compareReleases([before], [before])).toEqual([]);
  const rulesBack = compareReleases([after], [before]).map((finding) => finding.rule);
  if (back === undefined) expect(rulesBack.filter((found) => found === rule)).toEqual([]);
  else expect(rulesBack).toContain(back);
});

test('every rule has a case', () => {
  const found = new Set(
    CASES.flatMap(([, before, after]) => [...compareReleases([before], [after]), ...compareReleases([after], [before])]).map(
      ({ rule }) => rule,
    ),
  );
  const whole = compareReleases([object('ConfigMap', {})], [object('Secret', {})]).map(({ rule }) => rule);
  expect(Object.keys(RULES).filter((rule) => !found.has(rule as RuleId) && !whole.includes(rule as RuleId))).toEqual([]);
});

test('a required field with a default, a message of a rule, and a field that is kept without a schema break nobody', () => {
  const levels = (before: KubernetesObject, after: KubernetesObject) =>
    compareReleases([before], [after]).map(({ rule, level }) => `${level} ${rule}`);
  expect(levels(withFields({}), withFields({ a: { ...text, default: 'x' } }, ['a']))).toEqual(['info field-added']);
  expect(levels(rules({ rule: 'self != ""', message: 'a' }), rules({ rule: 'self != ""', message: 'b' }))).toEqual([]);
  expect(levels(field(text), crd({ spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }))).toEqual([]);
});

test('a role that is new or gone is told right by right, and the heaviest findings come first', () => {
  const granted = role({ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['web'], verbs: ['get', 'patch'] });
  expect(compareReleases([], [granted]).map(({ rule, path }) => `${rule} ${path}`.trim())).toEqual([
    'right-added get deployments.apps web',
    'right-added patch deployments.apps web',
    'object-added',
  ]);
  expect(compareReleases([granted], []).map(({ level }) => level)).toEqual(['review', 'info', 'info']);
});

describe('ratcheting, by the rules of the API server', () => {
  const verdict = async (before: KubernetesObject, after: KubernetesObject) =>
    (await withRatcheting(compareReleases([before], [after]), before, after)).map(({ rule, isRatcheted }) => [rule, isRatcheted]);

  test.each([
    ['a lower maximum', field({ type: 'integer', maximum: 9 }), field({ type: 'integer', maximum: 5 }), 'bound-narrowed'],
    ['a maximum', field({ type: 'integer' }), field({ type: 'integer', maximum: 5 }), 'bound-narrowed'],
    ['a higher minimum', field({ type: 'integer', minimum: 0 }), field({ type: 'integer', minimum: 3 }), 'bound-narrowed'],
    ['a shorter text', field({ ...text, maxLength: 9 }), field({ ...text, maxLength: 5 }), 'bound-narrowed'],
    [
      'a shorter list',
      field({ type: 'array', items: text, maxItems: 9 }),
      field({ type: 'array', items: text, maxItems: 2 }),
      'bound-narrowed',
    ],
    ['a choice that is gone', field({ ...text, enum: ['x', 'y'] }), field({ ...text, enum: ['x'] }), 'enum-narrowed'],
  ])('%s lets objects with an old value be updated', async (_, before, after, rule) => {
    expect(await verdict(before, after)).toContainEqual([rule, true]);
  });

  test('a length that no memory holds is not tried', async () => {
    const long = (minItems: number) => field({ type: 'array', items: text, minItems });
    expect(await verdict(long(0), long(1e12))).toEqual([['bound-narrowed', true]]);
    expect(await verdict(long(1e12), long(1e13))).toEqual([['bound-narrowed', undefined]]);
    const nested = (depth: number): StructuralSchema => (depth === 0 ? text : { type: 'array', minItems: 1e12, items: nested(depth - 1) });
    const deep = (maxLength: number) => withFields({ a: { type: 'string', maxLength }, b: nested(9) }, ['b']);
    expect(await verdict(deep(9), deep(5))).toEqual([['bound-narrowed', undefined]]);
    const wide = withFields({ a: { type: 'string', maxLength: 9 }, b: { type: 'array', items: text, minItems: 1e12 } }, ['b']);
    const narrow = withFields({ a: { type: 'string', maxLength: 5 }, b: { type: 'array', items: text, minItems: 1e12 } }, ['b']);
    expect(await verdict(wide, narrow)).toEqual([['bound-narrowed', undefined]]);
  });

  test('nothing is said of a field for which no object can be made', async () => {
    const deep = (maximum: number) => field({ type: 'array', items: { type: 'integer', maximum } });
    expect(await verdict(deep(9), deep(5))).toEqual([['bound-narrowed', undefined]]);
    const odd = (maxLength: number) => field({ ...text, pattern: '^b*$', maxLength });
    expect(await verdict(odd(9), odd(5))).toEqual([['bound-narrowed', undefined]]);
  });
});
