import { fromStorage, KEPT_ANNOTATIONS, toStorage } from './conversion.js';
import { sidecar, sidecarSet } from './sidecar-set-objects.js';

const rich = {
  ...sidecarSet('mesh', {
    initContainers: [sidecar('setup:1', { name: 'setup' })],
    volumes: [{ name: 'v', emptyDir: {} }],
    namespaceSelector: { matchLabels: { stage: 'prod' } },
    updateStrategy: { paused: true, partition: '20%' },
  }),
  status: {
    matchedPods: 3,
    updatedPods: 2,
    readyPods: 1,
    updatedReadyPods: 1,
    latestRevision: 'mesh-abc',
    observedGeneration: 4,
    conditions: [],
  },
};

test('the old version has its fields, and no others', () => {
  const { spec, status } = fromStorage(rich);
  expect(spec).toEqual({ selector: rich.spec.selector, containers: rich.spec.containers, paused: true });
  expect(status).toEqual({ observedGeneration: 4, matchedPods: 3, updatedPods: 2, readyPods: 1 });
});

test('what the old version does not know is there when it comes back', () => {
  const back = toStorage({ ...rich, ...fromStorage(rich) });
  expect(back.spec).toEqual(rich.spec);
  expect(back.status).toEqual(rich.status);
  expect(back.metadata.annotations).toEqual({});
});

test('an edit in the old version is kept, beside what it does not know', () => {
  const old = fromStorage(rich);
  const { spec } = toStorage({ ...old, spec: { ...old.spec, paused: false, containers: [sidecar('proxy:2')] } });
  expect(spec).toEqual({ ...rich.spec, containers: [sidecar('proxy:2')], updateStrategy: { ...rich.spec.updateStrategy, paused: false } });
});

test('what only the old version knows is kept by the new one', () => {
  const { selector, containers } = rich.spec;
  const stored = toStorage({ metadata: { annotations: { note: 'mine' } }, spec: { selector, containers, namespace: 'shop' } });
  expect(stored.spec).not.toHaveProperty('namespace');
  expect(stored.metadata.annotations['note']).toBe('mine');
  const spec = { ...rich.spec, ...stored.spec, updateStrategy: { ...rich.spec.updateStrategy, ...stored.spec.updateStrategy } };
  expect(fromStorage({ ...stored, spec }).spec.namespace).toBe('shop');
});

test('an annotation that somebody has broken loses what it held, and no more', () => {
  const { selector, containers } = rich.spec;
  for (const text of ['{', '5', 'null']) {
    const { spec } = toStorage({ metadata: { annotations: { [KEPT_ANNOTATIONS.v1beta1]: text } }, spec: { selector, containers } });
    expect(spec).toEqual({ selector, containers, updateStrategy: { paused: false } });
  }
});
