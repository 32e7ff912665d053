import type { Container, Pod } from 'keelson/kinds';
import { inject } from './injection.js';
import { HASH_ANNOTATION } from './names.js';
import { hashesIn } from './pod-marks.js';
import { pod, sidecar, sidecarSet } from './sidecar-set-objects.js';

const names = (list: readonly { readonly name?: string | undefined }[] | undefined) => list?.map(({ name }) => name);

function injected(...given: Parameters<typeof inject>): Pod {
  const result = inject(...given);
  if (!('metadata' in result)) throw new Error(JSON.stringify(result));
  return result as Pod;
}

test('sidecars stand after the containers of the Pod, and know that they are sidecars', () => {
  const { spec, metadata } = injected(pod('a'), [sidecarSet('mesh')]);
  expect(names(spec?.containers)).toEqual(['app', 'proxy']);
  expect(spec?.containers[1]?.env).toEqual([{ name: 'IS_INJECTED', value: 'true' }]);
  expect(spec?.containers[0]).not.toHaveProperty('env');
  expect(JSON.parse(metadata.annotations?.[HASH_ANNOTATION] ?? '')).toEqual({ mesh: expect.stringMatching(/^[a-z0-9]{64}$/) });
});

test('they stand before them where the SidecarSet says so; init containers always do', () => {
  const initContainers = [{ name: 'setup', image: 'setup:1' }];
  const set = sidecarSet('mesh', { injectPolicy: 'BeforeAppContainers', initContainers });
  const given = pod('a');
  const { spec } = injected(
    { ...given, spec: { ...given.spec, containers: given.spec?.containers ?? [], initContainers: [{ name: 'own' }] } },
    [set],
  );
  expect(names(spec?.containers)).toEqual(['proxy', 'app']);
  expect(names(spec?.initContainers)).toEqual(['setup', 'own']);
});

test('two SidecarSets add both, in the order of their names', () => {
  const logs = sidecarSet('logs', { containers: [sidecar('logs:1', { name: 'shipper' })] });
  const both = injected(pod('a'), [sidecarSet('mesh'), logs]);
  expect(names(both.spec?.containers)).toEqual(['app', 'shipper', 'proxy']);
  expect([hashesIn(both, 'mesh'), hashesIn(both, 'logs')]).not.toContain(undefined);
  expect(injected(pod('a'), [logs, sidecarSet('mesh')])).toEqual(both);
});

test('to be called again adds nothing, whatever the API server has filled in meanwhile', () => {
  const set = sidecarSet('mesh', {
    volumes: [{ name: 'certs', configMap: { name: 'certs' } }],
    initContainers: [{ name: 'setup', image: 'setup:1' }],
  });
  const once = injected(pod('a'), [set]);
  const volumes = once.spec?.volumes?.map((volume) => ({ ...volume, configMap: { ...volume.configMap, defaultMode: 420 } }));
  const defaulted = { ...once, spec: { ...once.spec, containers: once.spec?.containers ?? [], volumes } };
  expect(injected(defaulted as Pod, [set])).toEqual(defaulted);
});

test('what another webhook has made of them afterwards stays', () => {
  const set = sidecarSet('mesh', { volumes: [{ name: 'data', emptyDir: {} }] });
  const once = injected(pod('a'), [set]);
  const changed = {
    ...once,
    spec: { ...once.spec, containers: once.spec?.containers ?? [], volumes: [{ name: 'data', hostPath: { path: '/data' } }] },
  };
  expect(injected(changed, [set])).toEqual(changed);
});

test('a Pod that was copied with its annotations, but without sidecars, gets them', () => {
  const first = injected(pod('a'), [sidecarSet('mesh')]);
  const copied = { ...pod('b'), metadata: { ...pod('b').metadata, annotations: { ...first.metadata.annotations } } };
  expect(names(injected(copied, [sidecarSet('mesh')]).spec?.containers)).toEqual(['app', 'proxy']);
});

test('a name that the Pod has itself is refused, at its field', () => {
  const containers: Container[] = [{ name: 'app' }, { name: 'proxy' }];
  expect(inject(pod('a', { containers }), [sidecarSet('mesh')])).toEqual([
    {
      path: 'spec.containers[1].name',
      type: 'Forbidden',
      message: expect.stringContaining("'proxy' is the name of a sidecar of SidecarSet 'mesh'"),
    },
  ]);
});

test('a volume is shared when it is the same, and refused when it is another', () => {
  const set = sidecarSet('mesh', { volumes: [{ name: 'data', emptyDir: {} }] });
  const withVolume = (volume: object) => ({ ...pod('a'), spec: { containers: [{ name: 'app' }], volumes: [{ name: 'data', ...volume }] } });
  expect(names(injected(withVolume({ emptyDir: { medium: 'Memory' } }), [set]).spec?.volumes)).toEqual(['data']);
  expect(inject(withVolume({ hostPath: { path: '/' } }), [set])).toEqual([expect.objectContaining({ path: 'spec.volumes[0]' })]);
});

test('pull secrets come once', () => {
  const given = { ...pod('a'), spec: { containers: [{ name: 'app' }], imagePullSecrets: [{ name: 'a' }] } };
  const { spec } = injected(given, [sidecarSet('mesh', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] })]);
  expect(names(spec?.imagePullSecrets)).toEqual(['a', 'b']);
});

test('variables are taken over from the Pod; what the sidecar says itself wins, and what is not there is left out', () => {
  const containers: Container[] = [
    {
      name: 'app',
      env: [
        { name: 'ZONE', value: 'a' },
        { name: 'LEVEL', value: 'debug' },
      ],
    },
  ];
  const transferEnv = ['ZONE', 'LEVEL', 'MISSING'].map((name) => ({ name, from: 'app' }));
  const set = sidecarSet('mesh', { containers: [sidecar('proxy:1', { env: [{ name: 'LEVEL', value: 'info' }] })], transferEnv });
  expect(injected(pod('a', { containers }), [set]).spec?.containers[1]?.env).toEqual([
    { name: 'LEVEL', value: 'info' },
    { name: 'ZONE', value: 'a' },
    { name: 'IS_INJECTED', value: 'true' },
  ]);
});

test('labels and annotations of the Pod stay', () => {
  const given = { ...pod('a'), metadata: { labels: { app: 'web' }, annotations: { note: 'mine', [HASH_ANNOTATION]: 'no JSON' } } };
  const { metadata } = injected(given, [sidecarSet('mesh')]);
  expect(metadata.labels).toEqual({ app: 'web', 'apps.example.com/sidecars': 'injected' });
  expect(metadata.annotations).toMatchObject({ note: 'mine', [HASH_ANNOTATION]: expect.stringMatching(/^{"mesh":/) });
});
