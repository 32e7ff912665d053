import type { Container, ContainerStatus } from '@keelson/kubernetes/kinds';
import type { ContainerState, End } from './container-state.js';

/** Why a container does not run. */
export interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

/** As `kubectl` shows an image that was not pulled: its name stands for its digest. */
const IMAGE = 'process://';

interface Shown {
  readonly state: ContainerState;
  /** Why it waits, if it does not run and is to run (again). */
  readonly waiting: Waiting | undefined;
  readonly isReady: boolean;
}

/** The status of a container. Source of the form: kubernetes `pkg/kubelet/kubelet_pods.go`, convertToAPIContainerStatuses. */
export function statusText({ name, image = '' }: Container, { state, waiting, isReady }: Shown): ContainerStatus {
  const { run, restartCount, last } = state;
  const based = { name, image, imageID: '', lastState: lastState(last), ready: false, started: false, restartCount };
  switch (run.type) {
    case 'running':
      return {
        ...based,
        image: run.image,
        imageID: IMAGE + run.image,
        containerID: run.containerID,
        ready: isReady,
        started: run.isStarted,
        state: { running: { startedAt: run.startedAt } },
      };
    case 'ended': {
      const known = { ...based, image: run.image, imageID: IMAGE + run.image, containerID: run.containerID };
      if (waiting !== undefined) return { ...known, lastState: lastState(run.end), state: { waiting } };
      return { ...known, ready: isReady, state: { terminated: terminated(run.end) } };
    }
    default:
      return { ...based, state: { waiting: waiting ?? { reason: 'ContainerCreating' } } };
  }
}

function lastState(end: End | undefined): NonNullable<ContainerStatus['lastState']> {
  return end === undefined ? {} : { terminated: terminated(end) };
}

function terminated({ signal, message, ...end }: End): NonNullable<NonNullable<ContainerStatus['state']>['terminated']> {
  return { ...end, ...(signal === undefined ? {} : { signal }), ...(message === undefined ? {} : { message }) };
}
