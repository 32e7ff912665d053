import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';
import { statusMisfit } from '../../../src/runtime/reconcile/schema-fit.js';

const text: StructuralSchema = { type: 'string' };
const status: StructuralSchema = {
  type: 'object',
  properties: {
    ready: { type: 'boolean' },
    nodes: { type: 'array', items: { type: 'object', properties: { name: text } } },
    labels: { type: 'object', additionalProperties: text },
    port: { 'x-kubernetes-int-or-string': true },
    open: { type: 'object', properties: { name: text }, 'x-kubernetes-preserve-unknown-fields': true },
    whole: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    since: { type: 'string', format: 'date-time' },
  },
};
const schema: StructuralSchema = { type: 'object', properties: { status } };

test.each<[unknown, string]>([
  [{ redy: true }, 'status.redy: not in the schema (ready?); correct its name, or declare it'],
  [{ phase: 'Up' }, 'status.phase: not in the schema; correct its name, or declare it'],
  [{ nodes: [{ name: 'a' }, { nmae: 'b' }] }, 'status.nodes[1].nmae: not in the schema (name?); correct its name, or declare it'],
  [{ nodes: { name: 'a' } }, 'status.nodes: is object, the schema says array'],
  [{ labels: { a: 1 } }, 'status.labels.a: is integer, the schema says string'],
  [{ port: 1.5 }, 'status.port: is number, the schema says integer or string'],
  [{ open: { name: 1, other: 1 } }, 'status.open.name: is integer, the schema says string'],
  [{ constructor: 1 }, 'status.constructor: not in the schema; correct its name, or declare it'],
])('a status that the schema does not have is refused at its field: %j', (value, misfit) => {
  expect(statusMisfit(schema, value)).toBe(misfit);
});

test.each<[string, unknown]>([
  ['fields of every type', { ready: true, nodes: [{ name: 'a' }], labels: { a: 'b' }, port: '80' }],
  ['unknown fields where the schema keeps them', { open: { other: [1] }, whole: { apiVersion: 'v1', kind: 'Pod', spec: {} } }],
  ['what is absent', { ready: undefined, nodes: null }],
  ['a value with a JSON form of its own, which the API server judges', { since: new Date() }],
  ['no status', undefined],
])('is taken: %s', (_, value) => {
  expect(statusMisfit(schema, value)).toBeUndefined();
});

test('a kind without a status schema is not judged', () => {
  expect(statusMisfit({ type: 'object' }, { any: 1 })).toBeUndefined();
  expect(statusMisfit(undefined, { any: 1 })).toBeUndefined();
});
