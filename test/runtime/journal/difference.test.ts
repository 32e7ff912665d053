import { differencesOf } from '../../../src/runtime/journal/difference.js';

const meta = (more: object = {}) => ({ name: 'a', resourceVersion: '1', uid: 'u', generation: 1, managedFields: [{}], ...more });

test('fields that differ are named with both values; what the server counts is left out', () => {
  const before = { metadata: meta(), spec: { replicas: 2, paused: true, image: 'a' } };
  const after = {
    metadata: meta({ resourceVersion: '2', generation: 2, labels: { a: 'b' } }),
    spec: { replicas: 3, image: 'a', size: {} },
  };
  expect(differencesOf('Deployment', before, after)).toEqual([
    '+ metadata.labels.a: "b"',
    'spec.replicas: 2 → 3',
    '- spec.paused: true',
    '+ spec.size: {}',
  ]);
  expect(differencesOf('Deployment', before, before)).toEqual([]);
});

test('elements of lists are paired by name or type, else by their place', () => {
  const before = {
    list: [
      { name: 'a', v: 1 },
      { name: 'b', v: 2 },
    ],
    conditions: [{ type: 'Ready', status: 'False' }],
    plain: ['x', 'y'],
  };
  const after = { list: [{ name: 'b', v: 3 }], conditions: [{ type: 'Ready', status: 'True' }], plain: ['x', 'z', 'w'] };
  expect(differencesOf('A', before, after)).toEqual([
    '- list[a].name: "a"',
    '- list[a].v: 1',
    'list[b].v: 2 → 3',
    'conditions[Ready].status: "False" → "True"',
    'plain[1]: "y" → "z"',
    '+ plain[2]: "w"',
  ]);
});

test('credentials are masked: data of Secrets, fields and variables by name, tokens and assignments in texts', () => {
  const hush = 'hunter2hunter2';
  const shown = (kind: string, before: object | undefined, after: object): string => differencesOf(kind, before, after).join('\n');
  const secret = (value: string) => ({
    metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"a":"${value}"}}` } },
    data: { a: value, nested: value },
    stringData: { b: value },
    type: 'Opaque',
  });
  const texts = [
    shown('Secret', undefined, secret(hush)),
    shown('Secret', secret(hush), secret('other-secret')),
    shown('Thing', { spec: { password: hush } }, { spec: { password: 'x', dbPassword: { value: hush }, tokens: [] } }),
    shown('Pod', undefined, { spec: { containers: [{ name: 'a', env: [{ name: 'DB_PASSWORD', value: hush }] }] } }),
    shown('Pod', { spec: { args: ['--password', 'hunter2a'] } }, { spec: { args: ['--password', 'hunter2b', '--user'] } }),
    shown('ConfigMap', undefined, { data: { values: `db:\n  password: |\n    ${hush}\nuser: me` } }),
    shown('ConfigMap', undefined, { data: { ini: `password=${hush}`, url: `https://me:${hush}@host/` } }),
    shown('Thing', { spec: 'text' }, { spec: { password: hush } }),
    shown('ConfigMap', { data: { a: '' } }, { data: { a: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz' } }),
  ];
  for (const text of texts) expect(text).not.toMatch(/hunter2|other-secret|ghp_/);
  expect(texts[1]).toBe(
    [
      'metadata.annotations.kubectl.kubernetes.io/last-applied-configuration: [hidden] → [hidden]',
      'data.a: [hidden] → [hidden]',
      'data.nested: [hidden] → [hidden]',
      'stringData.b: [hidden] → [hidden]',
    ].join('\n'),
  );
  expect(texts[0]).toContain('+ type: "Opaque"');
});

test('what is long is cut, and it shows', () => {
  const long = differencesOf('A', undefined, { text: 'x'.repeat(10_000) });
  expect(long[0]?.length).toBeLessThan(140);
  const many = differencesOf('A', undefined, Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, index])));
  expect([many.length, many.at(-1)]).toEqual([21, '… 80 more']);
  let deep: object = {};
  for (let depth = 0; depth < 5_000; depth += 1) deep = { deep };
  expect(differencesOf('A', undefined, deep)).toHaveLength(1);
});

test('a field without a value on either side is no difference', () => {
  expect(differencesOf('Eviction', undefined, { deleteOptions: { preconditions: { uid: 'a', resourceVersion: undefined } } })).toEqual([
    expect.stringContaining('uid'),
  ]);
});
