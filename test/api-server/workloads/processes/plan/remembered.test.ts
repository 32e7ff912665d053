import { rememberedStates } from '../../../../../src/api-server/workloads/processes/plan/index.js';
import type { Pod } from '../../../../../src/kubernetes/kinds/index.js';

const TIME = '2030-01-01T00:01:00Z';
const startedAt = '2030-01-01T00:00:00Z';
const statusOf = (name: string, more: object): object => ({ name, image: 'a', restartCount: 2, containerID: `process://${name}`, ...more });

test('of the containers of a server before those that ran were ended with it, and those that had ended are as they were', () => {
  const terminated = { exitCode: 3, reason: 'Error', startedAt, finishedAt: '2030-01-01T00:00:10Z', containerID: 'process://before' };
  const status = {
    initContainerStatuses: [statusOf('setup', { state: { terminated: { ...terminated, exitCode: 0, reason: 'Completed' } } })],
    containerStatuses: [
      statusOf('main', { state: { running: { startedAt } } }),
      statusOf('crashing', { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } }),
      statusOf('new', { state: { waiting: { reason: 'ContainerCreating' } }, containerID: undefined }),
    ],
  };
  const states = rememberedStates({ status } as unknown as Pod, TIME);
  expect([...states.keys()]).toEqual(['setup', 'main', 'crashing']);
  expect(states.get('main')).toMatchObject({
    restartCount: 2,
    pauseMs: 0,
    run: {
      type: 'ended',
      image: 'a',
      end: { exitCode: 255, reason: 'Unknown', startedAt, finishedAt: TIME },
      finishedMs: Date.parse(TIME),
    },
  });
  expect(states.get('crashing')).toMatchObject({ run: { end: { exitCode: 3 }, containerID: 'process://before' } });
  expect(states.get('setup')).toMatchObject({ run: { end: { exitCode: 0, reason: 'Completed' } } });
});

test('of a Pod without a status nothing is known', () => {
  expect(rememberedStates({ status: undefined } as unknown as Pod, TIME).size).toBe(0);
});
