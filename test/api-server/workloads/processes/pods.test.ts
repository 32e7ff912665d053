import { Machine, main, pod } from './machine.js';

let machine: Machine;
afterEach(() => machine.close());
const phase = (): string | undefined => machine.pod().status?.phase;

test('a container is a program of this machine, at an address of its own', async () => {
  machine = await Machine.start();
  await machine.create(pod(), pod({}, { name: 'b' }));
  await machine.until(() => machine.state() === 'running' && machine.state('main', 'b') === 'running');
  const [pidOfA, pidOfB] = [
    await machine.until(() => machine.fetched('/').catch(() => undefined)),
    await machine.until(() => machine.fetched('/', 'b').catch(() => undefined)),
  ];
  expect(pidOfA).not.toBe(pidOfB);
  const { status } = machine.pod();
  expect(status).toMatchObject({
    phase: 'Running',
    podIP: expect.stringMatching(/^127\./),
    containerStatuses: [
      {
        containerID: expect.stringMatching(/^process:\/\/[\da-f]{64}$/),
        imageID: 'process://node:20',
        ready: true,
        started: true,
        restartCount: 0,
      },
    ],
  });
});

test("a container that ends starts again at once, then after pauses of the server's clock", async () => {
  machine = await Machine.start();
  await machine.create(pod({ containers: [main(['exit', '3'])] }));
  await machine.until(() => machine.state() === 'waiting CrashLoopBackOff');
  expect(machine.pod().status?.containerStatuses?.[0]).toMatchObject({
    restartCount: 1,
    lastState: { terminated: { exitCode: 3, reason: 'Error' } },
    state: { waiting: { message: expect.stringMatching(/^back-off 10s restarting failed container=main pod=a_default\(/) } },
  });
  await machine.world.pass(9);
  expect(machine.state()).toBe('waiting CrashLoopBackOff');
  await machine.world.pass(1);
  await machine.until(() => machine.pod().status?.containerStatuses?.[0]?.state?.waiting?.message?.startsWith('back-off 20s'));
  expect(machine.pod().status?.containerStatuses?.[0]?.restartCount).toBe(2);
});

test.each([
  ['Never', '0', 'Succeeded', 'terminated Completed 0'],
  ['Never', '3', 'Failed', 'terminated Error 3'],
  ['OnFailure', '0', 'Succeeded', 'terminated Completed 0'],
])('with the restart policy %s, the exit code %s ends the Pod as %s', async (restartPolicy, code, end, state) => {
  machine = await Machine.start();
  await machine.create(pod({ restartPolicy, containers: [main(['exit', code])] }));
  await machine.until(() => phase() === end);
  expect(machine.state()).toBe(state);
});

test('a Pod that is deleted ends with SIGTERM, and is gone', async () => {
  machine = await Machine.start();
  await machine.create(pod());
  const pid = Number(await machine.until(() => machine.fetched('/').catch(() => undefined)));
  await machine.world.delete('pods', 'default/a');
  await machine.until(() => machine.world.get('pods', 'default/a') === undefined);
  expect(isAlive(pid)).toBe(false);
});

test('a program that does not obey SIGTERM is killed when the grace period is over', async () => {
  machine = await Machine.start();
  await machine.create(pod({ containers: [main(['stubborn'])] }));
  await machine.until(async () => (await machine.pods.logsOf('a')) === 'stubborn\n');
  await machine.world.delete('pods', 'default/a');
  await machine.world.pass(4);
  expect(machine.state()).toBe('running');
  await machine.world.pass(1);
  await machine.until(() => machine.world.get('pods', 'default/a') === undefined);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
