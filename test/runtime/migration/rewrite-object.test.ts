import type { ManagedFieldsEntry, ObjectMeta } from '../../../src/kubernetes/apimachinery/index.js';
import { rewriteObject } from '../../../src/runtime/migration/rewrite-object.js';
import { kindOf } from './releases.js';
import { refused, ScriptedServer } from './scripted-server.js';

const entry = (version: string): ManagedFieldsEntry => ({ manager: 'admin', apiVersion: `migration.keelson.example/${version}` });
const objectOf = (managedFields?: readonly ManagedFieldsEntry[], more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name: 'a',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  ...(managedFields === undefined ? {} : { managedFields }),
  ...more,
});

function scene(...refusals: Error[]) {
  const server = new ScriptedServer();
  server.refusals.set('a', refusals);
  server.newest.set('a', objectOf([entry('v0')], { resourceVersion: '8' }));
  const options = { client: server.client, kind: kindOf('both'), servedVersions: ['v1', 'v1beta1'], signal: new AbortController().signal };
  return { server, write: (metadata: ObjectMeta) => rewriteObject(metadata, options) };
}

const clean = (resourceVersion: string, kept: readonly object[]): object => ({
  type: 'json',
  body: [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/managedFields', value: kept },
  ],
});
const seed = {
  manager: 'keelson-stored-versions',
  operation: 'Apply',
  apiVersion: 'migration.keelson.example/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': { 'f:name': {} } },
};

test.each([
  ['nobody manages', objectOf()],
  ['is managed in served versions alone', objectOf([entry('v1'), entry('v1beta1')])],
])('an object that %s is written without a change', async (_, metadata) => {
  const { server, write } = scene();
  await write(metadata);
  expect([server.written, server.bodies, server.read]).toEqual([['shop/a'], [{ type: 'merge', body: {} }], []]);
});

test('entries of a version that is served no more are taken away, or replaced if there is no other', async () => {
  const { server, write } = scene();
  await write(objectOf([entry('v0'), entry('v1')]));
  await write(objectOf([entry('v0')]));
  expect(server.bodies).toEqual([clean('7', [entry('v1')]), clean('7', [seed])]);
});

test('the same version of another group is another version', async () => {
  const { server, write } = scene();
  await write(objectOf([{ manager: 'admin', apiVersion: 'v1' }]));
  expect(server.bodies).toEqual([clean('7', [seed])]);
});

test.each<[string, () => Error]>([
  ['Conflict', refused.conflict],
  ['Invalid', refused.invalid],
])('an object that has changed since is read and written again, four times in all: %s', async (_, error) => {
  const once = scene(error());
  await once.write(objectOf([entry('v0')]));
  expect([once.server.read, once.server.bodies]).toEqual([['a'], [clean('7', [seed]), clean('8', [seed])]]);
  const always = scene(...Array.from({ length: 9 }, error));
  await expect(always.write(objectOf([entry('v0')]))).rejects.toThrow();
  expect([always.server.written.length, always.server.read.length]).toEqual([4, 3]);
});

test('a refusal of a write without a change is not tried again', async () => {
  const { server, write } = scene(refused.conflict());
  await expect(write(objectOf())).rejects.toThrow('it has changed');
  expect([server.written.length, server.read]).toEqual([1, []]);
});

test('a server that cannot answer is not asked again here', async () => {
  const { server, write } = scene(refused.internal());
  await expect(write(objectOf([entry('v0')]))).rejects.toThrow('etcd is down');
  expect(server.written).toHaveLength(1);
});

test.each<[string, ObjectMeta | Error]>([
  ['gone', refused.notFound()],
  ['another one', objectOf([entry('v0')], { uid: 'another' })],
])('an object that is %s when it is read again needs no more', async (_, newest) => {
  const { server, write } = scene(refused.conflict());
  server.newest.set('a', newest);
  await write(objectOf([entry('v0')]));
  expect(server.written).toHaveLength(1);
});

test('an object that cannot be read again is a failure', async () => {
  const { server, write } = scene(refused.conflict());
  server.newest.set('a', refused.internal());
  await expect(write(objectOf([entry('v0')]))).rejects.toThrow('etcd is down');
});

test('an object that is gone needs nothing', async () => {
  const { server, write } = scene(refused.notFound());
  await write(objectOf());
  expect(server.written).toHaveLength(1);
});
