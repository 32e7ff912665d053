import { admit } from '@keelson/testing';
import type { Webhook } from 'keelson';
import { hashesOf } from './hashes.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION } from './names.js';
import type { SidecarSet } from './sidecar-set.js';
import { pod, sidecar, sidecarSet } from './sidecar-set-objects.js';
import { podSidecars, sidecarDefaults, sidecarSetChecks } from './webhooks.js';

const mesh = sidecarSet('mesh');

interface Beside {
  readonly old?: SidecarSet;
  readonly others?: readonly SidecarSet[];
}

/** The refused fields, each with its reason. */
async function refused(object: SidecarSet, { old, others = [] }: Beside = {}): Promise<string[]> {
  const { causes } = await admit(sidecarSetChecks, { object, old, sets: others });
  return causes.map(({ field, reason }) => `${field} ${reason}`);
}

async function completed(given: SidecarSet, old?: SidecarSet): Promise<SidecarSet> {
  const { object } = await admit(sidecarDefaults, { object: given, old });
  if (object === undefined) throw new Error('the webhook has answered no object');
  return object;
}

describe('checks of a SidecarSet', () => {
  test('a good one is taken', async () => {
    expect(await refused(mesh)).toEqual([]);
  });

  test.each<[string, SidecarSet, string]>([
    ['a name with a dot', sidecarSet('a.b'), 'metadata.name FieldValueInvalid'],
    ['a long name', sidecarSet('a'.repeat(64)), 'metadata.name FieldValueInvalid'],
    ['a label that is none', sidecarSet('a', { selector: { matchLabels: { app: '-' } } }), 'spec.selector FieldValueInvalid'],
    ['no values', sidecarSet('a', { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }), 'spec.selector FieldValueInvalid'],
    [
      'a bad canary',
      sidecarSet('a', { updateStrategy: { selector: { matchLabels: { '-': '' } } } }),
      'spec.updateStrategy.selector FieldValueInvalid',
    ],
    [
      'a container in upper case',
      sidecarSet('a', { containers: [sidecar('a:1', { name: 'A' })] }),
      'spec.containers[0].name FieldValueInvalid',
    ],
    [
      'an init container of the same name',
      sidecarSet('a', { initContainers: [sidecar('a:1')] }),
      'spec.containers[0].name FieldValueDuplicate',
    ],
  ])('%s is refused at its field', async (_, given, expected) => {
    expect(await refused(given)).toEqual([expected]);
  });

  test('a container name of a SidecarSet that may select the same Pods is taken', async () => {
    const other = sidecarSet('other', { selector: { matchLabels: { tier: 'front' } } });
    const { causes } = await admit(sidecarSetChecks, { object: other, sets: [mesh] });
    const message = expect.stringContaining('is taken by SidecarSet mesh, which may select the same Pods') as string;
    expect(causes).toMatchObject([{ field: 'spec.containers[0].name', message }]);
    expect(await refused(mesh, { others: [mesh] })).toEqual([]);
    expect(await refused(other, { old: other, others: [mesh] })).toEqual([]);
  });
});

describe('defaults of a SidecarSet', () => {
  const bare = sidecarSet('mesh', { containers: [{ name: 'test-sidecar', image: 'test-image:v1' }] });

  test('containers are completed, and the hashes are of what comes out', async () => {
    const { metadata, spec } = await completed(bare);
    expect(spec.containers[0]).toMatchObject({ imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' });
    const { hash, hashWithoutImage } = hashesOf(spec);
    expect(metadata.annotations).toEqual({ [HASH_ANNOTATION]: hash, [HASH_WITHOUT_IMAGE_ANNOTATION]: hashWithoutImage });
  });

  test('a container that an update adds is completed too', async () => {
    const old = await completed(bare);
    const more = { ...old, spec: { ...old.spec, containers: [...old.spec.containers, { name: 'new', image: 'new' }] } };
    expect((await completed(more, old)).spec.containers[1]).toMatchObject({ imagePullPolicy: 'Always', terminationMessagePolicy: 'File' });
  });

  test('a new image changes the one hash alone, even if its tag is latest', async () => {
    const old = await completed(bare);
    const { metadata } = await completed(
      { ...bare, spec: { ...bare.spec, containers: [{ name: 'test-sidecar', image: 'test-image:latest' }] } },
      old,
    );
    expect(metadata.annotations?.[HASH_ANNOTATION]).not.toBe(old.metadata.annotations?.[HASH_ANNOTATION]);
    expect(metadata.annotations?.[HASH_WITHOUT_IMAGE_ANNOTATION]).toBe(old.metadata.annotations?.[HASH_WITHOUT_IMAGE_ANNOTATION]);
  });

  test('a second call changes nothing', async () => {
    const once = await completed(bare);
    expect(await completed(once)).toEqual(once);
  });
});

describe('sidecars for Pods', () => {
  test('the namespace of the request counts', async () => {
    const containers = async (namespace: string) => {
      const { name, ...metadata } = pod('a').metadata;
      const object = { ...pod('a'), metadata: { ...metadata, namespace, generateName: `${name}-` } };
      const admitted = await admit(podSidecars, { object, sets: [mesh], namespaces: [] });
      return admitted.object?.spec?.containers.map((container) => container.name);
    };
    expect(await containers('shop')).toEqual(['app', 'proxy']);
    expect(await containers('kube-system')).toEqual(['app']);
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
