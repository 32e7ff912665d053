import { stringify } from 'yaml';
import { withoutCredentials } from '../../../src/runtime/masking/index.js';
import { safeFields, safeText } from '../../../src/runtime/telemetry/log-fields.js';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a' },
  data: { color: 'aHVudGVyMg==', 'tls.crt': 'eHh4eHh4' },
  stringData: { shape: 'hunter2' },
};
const VALUES = ['aHVudGVyMg==', 'eHh4eHh4', 'hunter2'];
const { kind, ...kindless } = secret;
const texts: readonly (readonly [string, string])[] = [
  ['JSON', JSON.stringify(secret)],
  ['indented JSON', JSON.stringify(secret, null, 2)],
  ['JSON whose kind comes last', JSON.stringify({ ...kindless, kind })],
  ['YAML', stringify(secret)],
  ['YAML whose kind comes last', stringify({ ...kindless, kind })],
  ['a list', JSON.stringify({ kind: 'List', items: [{ kind: 'ConfigMap', data: { a: 'b' } }, secret] })],
  ['YAML of several', `kind: Namespace\n---\n${stringify(secret)}`],
];

test.each(texts)('a Secret as text of %s shows no data, also within quotes', (_, text) => {
  for (const shown of [
    withoutCredentials(text),
    withoutCredentials(`refused: ${JSON.stringify(text)}`),
    JSON.stringify(safeFields({ body: text })),
  ])
    for (const value of VALUES) expect(shown).not.toContain(value);
});

test('a kind that stands behind what is cut off counts', () => {
  const text = stringify({ data: { a: 'aHVudGVyMg==' }, filler: 'x'.repeat(9_000), kind: 'Secret' });
  expect(safeText(text)).not.toContain('aHVudGVyMg==');
});

test('data of other kinds stays', () => {
  const text = JSON.stringify({ kind: 'ConfigMap', data: { color: 'blue' } });
  expect(withoutCredentials(text)).toBe(text);
});

const operations = [
  { op: 'replace', path: '/data/color', value: 'aHVudGVyMg==' },
  { op: 'add', path: '/stringData/shape', value: 'hunter2' },
  { op: 'add', path: '/stringData', value: { shape: 'hunter2' } },
  { op: 'add', path: '/spec/db/password', value: 'hunter2' },
  { op: 'test', path: '/spec/containers/0/env/-', value: { name: 'DB_PASSWORD', value: 'hunter2' } },
  { value: 'hunter2', op: 'add', path: '/spec/token' },
];

test.each(operations)('the value of a JSON Patch operation is hidden by its path: $path', (operation) => {
  const shown = [JSON.stringify(safeFields({ patch: [operation] })), withoutCredentials(JSON.stringify([operation]))];
  shown.push(withoutCredentials(`refused: ${JSON.stringify(JSON.stringify([operation]))}`), withoutCredentials(stringify([operation])));
  for (const text of shown) for (const value of VALUES) expect(text).not.toContain(value);
});

test('values of other operations stay', () => {
  const operation = { op: 'replace', path: '/spec/replicas', value: 3 };
  expect(safeFields({ patch: [operation] })).toEqual({ patch: [operation] });
  expect(withoutCredentials(JSON.stringify(operation))).toBe(JSON.stringify(operation));
});
