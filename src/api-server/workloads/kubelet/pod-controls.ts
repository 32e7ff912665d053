import type { ContainerStatus, Pod, PodCondition, PodStatus } from '@keelson/kubernetes/kinds';
import { type ControllerSurroundings, isConflict } from '../../controllers/index.js';
import { nodeWriter } from '../nodes/index.js';
import { ObjectClient, PODS, timeText } from '../objects/index.js';
import { isTerminal } from '../pods/index.js';
import { completed, type Exit, ended, statusOf } from './container-status.js';
import { PodControlError } from './errors.js';
import type { PodChoice } from './held-back.js';
import { conditionsFor } from './pod-conditions.js';
import { failed } from './pod-lifecycle.js';
import type { PodMemory } from './pod-memory.js';
import type { Stage } from './stages.js';

/** `name`, `namespace/name`, or both apart. */
export type PodKey = string | { readonly namespace?: string; readonly name: string };

export interface FailPodOptions {
  /** `status.reason` of the Pod, for example `Evicted`. Default none. */
  readonly reason?: string;
  /** `status.message` of the Pod. Default none. */
  readonly message?: string;
  /** The exit code of its containers. Default 1. */
  readonly exitCode?: number;
}

export interface CrashOptions {
  /** Default: the first one. */
  readonly container?: string;
  /** Default 1; 0 is an end without failure. */
  readonly exitCode?: number;
  /** The reason of the container's end, for example `OOMKilled`. Default `Error`, `Completed` for exit code 0. */
  readonly reason?: string;
  readonly message?: string;
}

export interface ContainerChoice {
  /** Default: the first one. */
  readonly container?: string;
}

export interface PodLogOptions extends ContainerChoice {
  /** Asks for the run before this one. Default false. */
  readonly isPrevious?: boolean;
}

/** Pods that run as processes, as far as a test takes hold of them. */
export interface RunningPods {
  runs(pod: Pod): boolean;
  /** @returns false if the container does not run */
  signal(pod: Pod, container: string, signal: NodeJS.Signals): boolean;
  /** Undefined: there was no such run. */
  logText(pod: Pod, container: string, options: { readonly isPrevious: boolean }): string | undefined;
}

export interface HoldBackOptions {
  /**
   * Before what: being put on a node (`scheduled`), `running`, `ready`, completing of itself (`completed`, Pods of Jobs), or, when it is deleted, being `gone`
   * ahead of the end of its grace period. Default `ready`. A Pod that is already there stays there.
   */
  readonly before?: Stage;
}

/** Pods that are held back, until this is released. */
export interface HeldPods {
  release(): void;
}

/**
 * Lets a test decide over Pods in place of fate. All of it goes through the API, as the kubelet of the Pod's node would write it.
 *
 * Errors: PodControlError where there is no such Pod, or it is in no state for that.
 *
 * @example
 * ```ts
 * const held = cluster.pods.holdBack({ labels: { app: 'web' } }, { before: 'ready' });
 * await cluster.settled();
 * held.release();
 * await cluster.pods.crash('web-0', { exitCode: 137 });
 * ```
 */
export class PodControls {
  readonly #surroundings: ControllerSurroundings;
  readonly #memory: PodMemory;
  readonly #lookAt: (key: string) => void;
  readonly #namespace: string;
  readonly #running: RunningPods | undefined;

  constructor(parts: PodControlsParts) {
    const { surroundings, memory, lookAt, namespace = 'default', running } = parts;
    this.#running = running;
    this.#surroundings = surroundings;
    this.#memory = memory;
    this.#lookAt = lookAt;
    this.#namespace = namespace;
  }

