import {
  type Annotations,
  type ControllerModel,
  defineController,
  defineCustomResource,
  defineOperator,
  external,
  own,
  permissionsOf,
  settings,
} from 'keelson';
import { ConfigMap, Job } from 'keelson/kinds';
import { z } from 'zod';
import { messageOf } from '../refusals.js';

const Cache = defineCustomResource({ group: 'cache.example.com', kind: 'Cache', versions: { v1: { spec: z.object({}) } } });

const define = (annotations?: unknown, kind: unknown = Cache): ControllerModel =>
  defineController({ name: 'cache', for: kind as typeof Cache, annotations: annotations as Annotations, reconcile: ({ done }) => done() });

test('objects of an own kind can be paused by an annotation of its group, those of other kinds only by one that is given', () => {
  expect(define().annotations).toEqual({
    paused: 'cache.example.com/paused',
    mode: 'cache.example.com/mode',
    reconcile: 'cache.example.com/reconcile',
  });
  expect(define({}, ConfigMap).annotations).toBeUndefined();
  expect(define({ prefix: 'example.com' }, ConfigMap).annotations).toEqual({
    paused: 'example.com/paused',
    mode: 'example.com/mode',
    reconcile: 'example.com/reconcile',
  });
  expect(define({ paused: 'cluster.x-k8s.io/paused', pausedDeletion: 'wait' }, ConfigMap).annotations).toEqual({
    paused: 'cluster.x-k8s.io/paused',
    pausedDeletionWaits: true,
  });
  expect(define({ paused: false }).annotations).toEqual({ mode: 'cache.example.com/mode', reconcile: 'cache.example.com/reconcile' });
  expect(define({ paused: false, mode: false, reconcile: false }).annotations).toBeUndefined();
});

test('a controller that acts outside is not observed unless its author gives the key, as no run can withhold calls of externals', () => {
  const uses = { etcd: external<object>(), config: settings(z.object({})) };
  const outside = (annotations?: Annotations) =>
    defineController({
      name: 'cache',
      for: Cache,
      uses,
      ...(annotations === undefined ? {} : { annotations }),
      reconcile: ({ done }) => done(),
    });
  expect(outside().annotations).toEqual({ paused: 'cache.example.com/paused', reconcile: 'cache.example.com/reconcile' });
  expect(outside({ mode: 'example.com/mode' }).annotations).toMatchObject({ mode: 'example.com/mode' });
});

test.each<[string, unknown, string]>([
  [
    'a misspelt word',
    { pause: 'a.b/c' },
    'annotations.pause: is not an option of annotations; known are prefix, paused, pausedDeletion, mode, reconcile, deletion',
  ],
  [
    'a key of another sort',
    { paused: 3 },
    "annotations.paused: is 3; write the key of an annotation such as 'example.com/paused', or false",
  ],
  [
    'true in place of a key',
    { paused: true },
    "annotations.paused: is true; write the key of an annotation such as 'example.com/paused', or false",
  ],
  [
    'a key without a domain, which is for users',
    { paused: 'paused' },
    "annotations.paused: 'paused' is not a key with a domain; write <domain>/<name>, for example example.com/paused",
  ],
  [
    'a prefix with a slash',
    { prefix: 'example.com/' },
    "annotations.prefix: 'example.com/' is not a domain; write for example example.com",
  ],
  [
    'a deletion of another sort',
    { deletion: 3 },
    "annotations.deletion: is 3; write true, false, or the key of an annotation such as 'example.com/deletion'",
  ],
  ['another word', { pausedDeletion: 'never' }, "annotations.pausedDeletion: 'never' is unknown; write 'finalize' or 'wait'"],
  [
    'a deletion that can never wait',
    { paused: false, pausedDeletion: 'wait' },
    'annotations.pausedDeletion: is set, but objects cannot be paused; leave it out, or give a key under paused',
  ],
])('%s is refused', (_, annotations, message) => {
  expect(messageOf(() => define(annotations))).toContain(message);
});

test('children can be kept only where the author says so, as it takes a finalizer and rights', () => {
  expect(define().finalizer).toBeUndefined();
  const kept = define({ deletion: true });
  expect(kept).toMatchObject({ finalizer: 'cache.example.com/cache', annotations: { deletion: 'cache.example.com/deletion' } });
  expect(messageOf(() => define({ deletion: true }, ConfigMap))).toContain(
    'annotations.deletion: is true, but ConfigMap is not a kind of yours; give the whole key, or a prefix',
  );
  expect(messageOf(() => define({ deletion: 'example.com/deletion' }, ConfigMap))).toContain(
    'finalizer: is missing, and ConfigMap is not a kind of yours',
  );
});

test('rights grow by what it takes to keep children, and by nothing for the annotations that are read by default', () => {
  const granted = (annotations?: Annotations): Readonly<Record<string, readonly string[]>> => {
    const controller = defineController({
      name: 'cache',
      for: Cache,
      owns: { jobs: own(Job, { verbs: ['create'] }) },
      ...(annotations === undefined ? {} : { annotations }),
      reconcile: ({ done }) => done(),
    });
    const { cluster } = permissionsOf(defineOperator({ name: 'cache-operator', controllers: [controller] }));
    return Object.fromEntries(cluster.flatMap(({ resources = [], verbs }) => resources.map((resource) => [resource, verbs])));
  };
  expect(granted()).toEqual(granted({ paused: false, mode: false, reconcile: false }));
  expect(granted()).toMatchObject({ caches: ['list', 'watch'], jobs: ['create', 'list', 'watch'] });
  expect(granted({ deletion: true })).toMatchObject({
    caches: ['get', 'list', 'patch', 'watch'],
    jobs: ['create', 'list', 'patch', 'watch'],
  });
});
