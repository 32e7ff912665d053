import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SelfSubjectReview } from '../../../../src/kinds/index.js';
import { createClient, loadConnection } from '../../../../src/runtime/index.js';
import { Machine, main, pod } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());

const configMap = (data: object): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  data,
});
const secret = (stringData: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'keys', namespace: 'default' },
  stringData,
});
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

async function answered(path: string): Promise<string> {
  let text: string | undefined;
  await machine.until(async () => {
    text = await machine.fetched(path).catch(() => undefined);
    return text;
  });
  return text ?? '';
}

test("its variables are those that it declares, and none of the server's", async () => {
  machine = await Machine.start();
  process.env['KEELSON_TEST_SECRET_OF_THE_SERVER'] = 'x';
  await machine.create(configMap({ COLOUR: 'red', SIZE: '3' }), secret({ PASSWORD: 'word' }));
  const env = [
    { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    { name: 'TEAM', valueFrom: { fieldRef: { fieldPath: "metadata.labels['team']" } } },
    { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'keys', key: 'PASSWORD' } } },
    { name: 'MAYBE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'none', optional: true } } },
    { name: 'GREETING', value: 'I am $(NAME), $(UNKNOWN), $$(NAME), $(MY_COLOUR)' },
  ];
  const more = { env, envFrom: [{ prefix: 'MY_', configMapRef: { name: 'settings' } }], resources: { limits: { cpu: '250m' } } };
  await machine.create(pod({ automountServiceAccountToken: false, containers: [main(undefined, more)] }, { labels: { team: 'blue' } }));
  const seen = JSON.parse(await answered('/env')) as Record<string, string>;
  delete process.env['KEELSON_TEST_SECRET_OF_THE_SERVER'];
  expect(seen).toEqual({
    PATH: process.env['PATH'],
    HOSTNAME: 'a',
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: new URL(machine.world.server.url).port,
    KUBERNETES_SERVICE_PORT_HTTPS: new URL(machine.world.server.url).port,
    NAME: 'a',
    IP: machine.pod().status?.podIP,
    TEAM: 'blue',
    CPU: '250',
    KEY: 'word',
    MY_COLOUR: 'red',
    MY_SIZE: '3',
    GREETING: 'I am a, $(UNKNOWN), $(NAME), red',
  });
});

test('files of ConfigMaps, Secrets, fields and tokens are there, and change with their objects', async () => {
  machine = await Machine.start();
  await machine.create(configMap({ 'a.txt': 'one' }), secret({ password: 'word' }));
  const sources = [
    { serviceAccountToken: { path: 'token', expirationSeconds: 600 } },
    { secret: { name: 'keys', items: [{ key: 'password', path: 'sub/password' }] } },
    { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  ];
  const volumes = [
    { name: 'config', configMap: { name: 'settings' } },
    { name: 'all', projected: { sources } },
  ];
  const volumeMounts = [
    { name: 'config', mountPath: '/etc/config' },
    { name: 'all', mountPath: '/etc/all' },
  ];
  const args = ['serve', '0.0.0.0'];
  await machine.create(pod({ volumes, containers: [main(args, { volumeMounts })] }, { labels: { team: 'blue' } }));
  await machine.until(() => machine.state() === 'running');
  const mounts = machine.mountsOf('a');
  const file = (path: string): Promise<string> =>
    answered(`/file?path=${mounts[`/etc/${path.split('/')[0]}`]}/${path.slice(path.indexOf('/') + 1)}`);
  expect(await file('config/a.txt')).toBe('one');
  expect(await file('all/sub/password')).toBe('word');
  expect(await file('all/labels')).toBe('team="blue"');
  const token = await file('all/token');
  expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub).toBe('system:serviceaccount:default:default');
  await machine.world.patch('configmaps', 'default/settings', { data: { 'a.txt': 'two' } });
  await machine.until(async () => (await file('config/a.txt')) === 'two');
  await machine.world.patch('pods', 'default/a', { metadata: { labels: { team: 'green' } } });
  await machine.until(async () => (await file('all/labels')) === 'team="green"');
  await machine.world.pass(481);
  await machine.until(async () => (await file('all/token')) !== token);
});

