import type { Refusal, Webhook } from 'keelson';
import { hashesOf } from './hashes.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION } from './names.js';
import type { SidecarSet } from './sidecar-set.js';
import { pod, sidecar, sidecarSet } from './sidecar-set-objects.js';
import { podSidecars, sidecarDefaults, sidecarSetChecks } from './webhooks.js';

const mesh = sidecarSet('mesh');

function checked(given: SidecarSet, { old, others = [] }: { old?: SidecarSet; others?: SidecarSet[] } = {}): readonly Refusal[] {
  type Check = (object: SidecarSet, context: object) => readonly Refusal[];
  const { create, update } = sidecarSetChecks.handle as { create: Check; update: Check };
  return (old === undefined ? create : update)(given, { old, sets: { list: () => others } });
}

function completed(given: SidecarSet, old?: SidecarSet): SidecarSet {
  const object = structuredClone(given);
  (sidecarDefaults.handle as (object: SidecarSet, context: object) => void)(object, { old });
  return object;
}

const paths = (refusals: readonly Refusal[]) => refusals.map(({ path, type = 'Invalid' }) => `${path} ${type}`);

describe('checks of a SidecarSet', () => {
  test('a good one is taken', () => {
    expect(checked(mesh)).toEqual([]);
  });

  test.each<[string, SidecarSet, string]>([
    ['a name with a dot', sidecarSet('a.b'), 'metadata.name Invalid'],
    ['a long name', sidecarSet('a'.repeat(64)), 'metadata.name Invalid'],
    ['a label that is none', sidecarSet('a', { selector: { matchLabels: { app: '-' } } }), 'spec.selector Invalid'],
    ['no values', sidecarSet('a', { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }), 'spec.selector Invalid'],
    [
      'a bad canary',
      sidecarSet('a', { updateStrategy: { selector: { matchLabels: { '-': '' } } } }),
      'spec.updateStrategy.selector Invalid',
    ],
    ['a container in upper case', sidecarSet('a', { containers: [sidecar('a:1', { name: 'A' })] }), 'spec.containers[0].name Invalid'],
    ['an init container of the same name', sidecarSet('a', { initContainers: [sidecar('a:1')] }), 'spec.containers[0].name Duplicate'],
  ])('%s is refused at its field', (_, given, expected) => {
    expect(paths(checked(given))).toEqual([expected]);
  });

  test('a container name of a SidecarSet that may select the same Pods is taken', () => {
    const other = sidecarSet('other', { selector: { matchLabels: { tier: 'front' } } });
    expect(checked(other, { others: [mesh] })).toEqual([
      { path: 'spec.containers[0].name', message: 'is taken by SidecarSet mesh, which may select the same Pods' },
    ]);
    expect(checked(mesh, { others: [mesh] })).toEqual([]);
    expect(checked(other, { old: other, others: [mesh] })).toEqual([]);
  });
});

describe('defaults of a SidecarSet', () => {
  const bare = sidecarSet('mesh', { containers: [{ name: 'test-sidecar', image: 'test-image:v1' }] });

  test('containers are completed, and the hashes are of what comes out', () => {
    const { metadata, spec } = completed(bare);
    expect(spec.containers[0]).toMatchObject({ imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' });
    const { hash, hashWithoutImage } = hashesOf(spec);
    expect(metadata.annotations).toEqual({ [HASH_ANNOTATION]: hash, [HASH_WITHOUT_IMAGE_ANNOTATION]: hashWithoutImage });
  });

  test('a container that an update adds is completed too', () => {
    const old = completed(bare);
    const more = { ...old, spec: { ...old.spec, containers: [...old.spec.containers, { name: 'new', image: 'new' }] } };
    expect(completed(more, old).spec.containers[1]).toMatchObject({ imagePullPolicy: 'Always', terminationMessagePolicy: 'File' });
  });

  test('a new image changes the one hash alone, even if its tag is latest', () => {
    const old = completed(bare);
    const { metadata } = completed(
      { ...bare, spec: { ...bare.spec, containers: [{ name: 'test-sidecar', image: 'test-image:latest' }] } },
      old,
    );
    expect(metadata.annotations?.[HASH_ANNOTATION]).not.toBe(old.metadata.annotations?.[HASH_ANNOTATION]);
    expect(metadata.annotations?.[HASH_WITHOUT_IMAGE_ANNOTATION]).toBe(old.metadata.annotations?.[HASH_WITHOUT_IMAGE_ANNOTATION]);
  });

  test('a second call changes nothing', () => {
    expect(completed(completed(bare))).toEqual(completed(bare));
  });
});

describe('sidecars for Pods', () => {
  const apply = podSidecars.handle as (given: object, context: object) => { spec: { containers: { name: string }[] } };
  const context = { sets: { list: () => [mesh] }, namespaces: { get: () => undefined }, namespace: 'shop' };

  test('the namespace of the request counts: a ReplicaSet leaves that of the Pod out', () => {
    const { name, namespace, ...metadata } = pod('a').metadata;
    const generated = { ...pod('a'), metadata: { ...metadata, generateName: `${name}-` } };
    expect(namespace).toBe('shop');
    expect(apply(generated, context).spec.containers.map((container) => container.name)).toEqual(['app', 'proxy']);
    expect(apply(generated, { ...context, namespace: 'kube-system' }).spec.containers).toHaveLength(1);
  });

  test('it is asked about creation alone, has no effects, and is asked again after others', () => {
    const { operations, sideEffects, reinvocationPolicy, failurePolicy, timeoutSeconds, namespaceSelector }: Webhook = podSidecars;
    expect({ operations, sideEffects, reinvocationPolicy, failurePolicy, timeoutSeconds, namespaceSelector }).toEqual({
      operations: ['CREATE'],
      sideEffects: 'None',
      reinvocationPolicy: 'IfNeeded',
      failurePolicy: 'Fail',
      timeoutSeconds: 5,
      namespaceSelector: { matchExpressions: [{ key: 'control-plane', operator: 'DoesNotExist' }] },
    });
  });
});
