import { serviceAccount } from '../../../../src/api-server/access/admission/service-account/index.js';
import type { AdmissionRequest, JsonObject } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import type { Pod } from '../../../../src/kubernetes/kinds/index.js';
import { builtinRequest, podOf, refusalOf, roundOf, type World, world } from './surroundings.js';

type Fields = Readonly<Record<string, Json>>;

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const PLAIN = { containers: [{ name: 'c', image: 'i' }] };

function within(accounts: Readonly<Record<string, Fields>> = { default: {} }): World {
  const made = world();
  const objects = Object.entries(accounts).map(([name, { metadata = {}, ...more }]) => ({
    metadata: { name, ...(metadata as object) },
    ...more,
  }));
  made.objects.set('serviceaccounts', objects as unknown as JsonObject[]);
  return made;
}

const mutated = async (inside: World, object: JsonObject): Promise<Pod> =>
  (await serviceAccount(inside).mutate?.(builtinRequest(inside, 'pods', { object }), roundOf())) as unknown as Pod;

const refused = (inside: World, object: JsonObject): Promise<string | undefined> => refusalOf(() => mutated(inside, object));

test('a pod runs as the default account, and every container gets its token', async () => {
  const object = podOf({ ...PLAIN, initContainers: [{ name: 'i', image: 'i' }] });
  const mount = { name: 'kube-api-access-abcde', readOnly: true, mountPath: MOUNT };
  const pod = await mutated(within(), object);
  expect(pod.spec).toMatchObject({
    serviceAccountName: 'default',
    serviceAccount: 'default',
    containers: [{ name: 'c', volumeMounts: [mount] }],
    initContainers: [{ name: 'i', volumeMounts: [mount] }],
    volumes: [
      {
        name: mount.name,
        projected: {
          defaultMode: 420,
          sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3607 } }, { configMap: {} }, { downwardAPI: {} }],
        },
      },
    ],
  });
  expect(object).toEqual(podOf({ ...PLAIN, initContainers: [{ name: 'i', image: 'i' }] }));
});

test('asked a second time, nothing is added', async () => {
  const inside = within();
  const once = await mutated(inside, podOf(PLAIN));
  expect(await mutated(inside, once as unknown as JsonObject)).toEqual(once);
});

test('a container that mounts something of its own at the place keeps it, and nobody needs the volume', async () => {
  const own = { name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: MOUNT }] };
  const pod = await mutated(within(), podOf({ containers: [own] }));
  expect(pod.spec?.volumes).toBeUndefined();
  expect(pod.spec?.containers).toEqual([own]);
});

test.each([
  [undefined, undefined, true],
  [false, undefined, false],
  [false, true, true],
  [true, false, false],
])('the token is mounted (account: %s, pod: %s): %s', async (ofAccount, ofPod, isMounted) => {
  const inside = within({ default: ofAccount === undefined ? {} : { automountServiceAccountToken: ofAccount } });
  const pod = await mutated(inside, podOf({ ...PLAIN, ...(ofPod === undefined ? {} : { automountServiceAccountToken: ofPod }) }));
  expect(pod.spec?.volumes !== undefined).toBe(isMounted);
});

test('pull secrets are those of the account, where the pod names none', async () => {
  const inside = within({ default: { imagePullSecrets: [{ name: 'a' }] } });
  expect((await mutated(inside, podOf(PLAIN))).spec?.imagePullSecrets).toEqual([{ name: 'a' }]);
  expect((await mutated(inside, podOf({ ...PLAIN, imagePullSecrets: [{ name: 'b' }] }))).spec?.imagePullSecrets).toEqual([{ name: 'b' }]);
});

test('an account that is not there is told at once', async () => {
  expect(await refused(within(), podOf({ ...PLAIN, serviceAccountName: 'x' }))).toBe(
    'pods "one" is forbidden: error looking up service account a/x: serviceaccount "x" not found',
  );
});

