import { LocalApi } from '../../../src/api-server/server/index.js';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ovens.lab.example.org', resourceVersion: '5' },
  spec: {
    group: 'lab.example.org',
    scope: 'Cluster',
    names: { plural: 'ovens', singular: 'oven', kind: 'Oven', listKind: 'OvenList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { heat: { type: 'integer', default: 3 } } } },
          },
        },
      },
    ],
  },
};
const oven = (spec: object, metadata: object = { name: 'one' }) => ({ apiVersion: 'lab.example.org/v1', kind: 'Oven', metadata, spec });

let api: LocalApi;
beforeEach(async () => {
  api = new LocalApi();
  expect(await api.define({ object: definition }, 'Strict')).toMatchObject({ ok: true });
});
afterEach(() => api.close());

test('nothing that is judged is stored: the same name can be judged again', async () => {
  for (const heat of [1, 2]) expect(await api.judge({ object: oven({ heat }) })).toMatchObject({ ok: true, operation: 'create' });
});

test('the object is returned as it would be stored, with defaults', async () => {
  expect(await api.judge({ object: oven({}) })).toMatchObject({ ok: true, object: { spec: { heat: 3 }, metadata: { generation: 1 } } });
});

test('a kept object is updated, whatever uid and version the manifest brings from elsewhere', async () => {
  api.keep(oven({ heat: 1 }, { name: 'one', uid: 'old' }));
  const judged = await api.judge({ object: oven({ heat: 2 }, { name: 'one', uid: 'other', resourceVersion: '99' }) });
  expect(judged).toMatchObject({ ok: true, operation: 'update', object: { metadata: { uid: 'old', generation: 2 } } });
});

test('a refusal is returned with its causes', async () => {
  expect(await api.judge({ object: oven({ heat: 'hot' }) })).toMatchObject({
    ok: false,
    status: { code: 422, details: { causes: [{ field: 'spec.heat' }] } },
  });
});
