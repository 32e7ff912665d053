import type { Container, ContainerStatus, Pod, PodStatus } from '@keelson/kubernetes/kinds';
import { controllerOf, millisecondsOf } from '../objects/index.js';
import { isTerminal } from '../pods/index.js';
import {
  backoffMs,
  completed,
  type Exit,
  ended,
  hasOtherImage,
  isSidecar,
  restarts,
  running,
  statusOf,
  waiting,
} from './container-status.js';
import { conditionsFor } from './pod-conditions.js';
import type { Lack } from './references.js';
import type { PodTiming, Stage } from './stages.js';

/** All that decides about a Pod's next state. */
export interface PodSituation {
  readonly pod: Pod;
  readonly now: Date;
  /** The same, as the API writes it. */
  readonly time: string;
  readonly timing: PodTiming;
  readonly addresses: { readonly pod: string; readonly node: string };
  readonly isHeldBack: (stage: Stage) => boolean;
  /** The test wants it not to be ready. */
  readonly isUnready: boolean;
  /** When this was first asked of this Pod, in milliseconds: times in the API are too coarse for short delays. */
  readonly since: (what: string) => number;
  readonly lackOf: (container: Container) => Lack | undefined;
}

export interface PodStep {
  readonly status: PodStatus;
  /** Its containers have ended, and it can be removed. */
  readonly isRemoved?: boolean;
  readonly recheckAfterMs?: number | undefined;
}

/** The status that a kubelet would write for a Pod on its node now. Source of phases and reasons: kubernetes `pkg/kubelet`. */
export function nextState(situation: PodSituation): PodStep {
  const { pod } = situation;
  if (pod.metadata.deletionTimestamp !== undefined) return new Life(situation).end();
  if (isTerminal(pod)) return { status: pod.status ?? {} };
  return new Life(situation).goOn();
}

const KILLED: Exit = { exitCode: 143, reason: 'Error' };

class Life {
  readonly #situation: PodSituation;
  readonly #status: PodStatus;
  readonly #rechecks: number[] = [];

  constructor(situation: PodSituation) {
    this.#situation = situation;
    this.#status = situation.pod.status ?? {};
  }

