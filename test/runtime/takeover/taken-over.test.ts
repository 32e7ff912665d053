import type { ManagedFieldsEntry } from '../../../src/kubernetes/apimachinery/index.js';
import { takenOver } from '../../../src/runtime/takeover/index.js';

const entry = (manager: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: fieldsV1 as never,
  ...more,
});
const handover = { from: new Set(['manager', 'old']), to: 'new', apiVersion: 'v1', subresource: '' } as const;
const applied = (fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}) => entry('new', fieldsV1, { operation: 'Apply', ...more });

test('fields of former managers become applied fields of the new one, whichever way they were written', () => {
  const entries = [entry('manager', { 'f:data': { 'f:a': {} } }), entry('old', { 'f:data': { 'f:b': {} } }, { operation: 'Apply' })];
  expect(takenOver(entries, handover)).toEqual([applied({ 'f:data': { 'f:a': {}, 'f:b': {} } })]);
});

test('they join what the new one has applied already, and entries of others stay as they are', () => {
  const kubectl = entry('kubectl-edit', { 'f:data': { 'f:c': {} } });
  const entries = [kubectl, applied({ 'f:data': { 'f:b': {} } }), entry('manager', { 'f:data': { 'f:a': {} } })];
  expect(takenOver(entries, handover)).toEqual([kubectl, applied({ 'f:data': { 'f:a': {}, 'f:b': {} } })]);
});

test('the status is another matter than the object', () => {
  const status = entry('manager', { 'f:status': { 'f:nodes': {} } }, { subresource: 'status' });
  expect(takenOver([status], handover)).toBeUndefined();
  expect(takenOver([status], { ...handover, subresource: 'status' })).toEqual([
    applied({ 'f:status': { 'f:nodes': {} } }, { subresource: 'status' }),
  ]);
});

test('a field that one owns as a whole and the other below it stays owned as a whole', () => {
  const entries = [entry('manager', { 'f:labels': {} }), entry('old', { 'f:labels': { 'f:a': {} } })];
  const both = [applied({ 'f:labels': { '.': {}, 'f:a': {} } })];
  expect(takenOver(entries, handover)).toEqual(both);
  expect(takenOver([...entries].reverse(), handover)).toEqual(both);
});

test('deep fields of several managers come together, and each is there once', () => {
  const entries = [
    entry('manager', { 'f:spec': { 'f:list': { 'k:{"name":"a"}': { '.': {}, 'f:x': {} } } } }),
    entry('old', { 'f:spec': { 'f:list': { 'k:{"name":"a"}': { 'f:y': {} }, 'k:{"name":"b"}': { '.': {} } } }, 'f:data': {} }),
  ];
  expect(takenOver(entries, handover)).toEqual([
    applied({
      'f:spec': { 'f:list': { 'k:{"name":"a"}': { '.': {}, 'f:x': {}, 'f:y': {} }, 'k:{"name":"b"}': { '.': {} } } },
      'f:data': {},
    }),
  ]);
});

test('an entry without fields or without a manager is no obstacle', () => {
  const { fieldsV1: _, ...empty } = entry('manager', {});
  const { manager: _manager, ...nobody } = entry('', { 'f:data': {} });
  expect(takenOver([empty, nobody], handover)).toEqual([nobody, applied({})]);
});

test('the entry of a former manager for another subresource stays', () => {
  const scale = entry('manager', { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' });
  expect(takenOver([scale, entry('manager', { 'f:data': {} })], handover)).toEqual([scale, applied({ 'f:data': {} })]);
});

test('the version is the one that is applied from now on', () => {
  const entries = [entry('manager', { 'f:data': {} }, { apiVersion: 'v1beta1' })];
  expect(takenOver(entries, { ...handover, apiVersion: 'v2' })).toEqual([applied({ 'f:data': {} }, { apiVersion: 'v2' })]);
});

test('where the former managers have nothing, nothing changes', () => {
  expect(takenOver([], handover)).toBeUndefined();
  expect(takenOver([applied({ 'f:data': {} }), entry('new', { 'f:spec': {} })], handover)).toBeUndefined();
});

test('a controller that names itself takes over what it wrote by update, and not what it has applied', () => {
  const itself = { ...handover, from: new Set(['new']) };
  expect(takenOver([applied({ 'f:data': {} })], itself)).toBeUndefined();
  expect(takenOver([applied({ 'f:data': {} }), entry('new', { 'f:spec': {} })], itself)).toEqual([applied({ 'f:data': {}, 'f:spec': {} })]);
});
