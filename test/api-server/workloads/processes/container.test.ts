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
