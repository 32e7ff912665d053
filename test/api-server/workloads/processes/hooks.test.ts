import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, main, pod } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());

const volumes = [{ name: 'scratch', emptyDir: {} }];
const volumeMounts = [{ name: 'scratch', mountPath: '/scratch' }];
const notes = (more: object): object => main(['notes', '0.0.0.0', '/scratch/notes'], { volumeMounts, ...more });
let folder = '';
const noted = (): readonly string[] => {
  folder = machine.mountsOf('a')['/scratch'] ?? folder;
  return readFileSync(join(folder, 'notes'), 'utf8').trimEnd().split('\n');
};
const isReady = (): boolean => machine.pod().status?.containerStatuses?.[0]?.ready === true;
const events = (): readonly string[] =>
  machine.world
    .list<{ readonly type: string; readonly reason: string; readonly message: string }>('events')
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
const isGone = (): boolean => machine.world.get('pods', 'default/a') === undefined;

test.each([
  ['HTTP', { httpGet: { port: 8080, path: '/stop' } }, 'GET /stop'],
  ['a command', { exec: { command: ['sh', '-c', 'echo "command in $HOSTNAME" >> /scratch/notes'] } }, 'command in a'],
])('preStop over %s runs before SIGTERM', async (_what, preStop, line) => {
  machine = await Machine.start();
  await machine.create(
    pod(
      { volumes, terminationGracePeriodSeconds: 30, containers: [notes({ lifecycle: { preStop } })] },
      { finalizers: ['a.example.com/keep'] },
    ),
  );
  await machine.until(() => noted().includes('listening'));
  await machine.world.delete('pods', 'default/a');
  await machine.until(() => noted().includes('SIGTERM'));
  expect(noted()).toEqual(['listening', line, 'SIGTERM']);
});

test('preStop that sleeps holds SIGTERM back for so many seconds', async () => {
  machine = await Machine.start();
  const container = notes({ lifecycle: { preStop: { sleep: { seconds: 3 } } } });
  await machine.create(
    pod({ volumes, terminationGracePeriodSeconds: 30, containers: [container] }, { finalizers: ['a.example.com/keep'] }),
  );
  await machine.until(() => noted().includes('listening'));
  await machine.world.delete('pods', 'default/a');
  await machine.world.pass(2);
  expect(noted()).toEqual(['listening']);
  await machine.world.pass(1);
  await machine.until(() => noted().includes('SIGTERM'));
});

test('preStop that takes longer than the grace period does not keep the container, and ends with it', async () => {
  machine = await Machine.start();
  const preStop = { exec: { command: ['sh', '-c', 'echo $$ > /scratch/pid; exec sleep 1000'] } };
  await machine.create(
    pod({ volumes, terminationGracePeriodSeconds: 20, containers: [main(undefined, { volumeMounts, lifecycle: { preStop } })] }),
  );
  await machine.until(() => machine.state() === 'running');
  await machine.world.delete('pods', 'default/a');
  const pid = await machine.until(() => Number(readFileSync(join(machine.mountsOf('a')['/scratch'] ?? '', 'pid'), 'utf8')) || undefined);
  await machine.world.pass(20);
  await machine.until(isGone);
  await machine.until(() => !isAlive(pid ?? 0));
});

test('a preStop hook that fails is named in an Event, and SIGTERM follows', async () => {
  machine = await Machine.start();
  const container = notes({ lifecycle: { preStop: { httpGet: { port: 8080, path: '/broken' } } } });
  await machine.create(pod({ volumes, containers: [container] }, { finalizers: ['a.example.com/keep'] }));
  await machine.until(() => noted().includes('listening'));
  await machine.world.delete('pods', 'default/a');
  await machine.until(() => noted().includes('SIGTERM'));
  await machine.until(() => events().includes('Warning FailedPreStopHook PreStopHook failed'));
  expect(events()).toContain('Normal Killing Stopping container main');
});

test('postStart runs after the start, and one that fails ends the container', async () => {
  machine = await Machine.start();
  const command = ['sh', '-c', 'echo hook >> /scratch/notes; test "$(wc -l < /scratch/notes)" -ge 2'];
  const container = main(['stubborn'], { volumeMounts, lifecycle: { postStart: { exec: { command } } } });
  await machine.create(pod({ volumes, containers: [container] }));
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1, { passing: true });
  expect(machine.pod().status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
    exitCode: expect.any(Number),
    message: expect.stringMatching(/^PostStartHookError: /),
  });
  await machine.until(() => noted().length === 2);
  await machine.until(isReady);
  expect(events()).toEqual(
    expect.arrayContaining([
      'Warning FailedPostStartHook PostStartHook failed',
      'Normal Killing FailedPostStartHook',
      'Normal Started Started container main',
    ]),
  );
});

test('until postStart has ended a container is neither started nor ready, and no probe is asked', async () => {
  machine = await Machine.start();
  const command = ['sh', '-c', 'until [ -e /scratch/go ]; do sleep 0.05; done'];
  const livenessProbe = { exec: { command: ['false'] }, initialDelaySeconds: 1, timeoutSeconds: 20, failureThreshold: 1 };
  const container = main(undefined, { volumeMounts, livenessProbe, lifecycle: { postStart: { exec: { command } } } });
  await machine.create(pod({ volumes, containers: [container] }));
  await machine.until(() => machine.state() === 'running');
  await machine.world.pass(3);
  expect(machine.pod().status?.containerStatuses?.[0]).toMatchObject({ started: false, ready: false, restartCount: 0 });
  expect(events().filter((event) => event.includes('Unhealthy'))).toEqual([]);
  writeFileSync(join(machine.mountsOf('a')['/scratch'] as string, 'go'), '');
  await machine.until(isReady);
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.restartCount === 1, { passing: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