  /** The same controls, with another namespace for keys that name none. */
  in(namespace: string): PodControls {
    const [surroundings, memory, lookAt, running] = [this.#surroundings, this.#memory, this.#lookAt, this.#running];
    return new PodControls({ surroundings, memory, lookAt, running, namespace });
  }

  /** The Pod fails for good, whatever its restart policy: as when its node evicts it. Its phase is `Failed`. */
  async fail(key: PodKey, { reason, message, exitCode = 1 }: FailPodOptions = {}): Promise<void> {
    await this.#end(key, (pod, time) => ({
      ...failed(pod, pod.status ?? {}, { exitCode, time }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    }));
  }

  /**
   * Sends a signal to all processes of a container: `SIGKILL` is a crash, `SIGSTOP` a program that hangs, `SIGCONT` lets it go on.
   *
   * @throws PodControlError where no process runs: the Pod is simulated, or the container does not run
   */
  async signal(key: PodKey, signal: NodeJS.Signals, { container }: ContainerChoice = {}): Promise<void> {
    const pod = this.#found(key);
    const name = container ?? pod.spec.containers[0]?.name ?? '';
    if (this.#runningPods(pod).signal(pod, name, signal)) return;
    const known = statusOf([...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])], name);
    throw new PodControlError(
      `container ${JSON.stringify(name)} of Pod ${textOf(pod)} does not run, so ${signal} reaches nothing: ${stateText(known)}`,
    );
  }

  /**
   * The output of a container so far, both streams in their order; the oldest lines may be gone ({@link ProcessesOptions.maxLogBytes}).
   *
   * @throws PodControlError where the Pod is simulated, or has had no such run
   */
  async logsOf(key: PodKey, { container, isPrevious = false }: PodLogOptions = {}): Promise<string> {
    const pod = this.#found(key);
    const name = container ?? pod.spec.containers[0]?.name ?? '';
    const text = this.#runningPods(pod).logText(pod, name, { isPrevious });
    if (text !== undefined) return text;
    throw new PodControlError(
      `container ${JSON.stringify(name)} of Pod ${textOf(pod)} has no log: it has had no ${isPrevious ? 'run before this one' : 'run'}`,
    );
  }

  #runningPods(pod: Pod): RunningPods {
    if (this.#running?.runs(pod) === true) return this.#running;
    throw new PodControlError(
      `Pod ${textOf(pod)} is simulated, no process runs in it: map its image with workloads: { containers: processes({ ... }) }`,
    );
  }

  /** A container ends. The restart policy decides what follows: a restart (the first at once, later ones after a pause), or the end of the Pod. */
  async crash(
    key: PodKey,
    { container, exitCode = 1, reason = exitCode === 0 ? 'Completed' : 'Error', message }: CrashOptions = {},
  ): Promise<void> {
    await this.#write(key, (pod, time) => {
      if (this.#running?.runs(pod) === true)
        throw new PodControlError(`Pod ${textOf(pod)} runs as processes, which end by themselves: signal(…, 'SIGKILL') ends one`);
      const name = container ?? pod.spec.containers[0]?.name ?? '';
      const exit: Exit = { exitCode, reason, message };
      const { status = {} } = pod;
      const known = statusOf(status.containerStatuses, name) ?? statusOf(status.initContainerStatuses, name);
      if (known?.state?.running === undefined)
        throw new PodControlError(
          `container ${JSON.stringify(name)} of Pod ${textOf(pod)} does not run, so it cannot end: ${stateText(known)}`,
        );
      const replaced = (statuses: readonly ContainerStatus[] | undefined): readonly ContainerStatus[] | undefined =>
        statuses?.map((one) => (one.name === name ? ended(one, exit, time) : one));
      return {
        ...status,
        containerStatuses: replaced(status.containerStatuses),
        initContainerStatuses: replaced(status.initContainerStatuses),
      };
    });
  }

  /** All containers end well: the Pod's phase is `Succeeded`. Not with `restartPolicy: Always`: such a Pod never succeeds. */
  async succeed(key: PodKey): Promise<void> {
    await this.#end(key, (pod, time) => {
      if (this.#running?.runs(pod) === true)
        throw new PodControlError(`Pod ${textOf(pod)} runs as processes, which end by themselves: it succeeds when they end with 0`);
      if ((pod.spec.restartPolicy ?? 'Always') === 'Always')
        throw new PodControlError(
          `Pod ${textOf(pod)} cannot succeed: its restartPolicy is Always, so its containers are started again; crash(…, { exitCode: 0 }) ends one`,
        );
      const status = pod.status ?? {};
      if (status.phase !== 'Running')
        throw new PodControlError(`Pod ${textOf(pod)} cannot succeed: it is ${status.phase ?? 'Pending'} and has to run first`);
      const over = (one: ContainerStatus): ContainerStatus => completed(one, time);
      const init = status.initContainerStatuses?.map(over);
      const containerStatuses = (status.containerStatuses ?? []).map(over);
      return { ...status, phase: 'Succeeded', containerStatuses, ...(init && { initContainerStatuses: init }) };
    });
  }

  /** The Pod is lost with its node: marked as disrupted and failed, and removed without grace. Finalizers still hold it. */
  async kill(key: PodKey): Promise<void> {
    const pod = await this.#write(key, (found, time) => {
      const disrupted = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: time,
      } as PodCondition;
      const status = isTerminal(found) ? (found.status ?? {}) : failed(found, found.status ?? {}, { exitCode: 137, time });
      return { ...status, conditions: [...(status.conditions ?? []).filter(({ type }) => type !== disrupted.type), disrupted] };
    });
    await this.#clientOf(pod).remove(PODS, pod, { gracePeriodSeconds: 0 });
  }

  /** A running Pod stops being ready, or may be so again. */
  async setReady(key: PodKey, isReady: boolean): Promise<void> {
    const pod = this.#found(key);
    this.#memory.setUnready(pod, !isReady);
    this.#lookAt(textOf(pod));
  }

  /** Keeps Pods, present and to come, from getting on. */
  holdBack(choice: PodChoice, { before = 'ready' }: HoldBackOptions = {}): HeldPods {
    return { release: this.#memory.hold(choice, before) };
  }

  /** Lets go of all that is held back. */
  release(): void {
    this.#memory.held.clear();
  }

  #found(key: PodKey): Pod {
    const { namespace, name } = this.#partsOf(key);
    const pod = new ObjectClient(this.#surroundings, nodeWriter('')).get<Pod>(PODS, namespace, name);
    if (pod === undefined) throw new PodControlError(`there is no Pod ${namespace}/${name}`);
    return pod;
  }

  #partsOf(key: PodKey): { readonly namespace: string; readonly name: string } {
    if (typeof key !== 'string') return { namespace: key.namespace ?? this.#namespace, name: key.name };
    const [first = '', second] = key.split('/', 2);
    return second === undefined ? { namespace: this.#namespace, name: first } : { namespace: first, name: second };
  }

  #clientOf({ spec }: Pod): ObjectClient {
    return new ObjectClient(this.#surroundings, nodeWriter(spec.nodeName ?? ''));
  }

  #end(key: PodKey, change: (pod: Pod, time: string) => PodStatus): Promise<Pod> {
    return this.#write(key, (pod, time) => {
      if (isTerminal(pod)) throw new PodControlError(`Pod ${textOf(pod)} has ended already: it is ${pod.status?.phase}`);
      return change(pod, time);
    });
  }

  async #write(key: PodKey, change: (pod: Pod, time: string) => PodStatus): Promise<Pod> {
    for (;;) {
      const pod = this.#found(key);
      const time = timeText(this.#surroundings.clock.now());
      const status = change(pod, time);
      try {
        return await this.#clientOf(pod).updateStatus(PODS, {
          ...pod,
          status: { ...status, conditions: conditionsFor(pod, status, time) },
        });
      } catch (error) {
        // Another client wrote in between: the Pod is judged anew.
        if (!isConflict(error)) throw error;
      }
    }
  }
}

export interface PodControlsParts {
  readonly surroundings: ControllerSurroundings;
  readonly memory: PodMemory;
  readonly lookAt: (key: string) => void;
  readonly namespace?: string;
  /** Default: all Pods are simulated. */
  readonly running?: RunningPods | undefined;
}

function textOf({ metadata: { namespace = '', name } }: Pod): string {
  return `${namespace}/${name}`;
}

function stateText(status: ContainerStatus | undefined): string {
  const [state] = Object.entries(status?.state ?? {});
  return state === undefined
    ? 'it has not been started'
    : `it is ${state[0]} (${(state[1] as { readonly reason?: string }).reason ?? 'no reason'})`;
}