test('files stay when the Secret of a volume that is not optional is deleted, or lacks a key; those of an optional one go', async () => {
  machine = await Machine.start();
  const maybe = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'maybe', namespace: 'default' }, stringData: { x: 'there' } };
  await machine.create(configMap({ 'a.txt': 'one', 'b.txt': 'two' }), secret({ password: 'word' }), maybe);
  const names = ['needed', 'projected', 'optional', 'config'];
  const volumes = [
    { name: 'needed', secret: { secretName: 'keys' } },
    { name: 'projected', projected: { sources: [{ secret: { name: 'keys' } }, { configMap: { name: 'settings' } }] } },
    { name: 'optional', secret: { secretName: 'maybe', optional: true } },
    { name: 'config', configMap: { name: 'settings', items: [{ key: 'b.txt', path: 'b' }] } },
  ];
  const volumeMounts = names.map((name) => ({ name, mountPath: `/etc/${name}` }));
  await machine.create(pod({ volumes, containers: [main(['serve', '0.0.0.0'], { volumeMounts })] }));
  await machine.until(() => machine.state() === 'running');
  const mounts = machine.mountsOf('a');
  const isThere = (name: string, file: string): boolean => existsSync(join(mounts[`/etc/${name}`] ?? '', file));
  expect([isThere('needed', 'password'), isThere('optional', 'x'), isThere('config', 'b')]).toEqual([true, true, true]);
  await machine.world.patch('configmaps', 'default/settings', { data: { 'b.txt': null } });
  await machine.world.delete('secrets', 'default/keys');
  await machine.world.delete('secrets', 'default/maybe');
  await machine.until(() => !isThere('optional', 'x'));
  expect([isThere('needed', 'password'), isThere('projected', 'password'), isThere('config', 'b')]).toEqual([true, true, true]);
});

test('of a volume a container may see a part alone: a folder, one that its variables name, or a file as it was when the container started', async () => {
  machine = await Machine.start();
  await machine.create(claim, configMap({ 'a.txt': 'one', 'b.txt': 'other' }));
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'config', configMap: { name: 'settings' } },
  ];
  const volumeMounts = [
    { name: 'data', mountPath: '/whole' },
    { name: 'data', mountPath: '/part', subPath: 'parts/one' },
    { name: 'data', mountPath: '/own', subPathExpr: 'of-$(NAME)' },
    { name: 'config', mountPath: '/etc/config' },
    { name: 'config', mountPath: '/etc/a.txt', subPath: 'a.txt' },
  ];
  const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
  const container = main(['serve', '0.0.0.0'], { env, volumeMounts });
  await machine.create(pod({ volumes, containers: [container] }));
  await machine.until(() => machine.state() === 'running');
  const at = (path: string): string => machine.mountsOf('a')[path] ?? '';
  expect([relative(at('/whole'), at('/part')), relative(at('/whole'), at('/own'))]).toEqual(['parts/one', 'of-a']);
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('one');
  await machine.world.patch('configmaps', 'default/settings', { data: { 'a.txt': 'two' } });
  await machine.until(() => readFileSync(join(at('/etc/config'), 'a.txt'), 'utf8') === 'two');
  // As on a node: only the next start sees the change.
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('one');
  await machine.pods.signal('a', 'SIGKILL');
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1 && machine.state() === 'running');
  expect(readFileSync(at('/etc/a.txt'), 'utf8')).toBe('two');
});

test('data of a claim outlives its Pod, and an emptyDir does not', async () => {
  machine = await Machine.start({
    'sh:*': ({ args, local }) => ({ program: '/bin/sh', args: ['-c', ...args.map(local)] }),
  });
  await machine.create(claim);
  const volumes = [
    { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'scratch', emptyDir: {} },
  ];
  const volumeMounts = [
    { name: 'data', mountPath: '/data' },
    { name: 'scratch', mountPath: '/scratch' },
  ];
  const script = 'cat /data/x /scratch/x 2>/dev/null; echo kept > /data/x; echo lost > /scratch/x';
  const written = pod({ restartPolicy: 'Never', volumes, containers: [{ name: 'main', image: 'sh:1', args: [script], volumeMounts }] });
  await machine.create(written);
  await machine.until(() => machine.pod().status?.phase === 'Failed' || machine.pod().status?.phase === 'Succeeded');
  expect(await machine.pods.logsOf('a')).toBe('');
  await machine.world.delete('pods', 'default/a');
  await machine.until(() => machine.world.get('pods', 'default/a') === undefined);
  await machine.create(written);
  await machine.until(() => machine.pod().status?.phase === 'Succeeded');
  expect(await machine.pods.logsOf('a')).toBe('kept\n');
});

