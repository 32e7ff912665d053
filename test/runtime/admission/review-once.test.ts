import { admit, convert } from '@keelson/testing';
import { defaulting, defineCustomResource, external, k, mutating, validating, watch } from 'keelson';
import { ConfigMap, Deployment, Namespace, Pod } from 'keelson/kinds';
import { z } from 'zod';

const Team = defineCustomResource({
  group: 'admit.example.com',
  kind: 'Team',
  versions: {
    v1: { storage: true, spec: z.object({ size: k.int32().default(1), name: z.string().optional() }) },
    v1beta1: { spec: z.object({ members: k.int32().default(1), name: z.string().optional() }) },
  },
  convert: {
    v1beta1: {
      toStorage: ({ spec: { members, ...spec } }) => ({ spec: { ...spec, size: members } }),
      fromStorage: ({ spec: { size, ...spec } }) => ({ spec: { ...spec, members: size } }),
    },
  },
});
const vault = external<{ allows(name: string): Promise<boolean> }>();
const odd = validating(Team, {
  create: ({ spec }, { warn }) => {
    warn('teams are small');
    return spec.size % 2 === 1 ? [] : [{ path: 'spec.size', message: 'must be odd' }];
  },
  update: ({ spec }, { old }) => (spec.size >= old.spec.size ? undefined : 'a team does not shrink'),
  delete: (_, { userInfo }) => (userInfo.username === 'root' ? undefined : 'only root may'),
});
const team = (spec: object) => ({ metadata: { name: 'a' }, spec });

test('a check is asked by what is given: creation, update or deletion, with defaults', async () => {
  expect(await admit(odd, { object: team({}) })).toMatchObject({ allowed: true, causes: [], warnings: ['teams are small'] });
  const { allowed, causes, message } = await admit(odd, { object: team({ size: 2 }) });
  expect([allowed, causes]).toEqual([
    false,
    [{ field: 'spec.size', message: 'Invalid value: 2: must be odd', reason: 'FieldValueInvalid' }],
  ]);
  expect(message).toContain('Team.admit.example.com "a" is invalid: spec.size');
  expect(await admit(odd, { object: team({ size: 1 }), old: team({ size: 3 }) })).toMatchObject({
    allowed: false,
    message: 'a team does not shrink',
  });
  expect((await admit(odd, { old: team({}), userInfo: { username: 'root' } })).allowed).toBe(true);
  expect((await admit(odd, { old: team({}) })).message).toBe('only root may');
});

test('a webhook that changes gives the object as it would be stored', async () => {
  const named = defaulting(Team, ({ spec }) => {
    spec.name ??= 'unnamed';
  });
  expect((await admit(named, { object: team({}) })).object).toMatchObject({ spec: { name: 'unnamed' } });
  expect((await admit(named, { object: team({ name: 'x' }) })).object).toEqual({
    apiVersion: 'admit.example.com/v1',
    kind: 'Team',
    metadata: { name: 'a', namespace: 'default' },
    spec: { name: 'x' },
  });
});

test('what it watches and uses is given beside the object, and what is missing is named', async () => {
  const inject = mutating(Pod, {
    watches: { settings: ConfigMap },
    uses: { vault },
    apply: async (pod, { settings, vault }) => {
      if (!(await vault.allows(pod.metadata.name ?? ''))) return 'not allowed';
      pod.spec?.containers.push({ name: 'cache', image: settings.get('cache')?.data?.['image'] ?? 'none' });
      return undefined;
    },
  });
  const object = Pod({ metadata: { name: 'a' }, spec: { containers: [] } });
  const settings = [{ metadata: { name: 'cache' }, data: { image: 'x:1' } }];
  const admitted = await admit(inject, { object, settings, vault: { allows: async () => true } });
  expect(admitted.object?.spec?.containers).toEqual([{ name: 'cache', image: 'x:1' }]);
  expect(await admit(inject, { object, vault: { allows: async () => false } })).toMatchObject({ allowed: false, message: 'not allowed' });
  await expect(admit(inject, { object } as never)).rejects.toThrow("uses the external 'vault'; give a fake of it");
  await expect(admit(inject, { object, vault: {} as never, typo: [] })).rejects.toThrow("declares no 'typo'; it has settings, vault");
  await expect(admit(inject, { vault: {} as never })).rejects.toThrow('admit: there is no object');
});

test('an error of a handler, and a change of what must not be changed, is thrown as it is', async () => {
  const broken = validating(Team, () => {
    throw new Error('broken');
  });
  await expect(admit(broken, { object: team({}) })).rejects.toThrow('broken');
  const mutates = validating(Team, ({ spec }) => {
    (spec as { size: number }).size = 3;
  });
  await expect(admit(mutates, { object: team({}) })).rejects.toThrow(TypeError);
});

