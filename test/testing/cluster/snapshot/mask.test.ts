import type { KubernetesObject } from '../../../../src/kubernetes/apimachinery/index.js';
import { type MaskOptions, masked } from '../../../../src/testing/cluster/snapshot/index.js';

const object = (metadata: object, rest: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ...rest }) as KubernetesObject;
const one = (metadata: object, rest: object = {}, options?: MaskOptions): unknown => masked([object(metadata, rest)], options)[0];

test('what the server writes into the metadata by itself is left out', () => {
  const own = { uid: 'u', resourceVersion: '7', creationTimestamp: '2030-01-01T00:00:00Z', managedFields: [{}], selfLink: '/a' };
  expect(one({ ...own, name: 'a', generation: 2 })).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generation: 2, name: 'a' },
  });
});

test('the same generated name is the same number wherever it stands, in whatever order the server drew the names', () => {
  const pair = (first: string, second: string): readonly KubernetesObject[] => [
    object({ name: first, generateName: 'part-' }, { data: { role: 'leader' } }),
    object({ name: second, generateName: 'part-' }, { data: { role: 'member', leader: first } }),
    object({ name: 'fixed' }, { data: { leader: first, text: `${first} leads` } }),
  ];
  const shown = masked(pair('part-x8k2p', 'part-a1b2c'));
  expect(masked(pair('part-aaaaa', 'part-zzzzz')).map((each) => JSON.stringify(each).replaceAll('aaaaa', 'x8k2p'))).toEqual(
    shown.map((each) => JSON.stringify(each)),
  );
  expect(shown).toContainEqual(expect.objectContaining({ data: { leader: 'part-<2>', role: 'member' } }));
});

test('what a server draws is masked by its place, and what the author wrote there is not', () => {
  const spec = { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports: [{ port: 80, nodePort: 30_123 }] };
  expect(one({ name: 'a' }, { spec })).toMatchObject({
    spec: { clusterIP: '<ip>', clusterIPs: ['<ip>'], ports: [{ port: 80, nodePort: '<port>' }] },
  });
  expect(one({ name: 'a' }, { spec: { clusterIP: 'None' } })).toMatchObject({ spec: { clusterIP: 'None' } });
  expect(one({ name: 'a' }, { webhooks: [{ clientConfig: { caBundle: 'LS0t' } }] })).toMatchObject({
    webhooks: [{ clientConfig: { caBundle: '<certificate>' } }],
  });
});

test('times are masked unless a clock makes them the same in each run; a text that only begins with a time is not one', () => {
  const data = { at: '2030-01-01T00:00:00.123456Z', note: '2030-01-01T00:00:00Z and later' };
  expect(one({ name: 'a' }, { data })).toMatchObject({ data: { at: '<time>', note: data.note } });
  expect(one({ name: 'a' }, { data }, { maskTimes: false })).toMatchObject({ data });
});

test('a path of the user masks that place alone, and * is any field or index', () => {
  const body = { data: { password: 'x', user: 'ada' }, items: [{ key: 'x' }, { key: 'y' }] };
  expect(one({ name: 'a' }, body, { mask: ['data.password', 'items.*.key'] })).toMatchObject({
    data: { password: '<masked>', user: 'ada' },
    items: [{ key: '<masked>' }, { key: '<masked>' }],
  });
});

test('the order of fields is that of their names, whatever the server sends first', () => {
  expect(JSON.stringify(one({ name: 'a', labels: { b: '', a: '' } }, { data: { z: '1', b: '2' } }))).toBe(
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"a":"","b":""},"name":"a"},"data":{"b":"2","z":"1"}}',
  );
});
