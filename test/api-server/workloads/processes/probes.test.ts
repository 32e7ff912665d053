import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, main, pod } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());
const isReady = (): boolean => machine.pod().status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
const restarts = (): number => machine.pod().status?.containerStatuses?.[0]?.restartCount ?? 0;

test.each([
  ['HTTP', { httpGet: { port: 8080, path: '/' } }],
  ['a named port', { httpGet: { port: 'web' } }],
  ['TCP', { tcpSocket: { port: 8080 } }],
  ['a command', { exec: { command: ['sh', '-c', 'test "$HOSTNAME" = a'] } }],
])('readiness over %s is asked until it is there', async (_what, probe) => {
  machine = await Machine.start();
  const more = { ports: [{ name: 'web', containerPort: 8080 }], readinessProbe: { ...probe, periodSeconds: 1 } };
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
  const failing = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
  const startupProbe = { exec: { command: ['test', '-e', '/scratch/started'] }, periodSeconds: 1, failureThreshold: 100 };
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
  const sh = (name: string, script: string, more: object = {}): object => ({ name, image: 'sh:1', args: [script], ...more });
  await machine.create(
    pod({
      restartPolicy: 'Never',
      initContainers: [
        sh('first', 'exit 0'),
        sh('sidecar', "trap 'exit 0' TERM; while :; do sleep 0.05; done", { restartPolicy: 'Always' }),
        sh('second', 'exit 0'),
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
});

test('an init container that fails under Never fails the Pod, and no other container runs', async () => {
  machine = await Machine.start();
  await machine.create(pod({ restartPolicy: 'Never', initContainers: [main(['exit', '2'], { name: 'init' })] } as object));
  await machine.until(() => machine.pod().status?.phase === 'Failed');
  expect([machine.state('init'), machine.state()]).toEqual(['terminated Error 2', 'waiting PodInitializing']);
});
