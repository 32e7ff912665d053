import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

const string: StructuralSchema = { type: 'string' };
const item = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({ type: 'object', properties, ...rest });
const map = (items: unknown, keys: readonly string[] = ['name']) => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const rule = (schema: object, ...rules: readonly Record<string, unknown>[]) => ({
  ...schema,
  'x-kubernetes-validations': rules,
});

/**
 * Schemas of `spec.field` that a real API server has judged: its words are in golden/judged-schemas.json, by the same names.
 * test/cluster/schema holds the golden file against the server.
 */
export const judgedFields: Readonly<Record<string, unknown>> = {
  'sound string': { type: 'string', maxLength: 5, pattern: '^a+$', default: 'aa' },
  'no type': {},
  'array without items': { type: 'array' },
  'items without type': { type: 'array', items: {} },
  'unknown type': { type: 'text' },
  'properties and additionalProperties': { type: 'object', properties: { a: string }, additionalProperties: string },
  'unique items': { type: 'array', items: string, uniqueItems: true },
  'type inside anyOf': { type: 'string', anyOf: [{ type: 'string' }] },
  'default inside allOf': { type: 'object', properties: { a: string }, allOf: [{ properties: { a: { default: 'x' } } }] },
  'description inside oneOf': { type: 'string', oneOf: [{ description: 'x', pattern: 'a' }] },
  'nullable inside not': { type: 'string', not: { nullable: true, pattern: 'a' } },
  'title inside anyOf': { type: 'string', anyOf: [{ title: 'x' }] },
  'undeclared field in anyOf': { type: 'object', properties: { a: string }, anyOf: [{ required: ['b'], properties: { b: {} } }] },
  'undeclared items in allOf': { type: 'object', properties: { a: string }, allOf: [{ items: { minLength: 1 } }] },
  'int-or-string with its anyOf': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  'int-or-string in allOf': {
    'x-kubernetes-int-or-string': true,
    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'a' }],
  },
  'int-or-string with other types': { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  'int-or-string that preserves': { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
  'embedded without type': { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  'embedded string': { type: 'string', 'x-kubernetes-embedded-resource': true },
  'embedded without properties': { type: 'object', 'x-kubernetes-embedded-resource': true },
  'embedded with a wrong kind': { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { kind: { type: 'integer' } } },
  'embedded with free keys': {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    additionalProperties: string,
  },
  'preserve false': { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  lookaround: { type: 'string', pattern: '(?=a)' },
  'list type on a string': { type: 'string', 'x-kubernetes-list-type': 'set' },
  'unknown list type': { type: 'array', items: string, 'x-kubernetes-list-type': 'bag' },
  'map type on a list': { type: 'array', items: string, 'x-kubernetes-map-type': 'atomic' },
  'unknown map type': { type: 'object', 'x-kubernetes-map-type': 'loose' },
  'set of objects': { type: 'array', items: item({ a: string }), 'x-kubernetes-list-type': 'set' },
  'set of atomic objects': {
    type: 'array',
    items: item({ a: string }, { 'x-kubernetes-map-type': 'atomic' }),
    'x-kubernetes-list-type': 'set',
  },
  'set of sets': {
    type: 'array',
    items: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
    'x-kubernetes-list-type': 'set',
  },
  'set of nullables': { type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' },
  'keys without a list type': {
    type: 'array',
    items: item({ name: string }, { required: ['name'] }),
    'x-kubernetes-list-map-keys': ['name'],
  },
  'keys on a set': { type: 'array', items: string, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['name'] },
  'map without keys': { type: 'array', items: item({ name: string }), 'x-kubernetes-list-type': 'map' },
  'map of strings': map(string),
  'map with an unknown key': map(item({ name: string }, { required: ['name'] }), ['nam']),
  'map with a doubled key': map(item({ name: string }, { required: ['name'] }), ['name', 'name']),
  'map with an optional key': map(item({ name: string })),
  'map with a defaulted key': map(item({ name: { type: 'string', default: '' } })),
  'map with a nullable key': map(item({ name: { type: 'string', nullable: true } }, { required: ['name'] })),
  'map with an object as key': map(item({ name: { type: 'object' } }, { required: ['name'] })),
  'default of the wrong type': { type: 'integer', default: 'x' },
  'default below the minimum': { type: 'integer', minimum: 2, default: 1 },
  'default with an unknown field': { ...item({ a: string }), default: { b: 1 } },
  'default without a required field': { ...item({ a: string }, { required: ['a'] }), default: {} },
  'default that breaks a rule': rule({ type: 'integer', default: 1 }, { rule: 'self > 1' }),
  'default not in the enum': { type: 'string', enum: ['a'], default: 'b' },
  'default with duplicates': { type: 'array', items: string, 'x-kubernetes-list-type': 'set', default: ['a', 'a'] },
  'default in items': { type: 'array', items: item({ n: { type: 'integer', default: 'x' } }) },
  'default of an embedded object': {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
    default: { kind: 'A' },
  },
  'null default': { type: 'string', nullable: true, default: null },
  'rule without text': rule(string, { rule: ' ' }),
  'rule with an empty message': rule(string, { rule: 'true', message: ' ' }),
  'rule with a broken message': rule(string, { rule: 'true', message: 'a\nb' }),
  'rule over lines without a message': rule(string, { rule: 'true ||\nfalse' }),
  'rule with an empty message expression': rule(string, { rule: 'true', messageExpression: ' ' }),
  'rule with an unknown reason': rule(string, { rule: 'true', reason: 'Because' }),
  'rule with a wrong field path': rule(item({ a: string }), { rule: 'true', fieldPath: '.b' }),
  'rule with a field path': rule(item({ a: string }), { rule: 'true', fieldPath: '.a' }),
  'rule that does not parse': rule(string, { rule: 'self ==' }),
  'rule of the wrong type': rule(string, { rule: 'self' }),
  'rule on an unknown field': rule(item({ a: string }), { rule: 'has(self.b)' }),
  'message expression of the wrong type': rule(string, { rule: 'true', messageExpression: '1' }),
  'oldSelf in a list': { type: 'array', maxItems: 3, items: rule({ type: 'integer' }, { rule: 'self == oldSelf' }) },
  'oldSelf in a list-map': map(
    rule(item({ name: { type: 'string', maxLength: 9 } }, { required: ['name'] }), { rule: 'self.name == oldSelf.name' }),
  ),
  'oldSelf in an atomic map': {
    type: 'object',
    'x-kubernetes-map-type': 'atomic',
    additionalProperties: rule({ type: 'integer' }, { rule: 'self == oldSelf' }),
  },
  'oldSelf in an atomic object': item({ a: rule({ type: 'integer' }, { rule: 'self == oldSelf' }) }, { 'x-kubernetes-map-type': 'atomic' }),
  'optional oldSelf unused': rule(string, { rule: 'true', optionalOldSelf: true }),
  'optional oldSelf used': rule({ type: 'integer' }, { rule: 'oldSelf.orValue(0) <= self', optionalOldSelf: true }),
  'metadata below the root': item({ metadata: { type: 'object', properties: { labels: { type: 'object' } } } }),
};

/** The schema of a CRD around one of {@link judgedFields}. */
export function rootAround(field: unknown): StructuralSchema {
  return { type: 'object', properties: { spec: { type: 'object', properties: { field: field as StructuralSchema } } } };
}