  goOn(): PodStep {
    const { pod, time, addresses } = this.#situation;
    const startTime = this.#status.startTime ?? time;
    const base: PodStatus = { ...this.#status, startTime, hostIP: addresses.node, hostIPs: [{ ip: addresses.node }] };
    const { activeDeadlineSeconds } = pod.spec;
    const isOver = activeDeadlineSeconds !== undefined && this.#isDue(millisecondsOf(startTime) + activeDeadlineSeconds * 1000);
    if (!isOver) return this.#lived(base);
    const message = 'Pod was active on the node longer than the specified deadline';
    return this.#told({ ...failed(pod, base, { exitCode: 137, time }), reason: 'DeadlineExceeded', message });
  }

  /** The next step of a Pod that is being deleted. */
  end(): PodStep {
    const { pod, time, timing, isHeldBack } = this.#situation;
    const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
    // It is held by finalizers alone.
    if (grace === 0 && isTerminal(pod)) return { status: this.#status };
    const endMs = millisecondsOf(deletionTimestamp);
    const dueMs = isHeldBack('gone') ? endMs : Math.min(endMs, this.#situation.since('deleted') + timing.stopAfterMs);
    if (!this.#isDue(dueMs)) return this.#told(this.#status);
    const status = isTerminal(pod) ? this.#status : failed(pod, this.#status, { exitCode: isHeldBack('gone') ? 137 : 143, time });
    return { ...this.#told(status), isRemoved: true };
  }

  #told(status: PodStatus): PodStep {
    const { pod, time } = this.#situation;
    const observedGeneration = pod.metadata.generation;
    const whole = observedGeneration === undefined ? status : { ...status, observedGeneration };
    const recheckAfterMs = this.#rechecks.length === 0 ? undefined : Math.min(...this.#rechecks);
    return { status: { ...whole, conditions: conditionsFor(pod, whole, time) }, recheckAfterMs };
  }

  #isDue(dueMs: number): boolean {
    const left = dueMs - this.#situation.now.getTime();
    if (left > 0) this.#rechecks.push(left);
    return left <= 0;
  }

  #lived(base: PodStatus): PodStep {
    return this.#told(this.#status.phase === 'Running' ? this.#runningStatus(base) : this.#startingStatus(base));
  }

  #startingStatus(base: PodStatus): PodStatus {
    const { pod, addresses, isHeldBack, since, timing, lackOf } = this.#situation;
    const { initContainers = [], containers } = pod.spec;
    const isLacking = [...initContainers, ...containers].some((container) => lackOf(container) !== undefined);
    const isDue = this.#isDue(since('node') + timing.startAfterMs);
    const mayRun = isDue && !isLacking && !isHeldBack('running');
    const init = this.#initStatuses(mayRun);
    const dead = initContainers.some((container) => isDead(pod, container, statusOf(init, container.name)));
    const network =
      isLacking && lackOf(containers[0] as Container)?.reason === 'ContainerCreating'
        ? {}
        : { podIP: addresses.pod, podIPs: [{ ip: addresses.pod }] };
    const initial = initContainers.length === 0 ? {} : { initContainerStatuses: [...init] };
    const isInitialized = init.every(
      (status, index) => isSidecar(initContainers[index] as Container) || status.state?.terminated?.exitCode === 0,
    );
    if (mayRun && isInitialized && !dead) {
      const statuses = containers.map((container) =>
        running(container, statusOf(this.#status.containerStatuses, container.name), this.#situation),
      );
      return { ...base, ...network, phase: 'Running', ...initial, containerStatuses: statuses };
    }
    const reason = initContainers.length === 0 ? 'ContainerCreating' : 'PodInitializing';
    const statuses = containers.map((container) =>
      waiting(container, statusOf(this.#status.containerStatuses, container.name), lackOf(container) ?? { reason }),
    );
    return { ...base, ...network, phase: dead ? 'Failed' : 'Pending', ...initial, containerStatuses: statuses };
  }

  /** One after the other; sidecars go on running. */
  #initStatuses(mayFinish: boolean): readonly ContainerStatus[] {
    const { pod, time, lackOf } = this.#situation;
    let isFree = true;
    return (pod.spec.initContainers ?? []).map((container) => {
      const known = statusOf(this.#status.initContainerStatuses, container.name);
      const lack = lackOf(container);
      if (!isFree || lack !== undefined) {
        isFree = false;
        return known?.state?.terminated === undefined ? waiting(container, known, lack ?? { reason: 'PodInitializing' }) : known;
      }
      if (known?.state?.terminated?.exitCode === 0) return known;
      const status = this.#restarted(container, known);
      const isRunning = status.state?.running !== undefined;
      if (isSidecar(container)) {
        isFree = isRunning;
        return { ...status, ready: isRunning };
      }
      isFree = isRunning && mayFinish;
      return isFree ? { ...completed(status, time), ready: true } : status;
    });
  }

  /** As it is, or started anew when its pause is over. */
  #restarted(container: Container, known: ContainerStatus | undefined): ContainerStatus {
    const { pod } = this.#situation;
    if (known !== undefined && hasOtherImage(container, known) && known.state?.terminated === undefined)
      return this.#replaced(container, known);
    if (known?.state?.running !== undefined) return known;
    const last = known?.state?.terminated ?? known?.lastState?.terminated;
    if (known === undefined || last === undefined) return running(container, known, this.#situation);
    if (known.state?.terminated !== undefined && !restarts(pod.spec, container, last.exitCode)) return known;
    const pauseMs = backoffMs(known.restartCount);
    if (this.#isDue(millisecondsOf(last.finishedAt) + pauseMs)) return running(container, known, this.#situation);
    const { name, namespace, uid } = pod.metadata;
    const message = `back-off ${pauseMs < 60_000 ? '' : `${Math.floor(pauseMs / 60_000)}m`}${(pauseMs % 60_000) / 1000}s restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
    return { ...waiting(container, known, { reason: 'CrashLoopBackOff', message }), lastState: { terminated: last } };
  }

  /** Another image, another container: at once, and whatever the restart policy says. Source: `computePodActions` in kubernetes `pkg/kubelet/kuberuntime`. */
  #replaced(container: Container, known: ContainerStatus): ContainerStatus {
    const { time, isHeldBack } = this.#situation;
    const stopped = known.state?.running === undefined ? known : ended(known, KILLED, time);
    if (!isHeldBack('running')) return running(container, stopped, this.#situation);
    const terminated = stopped.state?.terminated ?? stopped.lastState?.terminated;
    const lastState = terminated === undefined ? {} : { terminated };
    return { ...waiting(container, stopped, { reason: 'ContainerCreating' }), lastState };
  }

  #runningStatus(base: PodStatus): PodStatus {
    const { pod, time } = this.#situation;
    const isComplete = this.#completes();
    const statuses = pod.spec.containers.map((container) => {
      const status = this.#restarted(container, statusOf(this.#status.containerStatuses, container.name));
      return isComplete ? completed(status, time) : this.#judged(status);
    });
    const init = (pod.spec.initContainers ?? []).map((container) => {
      const known = statusOf(this.#status.initContainerStatuses, container.name);
      const status = isSidecar(container) || known === undefined ? this.#restarted(container, known) : known;
      return isSidecar(container) ? { ...status, ready: status.state?.running !== undefined } : status;
    });
    const next = {
      ...base,
      containerStatuses: statuses,
      ...(init.length === 0 ? {} : { initContainerStatuses: init }),
      ...this.#ephemeral(),
    };
    const isOver = pod.spec.containers.every((container) => isDead(pod, container, statusOf(statuses, container.name)));
    return isOver ? finished(next, time) : next;
  }

  #ephemeral(): Pick<PodStatus, 'ephemeralContainerStatuses'> {
    const { ephemeralContainers = [] } = this.#situation.pod.spec;
    if (ephemeralContainers.length === 0) return {};
    const known = this.#status.ephemeralContainerStatuses;
    return { ephemeralContainerStatuses: ephemeralContainers.map((one) => running(one, statusOf(known, one.name), this.#situation)) };
  }

  #completes(): boolean {
    const { pod, timing, isHeldBack, since } = this.#situation;
    const { restartPolicy = 'Always' } = pod.spec;
    if (timing.completeAfterMs === undefined || restartPolicy === 'Always' || controllerOf(pod)?.kind !== 'Job') return false;
    return this.#isDue(since('running') + timing.completeAfterMs) && !isHeldBack('completed');
  }

  #judged(status: ContainerStatus): ContainerStatus {
    const { timing, isHeldBack, isUnready, since } = this.#situation;
    if (status.state?.running === undefined) return status;
    const isDue = this.#isDue(since(`running ${status.name} ${status.restartCount}`) + timing.readyAfterMs);
    const ready = !isUnready && (status.ready || (isDue && !isHeldBack('ready')));
    return ready === status.ready ? status : { ...status, ready };
  }
}

/** It has ended, and is not started again. */
function isDead(pod: Pod, container: Container, status: ContainerStatus | undefined): boolean {
  const { terminated } = status?.state ?? {};
  return (
    terminated !== undefined &&
    !(isSidecar(container) || (terminated.exitCode === 0 && isInit(pod, container))) &&
    !restarts(pod.spec, container, terminated.exitCode)
  );
}

function isInit({ spec }: Pod, { name }: Container): boolean {
  return spec.initContainers?.some((container) => container.name === name) === true;
}

/** All that had to end has ended: what is left ends with it. */
function finished(status: PodStatus, time: string): PodStatus {
  const hasFailed = status.containerStatuses?.some(({ state }) => state?.terminated?.exitCode !== 0) === true;
  const init = status.initContainerStatuses?.map((one) => completed(one, time));
  return { ...status, phase: hasFailed ? 'Failed' : 'Succeeded', ...(init && { initContainerStatuses: init }) };
}

const NEVER_STARTED = { reason: 'ContainerStatusUnknown', message: 'The container could not be located when the pod was terminated' };

/** A Pod of which all containers that have not ended are killed. */
export function failed(pod: Pod, status: PodStatus, { exitCode, time }: { readonly exitCode: number; readonly time: string }): PodStatus {
  const killed = (known: ContainerStatus): ContainerStatus => {
    const wasRunning = known.state?.running !== undefined || known.state?.terminated !== undefined;
    const exit = wasRunning ? { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } : { exitCode: 137, ...NEVER_STARTED };
    return ended(known, exit, time);
  };
  const statuses = pod.spec.containers.map((one) =>
    killed(statusOf(status.containerStatuses, one.name) ?? waiting(one, undefined, { reason: 'ContainerCreating' })),
  );
  const init = status.initContainerStatuses?.map(killed);
  return { ...status, phase: 'Failed', containerStatuses: statuses, ...(init && { initContainerStatuses: init }) };
}
