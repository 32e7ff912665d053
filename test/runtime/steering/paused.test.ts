import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { isExempt, isPaused, pauseMessage } from '../../../src/runtime/steering/index.js';

const PAUSED = 'example.com/paused';
const object = (value?: string, metadata: Partial<StoredObject['metadata']> = {}): StoredObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: {
    name: 'a',
    uid: 'uid-a',
    resourceVersion: '7',
    ...(value === undefined ? {} : { annotations: { [PAUSED]: value } }),
    ...metadata,
  },
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['false', false],
  ['true', true],
  ['', true],
  ['yes', true],
])('the annotation %p pauses an object: %p', (value, paused) => {
  expect(isPaused(object(value), { paused: PAUSED })).toBe(paused);
});

test('an annotation that no controller reads pauses nothing', () => {
  expect(isPaused(object('true'), undefined)).toBe(false);
  expect(isPaused(object('true'), {})).toBe(false);
  expect(isPaused(object('true'), { paused: 'other.example.com/paused' })).toBe(false);
});

test('a paused object that is being deleted waits only where the definition says so', () => {
  const deleted = object('true', { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(isExempt(object('true'), { paused: PAUSED })).toBe(false);
  expect(isExempt(deleted, { paused: PAUSED })).toBe(true);
  expect(isExempt(deleted, undefined)).toBe(true);
  expect(isExempt(deleted, { paused: PAUSED, pausedDeletionWaits: true })).toBe(false);
});

const entry = (manager: string, time: string | undefined, key = PAUSED) => ({
  manager,
  time,
  fieldsV1: { 'f:metadata': { 'f:annotations': { [`f:${key}`]: {} } } },
});

test('the last manager of the annotation is named, and not a manager of another annotation', () => {
  const entries = [
    entry('helm', '2026-01-01T00:00:00Z'),
    entry('kubectl-annotate', '2026-01-02T00:00:00Z'),
    entry('argocd', '2026-01-03T00:00:00Z', 'example.com/other'),
    { manager: 'kubectl-edit', time: '2026-01-04T00:00:00Z', fieldsV1: { 'f:spec': {} } },
    {},
  ];
  expect(pauseMessage(PAUSED, entries)).toBe(
    'kubectl-annotate paused the object at 2026-01-02T00:00:00Z; to resume it, remove the annotation example.com/paused',
  );
});

test('an object without managed fields is still reported as paused', () => {
  expect(pauseMessage(PAUSED)).toBe('the object is paused; to resume it, remove the annotation example.com/paused');
  expect(pauseMessage(PAUSED, [entry('helm', undefined)])).toBe(
    'helm paused the object; to resume it, remove the annotation example.com/paused',
  );
});
