import { defineController, defineCustomResource, toAll, toSelectors, watch } from 'keelson';
import { Pod } from 'keelson/kinds';
import { z } from 'zod';
import { messageOf } from '../refusals.js';

const spec = z.object({});
const Site = defineCustomResource({ group: 'web.example.com', kind: 'Site', versions: { v1: { spec, storage: true }, v1beta1: { spec } } });
const Fleet = defineCustomResource({ group: 'web.example.com', kind: 'Fleet', scope: 'Cluster', versions: { v1: { spec } } });
const untyped = (value: unknown): never => value as never;
const define = (enqueue: unknown, kind: typeof Site = Site) =>
  defineController({ name: 'c', for: kind, watches: { pods: watch(Pod, { enqueue: untyped(enqueue) }) }, reconcile: ({ done }) => done() });

test.each<[string, () => unknown, string]>([
  [
    'selectors of objects of another kind',
    () => define(toSelectors(Fleet, () => ({ labels: {} }))),
    'controller c: 1 problem\n  watches.pods.enqueue: reconciles objects of Fleet v1, but the controller is for Site v1; write toSelectors(Site, ...)',
  ],
  [
    'all objects in another version',
    () => define(toAll(Site.versions.v1beta1)),
    'controller c: 1 problem\n  watches.pods.enqueue: reconciles objects of Site v1beta1, but the controller is for Site v1; write toAll(Site)',
  ],
  [
    'the own namespace of what has none',
    () =>
      define(
        toSelectors(Fleet, () => ({ labels: {} }), { ownNamespace: true }),
        untyped(Fleet),
      ),
    'controller c: 1 problem\n  watches.pods.enqueue: sets ownNamespace, but Fleet is cluster-scoped and has no namespace; leave it out',
  ],
  [
    'neither kind nor function',
    () => toSelectors(untyped('Site'), untyped({ labels: {} })),
    'toSelectors: 2 problems\n  selecting: is not a kind; give the kind that the controller is for\n  selectors: is not a function; write one from the object to its selectors: ({ labels, namespaces })',
  ],
  [
    'an option that is unknown',
    () => toSelectors(Site, () => ({ labels: {} }), untyped({ own: true })),
    'toSelectors: 1 problem\n  own: is not an option of toSelectors; known are ownNamespace',
  ],
  ['all of no kind', () => toAll(untyped('Site')), 'toAll: 1 problem\n  kind: is not a kind; give the kind that the controller is for'],
])('%s: refused', (_, make, message) => {
  expect(messageOf(make)).toBe(message);
});
