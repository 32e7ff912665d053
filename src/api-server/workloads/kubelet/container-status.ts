import type { Container, ContainerStatus, Pod } from '@keelson/kubernetes/kinds';

/** An init container that goes on running beside the others. */
export function isSidecar({ restartPolicy }: { readonly restartPolicy?: string | undefined }): boolean {
  return restartPolicy === 'Always';
}

export interface Exit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string | undefined;
}

const COMPLETED: Exit = { exitCode: 0, reason: 'Completed' };

export function statusOf(statuses: readonly ContainerStatus[] | undefined, name: string): ContainerStatus | undefined {
  return statuses?.find((status) => status.name === name);
}

const SIMULATED = 'simulated://';

function imageIdOf({ image = '' }: Container): string {
  return `${SIMULATED}${image}`;
}

/** Whether what was started is not what the spec says now. False for containers whose status another client has written: nothing is known of them. */
export function hasOtherImage(container: Container, { imageID }: ContainerStatus): boolean {
  return imageID.startsWith(SIMULATED) && imageID !== imageIdOf(container);
}

function based({ name, image = '' }: Container, known: ContainerStatus | undefined): ContainerStatus {
  return { name, image, imageID: '', lastState: {}, ready: false, restartCount: 0, ...known };
}

export function waiting(
  container: Container,
  known: ContainerStatus | undefined,
  why: { readonly reason: string; readonly message?: string },
): ContainerStatus {
  return { ...based(container, known), ready: false, started: false, state: { waiting: why } };
}

export function running(
  container: Container,
  known: ContainerStatus | undefined,
  { pod, time }: { readonly pod: Pod; readonly time: string },
): ContainerStatus {
  if (known?.state?.running !== undefined) return known;
  const before = based(container, known);
  const ended = before.state?.terminated ?? before.lastState?.terminated;
  const restartCount = ended === undefined ? before.restartCount : before.restartCount + 1;
  return {
    ...before,
    image: container.image ?? '',
    imageID: imageIdOf(container),
    containerID: `${SIMULATED}${pod.metadata.uid ?? ''}/${container.name}/${restartCount}`,
    lastState: ended === undefined ? {} : { terminated: ended },
    ready: false,
    restartCount,
    started: true,
    state: { running: { startedAt: time } },
  };
}

export function ended(status: ContainerStatus, { exitCode, reason, message }: Exit, time: string): ContainerStatus {
  if (status.state?.terminated !== undefined) return status;
  const { containerID } = status;
  const startedAt = status.state?.running?.startedAt ?? time;
  const terminated = {
    exitCode,
    reason,
    startedAt,
    finishedAt: time,
    ...(message === undefined ? {} : { message }),
    ...(containerID === undefined ? {} : { containerID }),
  };
  return { ...status, ready: false, started: false, state: { terminated } };
}

export function completed(status: ContainerStatus, time: string): ContainerStatus {
  return ended(status, COMPLETED, time);
}

/** Whether a container that has ended is started again. */
export function restarts({ restartPolicy = 'Always' }: Pod['spec'], container: Container, exitCode: number): boolean {
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0) || isSidecar(container);
}

/** Pause before a container is started again, in milliseconds: none at first, then ten seconds, doubled each time up to five minutes, as a kubelet does. */
export function backoffMs(restartCount: number): number {
  return restartCount === 0 ? 0 : Math.min(10_000 * 2 ** (restartCount - 1), 300_000);
}
