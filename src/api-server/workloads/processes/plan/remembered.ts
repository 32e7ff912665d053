import type { ContainerStatus, Pod } from '@keelson/kubernetes/kinds';
import { millisecondsOf } from '../../objects/index.js';
import type { ContainerState, End } from './container-state.js';

/**
 * The containers of a Pod that a server before this one ran, read from the API. Their processes have ended with that server, as after a restart of a machine.
 */
export function rememberedStates({ status = {} }: Pod, time: string): ReadonlyMap<string, ContainerState> {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return new Map(
    statuses.flatMap((one) => {
      const end = endOf(one, time);
      if (end === undefined) return [];
      const run = { type: 'ended', image: one.image, containerID: end.containerID, startedAt: end.startedAt, end } as const;
      const state: ContainerState = {
        run: { ...run, finishedMs: millisecondsOf(end.finishedAt) },
        restartCount: one.restartCount,
        last: undefined,
        pauseMs: 0,
      };
      return [[one.name, state]];
    }),
  );
}

function endOf({ containerID = '', state, lastState }: ContainerStatus, time: string): End | undefined {
  if (state?.running !== undefined)
    return { exitCode: 255, reason: 'Unknown', startedAt: state.running.startedAt ?? time, finishedAt: time, containerID };
  const ended = state?.terminated ?? lastState?.terminated;
  if (ended === undefined) return undefined;
  const { exitCode, reason = 'Error', startedAt = time, finishedAt = time } = ended;
  return { exitCode, reason, startedAt, finishedAt, containerID: ended.containerID ?? containerID };
}