test('a container waits for the ConfigMap that it needs, and starts when it is there', async () => {
  machine = await Machine.start();
  await machine.create(pod({ containers: [main(undefined, { envFrom: [{ configMapRef: { name: 'settings' } }] })] }));
  await machine.until(() => machine.state() === 'waiting CreateContainerConfigError');
  await machine.create(configMap({ COLOUR: 'red' }));
  await machine.until(() => machine.state() === 'running');
});

test('no program runs for an image without a pattern: beside others it says so, alone it is simulated', async () => {
  machine = await Machine.start();
  await machine.create(pod({ containers: [main(), { name: 'other', image: 'unknown:1' }] }));
  await machine.create(pod({ containers: [{ name: 'main', image: 'unknown:1' }] }, { name: 'b' }));
  await machine.until(() => machine.state('other') === 'waiting ImagePullBackOff');
  expect(machine.pod().status?.containerStatuses?.[1]?.state?.waiting?.message).toBe(
    'no program is mapped to image "unknown:1": add a pattern to processes({ ... }), which has node:*',
  );
  await machine.until(() => machine.state('main', 'b') === 'running');
  expect(machine.pod('b').status?.containerStatuses?.[0]?.imageID).toBe('simulated://unknown:1');
});

test('a program that is not there is a StartError, and an error of the function a CreateContainerError', async () => {
  machine = await Machine.start({
    'missing:*': '/no/such/program',
    'broken:*': ({ pathOf }) => ({ program: pathOf('/data') }),
  });
  await machine.create(pod({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'missing:1' }] }));
  await machine.create(pod({ containers: [{ name: 'main', image: 'broken:1' }] }, { name: 'b' }));
  await machine.until(() => machine.state() === 'terminated StartError 128');
  await machine.until(() => machine.state('main', 'b') === 'waiting CreateContainerError');
  expect(machine.pod('b').status?.containerStatuses?.[0]?.state?.waiting?.message).toMatch(
    /^container "main": no mount covers \/data \(mounts: /,
  );
});

test('a function that returns no program, or a folder that is not there, is named in the state of its container', async () => {
  machine = await Machine.start({
    'nothing:*': (() => undefined) as never,
    'nowhere:*': () => ({ program: process.execPath, directory: '/no/such/folder' }),
  });
  await machine.create(pod({ containers: [{ name: 'main', image: 'nothing:1' }] }));
  await machine.create(pod({ restartPolicy: 'Never', containers: [{ name: 'main', image: 'nowhere:1' }] }, { name: 'b' }));
  const messageOf = (name: string): string => {
    const { waiting, terminated } = machine.pod(name).status?.containerStatuses?.[0]?.state ?? {};
    return waiting?.message ?? terminated?.message ?? '';
  };
  await machine.until(() => machine.state() === 'waiting CreateContainerError');
  expect(messageOf('a')).toBe(
    `processes: the function for image "nothing:1" returned undefined: return { program: '/path/of/a/program', args: ['--flag'] }, or 'simulated'`,
  );
  await machine.until(() => machine.state('main', 'b') === 'terminated StartError 128');
  expect(messageOf('b')).toBe('container "main": the directory /no/such/folder, which its program is to run in, is not there');
});

test("a kubeconfig leads a program to the API as its Pod's ServiceAccount", async () => {
  const kubeconfigs: string[] = [];
  machine = await Machine.start({
    'node:*': ({ kubeconfig }) => {
      kubeconfigs.push(kubeconfig());
      return { program: process.execPath, args: ['-e', 'setInterval(() => undefined, 1000)'] };
    },
  });
  await machine.create(pod());
  await machine.until(() => machine.state() === 'running');
  const connection = await loadConnection({ kubeconfig: kubeconfigs[0] ?? '' });
  const review = createClient({ connection }).create(SelfSubjectReview, { metadata: {} });
  expect((await review).status?.userInfo).toMatchObject({
    username: 'system:serviceaccount:default:default',
    extra: { 'authentication.kubernetes.io/pod-name': ['a'] },
  });
  expect(connection.namespace).toBe('default');
});

test('without a token there is no kubeconfig, and the container says why', async () => {
  machine = await Machine.start({ 'node:*': ({ kubeconfig }) => ({ program: process.execPath, env: { KUBECONFIG: kubeconfig() } }) });
  await machine.create(pod({ automountServiceAccountToken: false }));
  await machine.until(() => machine.state() === 'waiting CreateContainerError');
  const [status] = machine.pod().status?.containerStatuses ?? [];
  expect(status?.state?.waiting?.message).toMatch(
    /^Pod default\/a: no ServiceAccount token is mounted at .*: set automountServiceAccountToken: true/,
  );
});
