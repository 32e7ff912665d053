import { ConfigMap, Node } from 'keelson/kinds';
import type { ManagedFieldsEntry } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { ConflictError, InternalError, NotFoundError } from '../../../src/runtime/client/index.js';
import { FormerManagers, type FormerManagersOptions, formerManagersOf } from '../../../src/runtime/takeover/index.js';
import { refusal } from '../events/event-store.js';

const { signal } = new AbortController();
const conflict = () => new ConflictError(refusal(409, 'Conflict', 'it has changed'));

const objectOf = (managedFields: readonly ManagedFieldsEntry[] | undefined, more: object = {}): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '7',
    ...(managedFields === undefined ? {} : { managedFields }),
    ...more,
  },
});
const written = (subresource?: 'status'): ManagedFieldsEntry => ({
  manager: 'manager',
  operation: 'Update',
  apiVersion: 'v1',
  ...(subresource === undefined ? {} : { subresource }),
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:a': {} } } as never,
});

/** A server that holds one object, and refuses patches as it is told. */
function scene(stored: StoredObject | Error) {
  const requests: unknown[] = [];
  const logged: unknown[] = [];
  const refusals: Error[] = [];
  const client = {
    get: async (_: unknown, key: object) => {
      requests.push(['get', key]);
      if (stored instanceof Error) throw stored;
      return stored;
    },
    patch: async (_: unknown, key: object, patch: object, options: object) => {
      requests.push(['patch', key, patch, options]);
      const refused = refusals.shift();
      if (refused !== undefined) throw refused;
    },
  } as unknown as FormerManagersOptions['client'];
  const log = {
    debug: () => undefined,
    info: (...line: unknown[]) => void logged.push(line),
    warn: () => undefined,
    error: () => undefined,
  };
  const options = { client, log, fieldManager: 'shop-operator' };
  return { former: new FormerManagers({ ...options, names: new Set(['manager']) }), options, requests, logged, refusals };
}

const verbs = (requests: readonly unknown[]): unknown[] => requests.map((request) => (request as readonly unknown[])[0]);

test('the fields change hands with one write, which a change in between refuses', async () => {
  const { former, requests, logged } = scene(objectOf([written()]));
  await former.takeObject(ConfigMap, objectOf(undefined), signal);
  const key = { name: 'a', namespace: 'shop' };
  const entry = { ...written(), manager: 'shop-operator', operation: 'Apply' };
  expect(requests).toEqual([
    ['get', key],
    [
      'patch',
      key,
      {
        type: 'json',
        body: [
          { op: 'replace', path: '/metadata/managedFields', value: [entry] },
          { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
        ],
      },
      { fieldManager: 'shop-operator', signal },
    ],
  ]);
  expect(logged).toEqual([['fields of a former field manager taken over', { kind: 'ConfigMap', ...key }]]);
});

test('the log says that it is the status', async () => {
  const { former, logged } = scene(objectOf([written('status')]));
  await former.takeStatus(ConfigMap, objectOf(undefined), signal);
  expect(logged).toEqual([
    ['fields of a former field manager taken over', { kind: 'ConfigMap', name: 'a', namespace: 'shop', subresource: 'status' }],
  ]);
});

test('an object of the cluster is asked for by its name alone', async () => {
  const { former, requests } = scene(objectOf([]));
  await former.takeObject(Node, { ...objectOf([]), metadata: { name: 'n', uid: 'u', resourceVersion: '1' } }, signal);
  expect(requests).toEqual([['get', { name: 'n' }]]);
});

test.each([
  ['an object that nobody manages', objectOf(undefined)],
  ['an object that others manage', objectOf([{ ...written(), manager: 'kubectl' }])],
  ['another object of that name', objectOf([written()], { uid: 'another' })],
  ['an object that is gone', new NotFoundError(refusal(404, 'NotFound', 'it is gone'))],
])('nothing is written to %s', async (_, stored) => {
  const { former, requests, logged } = scene(stored);
  await former.takeObject(ConfigMap, objectOf(undefined), signal);
  expect([verbs(requests), logged]).toEqual([['get'], []]);
});

test('a conflict is tried again from the newest state, five times in all', async () => {
  const once = scene(objectOf([written()]));
  once.refusals.push(conflict());
  await once.former.takeObject(ConfigMap, objectOf(undefined), signal);
  expect(verbs(once.requests)).toEqual(['get', 'patch', 'get', 'patch']);
  expect(once.logged).toHaveLength(1);
  const always = scene(objectOf([written()]));
  always.refusals.push(...Array.from({ length: 9 }, conflict));
  await expect(always.former.takeObject(ConfigMap, objectOf(undefined), signal)).rejects.toThrow('it has changed');
  expect(verbs(always.requests)).toEqual(Array.from({ length: 5 }, () => ['get', 'patch']).flat());
});

test('another refusal is not tried again here', async () => {
  const { former, requests, refusals } = scene(objectOf([written()]));
  refusals.push(new InternalError(refusal(500, 'InternalError', 'etcd is down')));
  await expect(former.takeObject(ConfigMap, objectOf(undefined), signal)).rejects.toThrow('etcd is down');
  expect(verbs(requests)).toEqual(['get', 'patch']);
});

test('the status of an object is looked at once, unless that failed or the object was forgotten', async () => {
  const { former, requests, refusals } = scene(objectOf([written('status')]));
  refusals.push(new InternalError(refusal(500, 'InternalError', 'etcd is down')));
  await expect(former.takeStatus(ConfigMap, objectOf(undefined), signal)).rejects.toThrow('etcd is down');
  for (let turn = 0; turn < 2; turn += 1) await former.takeStatus(ConfigMap, objectOf(undefined), signal);
  expect(verbs(requests)).toEqual(['get', 'patch', 'get', 'patch']);
  former.forget('another');
  await former.takeStatus(ConfigMap, objectOf(undefined), signal);
  expect(requests).toHaveLength(4);
  former.forget('u');
  await former.takeStatus(ConfigMap, objectOf(undefined), signal);
  expect(requests).toHaveLength(6);
});

test('a controller without former managers has none, and one that names them knows them', () => {
  const { options } = scene(objectOf([]));
  expect(formerManagersOf({ ...options, names: [] })).toBeUndefined();
  const former = formerManagersOf({ ...options, names: ['manager'] });
  expect([former?.has('manager'), former?.has('shop-operator')]).toEqual([true, false]);
});