test('an object is taken to another version, typed', () => {
  const stored = convert(Team.versions.v1beta1, { metadata: { name: 'a' }, spec: { members: 3 } }, Team);
  expect(stored.spec.size).toBe(3);
  expect(convert(Team, stored, Team.versions.v1beta1).spec).toEqual({ members: 3 });
  expect(() => convert(Team, {}, ConfigMap)).toThrow('Team and ConfigMap are not two versions of one custom resource');
});

test('an operation, a dry run and a user that are given reach the handler, and the object its namespace', async () => {
  const seen: unknown[] = [];
  const webhook = mutating([Team, Pod, Namespace], {
    name: 'seen',
    apply: (object, { operation, dryRun, userInfo, namespace, name, old }) => {
      const { kind, apiVersion, metadata } = object;
      seen.push({ kind, apiVersion, metadata, operation, dryRun, userInfo, namespace, name, old: old !== undefined });
    },
  });
  await admit(webhook, { object: team({}) });
  await admit(webhook, {
    object: Pod({ metadata: { name: 'p', namespace: 'n' }, spec: { containers: [] } }),
    operation: 'UPDATE',
    dryRun: true,
    userInfo: { groups: ['a'] },
  });
  await admit(webhook, { object: Namespace({ metadata: { name: 'x' } }), old: Namespace({ metadata: { name: 'x' } }) });
  await admit(webhook, { object: { apiVersion: 'admit.example.com/v9', kind: 'Pod', metadata: {} } });
  const test = { username: 'test', groups: [], extra: {} };
  const created = { operation: 'CREATE', dryRun: false, userInfo: test, old: false };
  expect(seen).toEqual([
    {
      ...created,
      kind: 'Team',
      apiVersion: 'admit.example.com/v1',
      metadata: { name: 'a', namespace: 'default' },
      namespace: 'default',
      name: 'a',
    },
    {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p', namespace: 'n' },
      operation: 'UPDATE',
      dryRun: true,
      userInfo: { ...test, groups: ['a'] },
      namespace: 'n',
      name: 'p',
      old: false,
    },
    { ...created, kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'x' }, operation: 'UPDATE', name: 'x', old: true },
    { ...created, kind: 'Pod', apiVersion: 'admit.example.com/v9', metadata: { namespace: 'default' }, namespace: 'default' },
  ]);
});

test('the object of a subresource keeps its own kind; what is not a list of objects is named', async () => {
  const scales: unknown[] = [];
  const scale = mutating(Deployment, { subresource: 'scale', apply: (object) => void scales.push(object) });
  await admit(scale, { object: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' } }, operation: 'UPDATE' } as never);
  await admit(scale, { object: { metadata: { name: 'a' } }, operation: 'UPDATE' } as never);
  expect(scales).toEqual([
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: 'default' } },
    { metadata: { name: 'a', namespace: 'default' } },
  ]);
  const reading = validating(Team, () => undefined, { watches: { settings: ConfigMap } });
  await expect(admit(reading, { object: team({}), settings: {} } as never)).rejects.toThrow(
    "the observation of 'settings' is not a list of objects",
  );
  const plain = validating(Team, () => undefined);
  await expect(admit(plain, { object: team({}), typo: [] } as never)).rejects.toThrow("declares no 'typo'; it has none");
});

test('a webhook finds the objects that it watches by name, by namespace and by index', async () => {
  const byColor = watch(ConfigMap, { indexes: { color: ({ data }) => [data?.['color'] ?? ''] } });
  const config = (name: string, color: string, namespace = 'default'): object => ({ metadata: { name, namespace }, data: { color } });
  const seen: unknown[] = [];
  const reading = validating(
    Team,
    (_, { settings }) => {
      const names = (found: readonly { metadata: { name: string } }[]): readonly string[] => found.map(({ metadata }) => metadata.name);
      seen.push(
        names(settings.list({ index: { color: 'red' } })),
        names(settings.list()),
        names(settings.list({ namespace: '*' })),
        settings.get('far'),
        settings.get({ namespace: 'far', name: 'far' })?.data,
      );
    },
    { watches: { settings: byColor } },
  );
  await admit(reading, { object: team({}), settings: [config('a', 'red'), config('b', 'blue'), config('far', 'red', 'far')] } as never);
  expect(seen).toEqual([['a'], ['a', 'b'], ['a', 'b', 'far'], undefined, { color: 'red' }]);
});

test('the kind of an optional watch is served if a test gives its list', async () => {
  const seen: boolean[] = [];
  const webhook = validating(Team, (_, { pods }) => void seen.push(pods.isServed), { watches: { pods: watch(Pod, { optional: true }) } });
  await admit(webhook, { object: team({ size: 1 }) });
  await admit(webhook, { object: team({ size: 1 }), pods: [] });
  expect(seen).toEqual([false, true]);
});
