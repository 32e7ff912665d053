import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../../../src/kubernetes/certificates/index.js';
import { Machine, main, pod } from '../machine.js';

let machine: Machine;
afterEach(() => machine.close());
const isReady = (): boolean => machine.pod().status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
interface Counted {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}
const events = (): readonly string[] =>
  machine.world.list<Counted>('events').map(({ type, reason, message }) => `${type} ${reason} ${message}`);
const restarts = (): number => machine.pod().status?.containerStatuses?.[0]?.restartCount ?? 0;
/** The time that an answer may take, where its content counts: it is real time, and a busy machine takes more than the second that is the default. */
const LONG_SECONDS = 20;

test.each([
  ['HTTP', { httpGet: { port: 8080, path: '/' } }],
  ['a named port', { httpGet: { port: 'web' } }],
  ['TCP', { tcpSocket: { port: 8080 } }],
  ['a command', { exec: { command: ['sh', '-c', 'test "$HOSTNAME" = a'] } }],
])('readiness over %s is asked until it is there', async (_what, probe) => {
  machine = await Machine.start();
  const more = {
    ports: [{ name: 'web', containerPort: 8080 }],
    readinessProbe: { ...probe, periodSeconds: 1, timeoutSeconds: LONG_SECONDS },
  };
  await machine.create(pod({ containers: [main(undefined, more)] }));
  await machine.until(isReady, { passing: true });
  expect(restarts()).toBe(0);
});

test('a Pod whose probe fails is not ready, and runs on', async () => {
  machine = await Machine.start();
  const readinessProbe = { httpGet: { port: 8080 }, periodSeconds: 1, failureThreshold: 2, timeoutSeconds: 1 };
  await machine.create(pod({ containers: [main(undefined, { readinessProbe })] }));
  await machine.until(isReady, { passing: true });
  await machine.pods.signal('a', 'SIGSTOP');
  await machine.until(() => !isReady(), { passing: true });
  expect([machine.state(), restarts()]).toEqual(['running', 0]);
  await machine.pods.signal('a', 'SIGCONT');
  await machine.until(isReady, { passing: true });
});

test('readiness over HTTPS takes any certificate', async () => {
  machine = await Machine.start();
  const { certificate, privateKey } = CertificateAuthority.create({ commonName: 'of a test' }).issueServing({
    dnsNames: ['elsewhere.example.com'],
  });
  const data = { 'tls.crt': certificate, 'tls.key': privateKey };
  await machine.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tls', namespace: 'default' },
    type: 'kubernetes.io/tls',
    stringData: data,
  });
  const readinessProbe = { httpGet: { port: 8080, scheme: 'HTTPS' }, periodSeconds: 1 };
  const container = main(['secure', '0.0.0.0', '/tls'], { readinessProbe, volumeMounts: [{ name: 'tls', mountPath: '/tls' }] });
  await machine.create(pod({ volumes: [{ name: 'tls', secret: { secretName: 'tls' } }], containers: [container] }));
  await machine.until(isReady, { passing: true });
});

test('readiness over gRPC follows what the service says of itself', async () => {
  machine = await Machine.start();
  const readinessProbe = { grpc: { port: 8080, service: 'main' }, periodSeconds: 1, failureThreshold: 1, timeoutSeconds: LONG_SECONDS };
  const volumeMounts = [{ name: 'scratch', mountPath: '/scratch' }];
  const container = main(['grpc', '0.0.0.0', '/scratch/status'], { readinessProbe, volumeMounts });
  const other = main(['stubborn'], { name: 'other', volumeMounts });
  await machine.create(pod({ volumes: [{ name: 'scratch', emptyDir: {} }], containers: [container, other] }));
  // Each second without an answer is a failure with an Event, and a Pod has few of them.
  await machine.until(async () => (await machine.pods.logsOf('a')) === 'listening\n');
  const say = (status: string): void => {
    const file = join(machine.mountsOf('a')['/scratch'] as string, 'status');
    // The program may read at any moment, and must find one status or the other.
    writeFileSync(`${file}.new`, status);
    renameSync(`${file}.new`, file);
  };
  say('1');
  await machine.until(isReady, { passing: true });
  say('2');
  await machine.until(() => !isReady(), { passing: true });
  await machine.until(() =>
    events().includes('Warning Unhealthy Readiness probe failed: service unhealthy (responded with "NOT_SERVING")'),
  );
  say('1');
  await machine.until(isReady, { passing: true });
});

test('a gRPC service that is not known is not ready', async () => {
  machine = await Machine.start();
  const readinessProbe = { grpc: { port: 8080, service: 'other' }, periodSeconds: 1 };
  await machine.create(pod({ containers: [main(['grpc', '0.0.0.0', '/dev/null'], { readinessProbe })] }));
  await machine.until(() => events().includes('Warning Unhealthy Readiness probe failed: error: health rpc failed: code 5'), {
    passing: true,
  });
  expect(isReady()).toBe(false);
});

test('a startup probe that never passes ends the container when its threshold is reached', async () => {
  machine = await Machine.start();
  const exec = { command: ['sh', '-c', 'echo not yet; exit 1'] };
  const startupProbe = { exec, periodSeconds: 1, failureThreshold: 3, timeoutSeconds: LONG_SECONDS };
  await machine.create(pod({ containers: [main(['stubborn'], { startupProbe })] }));
  await machine.until(() => restarts() === 1, { passing: true });
  expect(events()).toEqual(
    expect.arrayContaining([
      'Warning Unhealthy Startup probe failed: not yet\n',
      'Normal Killing Container main failed startup probe, will be restarted',
    ]),
  );
  const [unhealthy] = machine.world.list<Counted>('events').filter(({ reason }) => reason === 'Unhealthy');
  expect(unhealthy).toMatchObject({
    count: expect.any(Number),
    source: { component: 'kubelet', host: 'node-1' },
    involvedObject: { kind: 'Pod', name: 'a', fieldPath: 'spec.containers{main}' },
  });
  expect(unhealthy?.count).toBeGreaterThanOrEqual(3);
});

