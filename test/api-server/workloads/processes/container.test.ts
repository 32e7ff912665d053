import { SelfSubjectReview } from '../../../../src/kubernetes/kinds/index.js';
import { createClient, loadConnection } from '../../../../src/runtime/index.js';
import { configMap, Machine, main, pod, secret } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());

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
  const seen = JSON.parse(await machine.answered('/env')) as Record<string, string>;
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