test('a pod that is faster than the controller waits for the default account', async () => {
  const inside = within({});
  const asked = mutated(inside, podOf(PLAIN));
  inside.objects.set('serviceaccounts', [{ metadata: { name: 'default' } }]);
  expect((await asked).spec?.serviceAccountName).toBe('default');
});

test('who waits for the default account and leaves is waited for no more', async () => {
  const inside = within({});
  const leaving = new AbortController();
  const request = builtinRequest(inside, 'pods', { object: podOf(PLAIN) });
  const asked = serviceAccount(inside).mutate?.({ ...request, context: { ...request.context, signal: leaving.signal } }, roundOf());
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
});

test('a mirror pod refers to nothing that is kept in the cluster, and is left as it is', async () => {
  const mirror = (spec: Fields): JsonObject => podOf({ ...PLAIN, ...spec }, { annotations: { 'kubernetes.io/config.mirror': 'x' } });
  expect(await mutated(within({}), mirror({}))).toEqual(mirror({}));
  expect(await refused(within(), mirror({ serviceAccountName: 'default' }))).toContain('a mirror pod may not reference service accounts');
  for (const spec of [
    { imagePullSecrets: [{ name: 's' }] },
    { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] },
    { containers: [{ name: 'c', envFrom: [{ secretRef: { name: 's' } }] }] },
  ]) {
    expect(await refused(within(), mirror(spec))).toContain('a mirror pod may not reference secrets');
  }
  const token = { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] };
  expect(await refused(within(), mirror(token))).toContain('may not use ServiceAccountToken volume projections');
});

describe('an account that limits its pods to its secrets', () => {
  const inside = within({
    default: {
      metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'T' } },
      secrets: [{ name: 'good' }],
      imagePullSecrets: [{ name: 'pull' }],
    },
  });
  const validated = (object: JsonObject, fields: Partial<AdmissionRequest> = {}) =>
    refusalOf(() => serviceAccount(inside).validate?.(builtinRequest(inside, 'pods', { object, ...fields })));
  const env = (name: string): Fields => ({ name: 'c', image: 'i', env: [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }] });

  test.each<[Fields, string | undefined]>([
    [{ volumes: [{ name: 'v', secret: { secretName: 'good' } }], containers: [env('good')] }, undefined],
    [{ volumes: [{ name: 'v', secret: { secretName: 'bad' } }] }, 'volume with secret.secretName="bad" is not allowed'],
    [{ containers: [env('bad')] }, 'container c with envVar E referencing secret.secretName="bad"'],
    [
      { initContainers: [{ name: 'j', envFrom: [{ secretRef: { name: 'bad' } }] }] },
      'init container j with envFrom referencing secret.secretName="bad"',
    ],
    [
      { imagePullSecrets: [{ name: 'pull' }, { name: 'bad' }] },
      'imagePullSecrets[1].name="bad" is not allowed because service account default does not reference that imagePullSecret',
    ],
  ])('%j', async (spec, text) => {
    const object = podOf({ ...PLAIN, serviceAccountName: 'default', ...spec });
    const refusal = await validated(object);
    if (text === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(`pods "one" is forbidden: ${text}`);
  });

  test('its debug containers too', async () => {
    const object = podOf({ ...PLAIN, serviceAccountName: 'default', ephemeralContainers: [env('bad')] });
    expect(await validated(object, { operation: 'UPDATE', subresource: 'ephemeralcontainers', oldObject: object })).toBe(
      'ephemeral container c with envVar E referencing secret.secretName="bad" is not allowed because service account default does not reference that secret',
    );
  });

  test('a pod that is there is not asked again', async () => {
    const object = podOf({ ...PLAIN, serviceAccountName: 'gone' });
    expect(await validated(object, { operation: 'UPDATE', oldObject: object })).toBeUndefined();
    expect(await validated(object)).toContain('error looking up service account a/gone');
  });
});