test('a container that ends again and again is named in an Event once for each pause', async () => {
  machine = await Machine.start();
  await machine.create(pod({ containers: [main(['exit', '3'])] }));
  await machine.until(() => machine.state() === 'waiting CrashLoopBackOff');
  const { uid } = machine.pod().metadata;
  await machine.until(() => events().includes(`Warning BackOff Back-off restarting failed container main in pod a_default(${uid})`));
  await machine.world.pass(5);
  expect(machine.world.list<Counted>('events').find(({ reason }) => reason === 'BackOff')?.count).toBe(1);
});

test('a container whose liveness probe fails is ended and starts anew', async () => {
  machine = await Machine.start();
  const livenessProbe = {
    httpGet: { port: 8080, path: '/' },
    periodSeconds: 1,
    failureThreshold: 3,
    initialDelaySeconds: 2,
    timeoutSeconds: 1,
  };
  await machine.create(pod({ containers: [main(undefined, { livenessProbe })] }));
  await machine.until(() => machine.fetched('/').catch(() => undefined));
  await machine.pods.signal('a', 'SIGSTOP');
  await machine.until(() => restarts() === 1, { passing: true });
  expect(machine.pod().status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
    exitCode: 137,
    message: expect.stringMatching(/^Liveness probe failed: /),
  });
});

test('until the startup probe has passed a container is not started, and no other probe is asked', async () => {
  machine = await Machine.start();
  const eachSecond = { periodSeconds: 1, timeoutSeconds: LONG_SECONDS };
  const failing = { exec: { command: ['false'] }, ...eachSecond, failureThreshold: 1 };
  const startupProbe = { exec: { command: ['test', '-e', '/scratch/started'] }, ...eachSecond, failureThreshold: 100 };
  const volumeMounts = [{ name: 'scratch', mountPath: '/scratch' }];
  const container = main(undefined, { startupProbe, livenessProbe: failing, volumeMounts });
  await machine.create(pod({ volumes: [{ name: 'scratch', emptyDir: {} }], containers: [container] }));
  await machine.until(() => machine.state() === 'running');
  await machine.world.pass(3);
  expect(machine.pod().status?.containerStatuses?.[0]).toMatchObject({ started: false, ready: false, restartCount: 0 });
  writeFileSync(join(machine.mountsOf('a')['/scratch'] as string, 'started'), '');
  await machine.until(() => restarts() === 1, { passing: true });
});

test('init containers run one after the other, sidecars before the others and until the end', async () => {
  machine = await Machine.start({ 'sh:*': ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] }) });
  const folder = mkdtempSync(join(tmpdir(), 'keelson-caught-'));
  const sh = (name: string, script: string, more: object = {}): object => ({ name, image: 'sh:1', args: [script], ...more });
  await machine.create(
    pod({
      restartPolicy: 'Never',
      initContainers: [
        sh('first', 'exit 0'),
        sh('sidecar', `trap 'exit 0' TERM; touch ${folder}/caught; while :; do sleep 0.05; done`, { restartPolicy: 'Always' }),
        // A signal that came before it is caught would end the sidecar with another code.
        sh('second', `until [ -e ${folder}/caught ]; do sleep 0.05; done`),
      ],
      containers: [sh('main', 'exit 0')],
    }),
  );
  await machine.until(() => machine.pod().status?.phase === 'Succeeded');
  const { initContainerStatuses = [] } = machine.pod().status ?? {};
  expect(initContainerStatuses.map(({ name, state }) => `${name} ${state?.terminated?.exitCode}`)).toEqual([
    'first 0',
    'sidecar 0',
    'second 0',
  ]);
  rmSync(folder, { recursive: true, force: true });
});

test('at the end of a Pod sidecars end after the others, in reverse order', async () => {
  machine = await Machine.start({ 'sh:*': ({ args }) => ({ program: '/bin/sh', args: ['-c', ...args] }) });
  const folder = mkdtempSync(join(tmpdir(), 'keelson-order-'));
  const sh = (name: string, more: object = {}): object => ({
    name,
    image: 'sh:1',
    args: [
      `trap 'echo "${name} ends" >> ${folder}/order; exit 0' TERM; echo "${name} begins" >> ${folder}/order; while :; do sleep 0.05; done`,
    ],
    ...more,
  });
  const order = (): readonly string[] => readFileSync(join(folder, 'order'), 'utf8').trimEnd().split('\n');
  try {
    const initContainers = [sh('one', { restartPolicy: 'Always' }), sh('two', { restartPolicy: 'Always' })];
    await machine.create(pod({ terminationGracePeriodSeconds: 30, initContainers, containers: [sh('main')] }));
    // One after the other is started; which shell comes to its first line first is the machine's affair.
    await machine.until(() => order().length === 3);
    expect([...order()].sort()).toEqual(['main begins', 'one begins', 'two begins']);
    await machine.world.delete('pods', 'default/a');
    await machine.until(() => machine.world.get('pods', 'default/a') === undefined);
    expect(order().slice(3)).toEqual(['main ends', 'two ends', 'one ends']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an init container that fails under Never fails the Pod, and no other container runs', async () => {
  machine = await Machine.start();
  await machine.create(pod({ restartPolicy: 'Never', initContainers: [main(['exit', '2'], { name: 'init' })] } as object));
  await machine.until(() => machine.pod().status?.phase === 'Failed');
  expect([machine.state('init'), machine.state()]).toEqual(['terminated Error 2', 'waiting PodInitializing']);
});
