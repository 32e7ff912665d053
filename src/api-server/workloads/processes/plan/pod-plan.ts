import type { Container, ContainerStatus, Pod, PodStatus } from '@keelson/kubernetes/kinds';
import { conditionsFor, isSidecar, type Lack, type Stage } from '../../kubelet/index.js';
import { millisecondsOf } from '../../objects/index.js';
import { isTerminal } from '../../pods/index.js';
import { type ContainerState, UNKNOWN } from './container-state.js';
import { statusText, type Waiting } from './container-texts.js';

/** All that decides about a Pod whose containers are processes. */
export interface PodView {
  readonly pod: Pod;
  readonly now: Date;
  /** The same, as the API writes it. */
  readonly time: string;
  readonly addresses: { readonly pod: string; readonly node: string };
  readonly containers: ReadonlyMap<string, ContainerState>;
  readonly isHeldBack: (stage: Stage) => boolean;
  /** The test wants it not to be ready. */
  readonly isUnready: boolean;
  readonly lackOf: (container: Container) => Lack | undefined;
}

export interface PodPlan {
  readonly status: PodStatus;
  /** Containers that start now, in this order. */
  readonly start: readonly string[];
  /** Containers that are asked to end, and killed if they still run after so long. */
  readonly stop: readonly { readonly name: string; readonly graceMs: number }[];
  /** All has ended, and the Pod can be removed. */
  readonly isRemoved?: boolean;
  /** When the plan changes by time alone. */
  readonly recheckAfterMs?: number | undefined;
}

/** Seconds that a container has between SIGTERM and SIGKILL, if the Pod does not say. */
const GRACE_SECONDS = 30;

/**
 * The next actions of a kubelet for a Pod, and the status that it writes.
 *
 * Guarantees: pure; a plan that is carried out and followed by no event is followed by the same plan. Init containers run one after the other, sidecars stay;
 * main containers start when all init containers are through; at the end main containers go first, then sidecars in reverse order.
 * Source: kubernetes `pkg/kubelet/kuberuntime` (computePodActions) and `pkg/kubelet/kubelet_pods.go` (getPhase).
 */
export function planPod(view: PodView): PodPlan {
  const planning = new Planning(view);
  if (view.pod.metadata.deletionTimestamp !== undefined) return planning.end();
  if (isTerminal(view.pod)) return planning.cleared();
  return planning.goOn();
}

class Planning {
  readonly #view: PodView;
  readonly #start: string[] = [];
  readonly #stop: { name: string; graceMs: number }[] = [];
  readonly #rechecks: number[] = [];

  constructor(view: PodView) {
    this.#view = view;
  }

  goOn(): PodPlan {
    const { pod, addresses, time } = this.#view;
    const known = pod.status ?? {};
    const startTime = known.startTime ?? time;
    const base: PodStatus = { ...known, startTime, hostIP: addresses.node, hostIPs: [{ ip: addresses.node }] };
    const { activeDeadlineSeconds } = pod.spec;
    if (activeDeadlineSeconds !== undefined && this.#isDue(millisecondsOf(startTime) + activeDeadlineSeconds * 1000)) {
      const message = 'Pod was active on the node longer than the specified deadline';
      return this.#ending(base, this.#graceMs, { phase: 'Failed', reason: 'DeadlineExceeded', message });
    }
    const init = this.#initContainers();
    if (init.hasFailed) return this.#ending(this.#networked(base), this.#graceMs, { phase: 'Failed' });
    const main = this.#mainContainers(init.isThrough);
    if (main.isOver) {
      const isFailed = pod.spec.containers.some(({ name }) => exitCodeOf(this.#state(name)) !== 0);
      return this.#ending(this.#networked(base), this.#graceMs, { phase: isFailed ? 'Failed' : 'Succeeded' });
    }
    return this.#told({
      ...this.#networked(base),
      ...this.#statuses(init.waiting, main.waiting),
      phase: main.isStarted ? 'Running' : 'Pending',
    });
  }

  /** Plans for a Pod that is being deleted. */
  end(): PodPlan {
    const { pod, now, isHeldBack } = this.#view;
    const { deletionTimestamp, deletionGracePeriodSeconds: grace = 0 } = pod.metadata;
    const endMs = millisecondsOf(deletionTimestamp);
    const status = pod.status ?? {};
    if (grace === 0 && isTerminal(pod) && !this.#runsAny()) return { status, start: [], stop: [] };
    if (isHeldBack('gone') && !this.#isDue(endMs))
      return this.#told({
        ...status,
        ...this.#statuses(
          () => undefined,
          () => undefined,
        ),
      });
    const phase = isTerminal(pod) ? (status.phase ?? 'Failed') : this.#finalPhase();
    const plan = this.#ending(status, Math.max(0, endMs - now.getTime()), { phase });
    return this.#runsAny() ? plan : { ...plan, isRemoved: true };
  }

  /** Plans for a Pod that has failed or succeeded, maybe by order of a test: all its processes end. */
  cleared(): PodPlan {
    const { status = {} } = this.#view.pod;
    this.#stopAll(this.#graceMs);
    return { status, start: [], stop: this.#stop };
  }

  get #graceMs(): number {
    return (this.#view.pod.spec.terminationGracePeriodSeconds ?? GRACE_SECONDS) * 1000;
  }

  #state(name: string): ContainerState {
    return this.#view.containers.get(name) ?? UNKNOWN;
  }

  #isRunning(name: string): boolean {
    const { type } = this.#state(name).run;
    return type === 'running' || type === 'starting';
  }

  #runsAny(): boolean {
    return [...this.#view.containers.keys()].some((name) => this.#isRunning(name));
  }

  #isDue(dueMs: number): boolean {
    const left = dueMs - this.#view.now.getTime();
    if (left > 0) this.#rechecks.push(left);
    return left <= 0;
  }

  #networked(base: PodStatus): PodStatus {
    const { pod, addresses, lackOf } = this.#view;
    const first = pod.spec.containers[0];
    const isLacking = first !== undefined && lackOf(first)?.reason === 'ContainerCreating';
    return isLacking ? base : { ...base, podIP: addresses.pod, podIPs: [{ ip: addresses.pod }] };
  }

  #initContainers(): { readonly isThrough: boolean; readonly hasFailed: boolean; readonly waiting: (name: string) => Waiting | undefined } {
    const { pod } = this.#view;
    const why = new Map<string, Waiting>();
    const isPast = pod.spec.containers.some(({ name }) => this.#state(name).run.type !== 'none');
    let isFree = true;
    let hasFailed = false;
    for (const container of pod.spec.initContainers ?? []) {
      const { name } = container;
      const { run } = this.#state(name);
      if (!isSidecar(container) && (isPast || exitCodeOf(this.#state(name)) === 0)) continue;
      if (!isFree) {
        why.set(name, { reason: 'PodInitializing' });
        continue;
      }
      const outcome = this.#kept(container);
      if (outcome.waiting !== undefined) why.set(name, outcome.waiting);
      isFree = isSidecar(container) && run.type === 'running' && run.isStarted;
      hasFailed ||= outcome.isOver;
    }
    return { isThrough: isFree || isPast, hasFailed, waiting: (name) => why.get(name) };
  }

  #mainContainers(isThrough: boolean): {
    readonly isOver: boolean;
    readonly isStarted: boolean;
    readonly waiting: (name: string) => Waiting | undefined;
  } {
    const { pod } = this.#view;
    const why = new Map<string, Waiting>();
    let isOver = true;
    for (const container of pod.spec.containers) {
      if (isThrough) {
        const outcome = this.#kept(container);
        if (outcome.waiting !== undefined) why.set(container.name, outcome.waiting);
        isOver &&= outcome.isOver;
      } else {
        isOver = false;
        const lack = this.#view.lackOf(container);
        why.set(container.name, lack ?? { reason: 'PodInitializing' });
      }
    }
    const isStarted = pod.spec.containers.every(({ name }) => ['ended', 'running'].includes(this.#state(name).run.type));
    return { isOver, isStarted: isStarted || pod.status?.phase === 'Running', waiting: (name) => why.get(name) };
  }

  /** A container that is to run: started if nothing holds it up. */
  #kept(container: Container): { readonly waiting?: Waiting; readonly isOver: boolean } {
    const { pod, lackOf } = this.#view;
    const { name, image = '' } = container;
    const { run, pauseMs } = this.#state(name);
    switch (run.type) {
      case 'running':
        // Another image, another container, whatever the restart policy says.
        if (run.image !== image && !run.isStopping) this.#stop.push({ name, graceMs: this.#graceMs });
        return { isOver: false };
      case 'starting':
        return { waiting: { reason: this.#creating }, isOver: false };
      case 'none':
        return this.#started(container);
      case 'refused': {
        const { reason, message, retryMs } = run;
        if (this.#isDue(retryMs)) return this.#started(container);
        return { waiting: { reason, message }, isOver: false };
      }
      case 'ended': {
        if (run.image === image) {
          if (!restarts(pod, container, run.end.exitCode)) return { isOver: true };
          if (!this.#isDue(run.finishedMs + pauseMs)) return { waiting: backingOff(pod, container, pauseMs), isOver: false };
        }
        return lackOf(container) === undefined ? this.#started(container) : { ...this.#started(container), isOver: false };
      }
    }
  }

  get #creating(): string {
    return (this.#view.pod.spec.initContainers ?? []).length === 0 ? 'ContainerCreating' : 'PodInitializing';
  }

  #started(container: Container): { readonly waiting: Waiting; readonly isOver: false } {
    const { lackOf, isHeldBack } = this.#view;
    const lack = lackOf(container);
    if (lack !== undefined) return { waiting: lack, isOver: false };
    if (!isHeldBack('running')) this.#start.push(container.name);
    return { waiting: { reason: this.#creating }, isOver: false };
  }

  /** Main containers end first, then sidecars, the last one first. */
  #stopAll(graceMs: number): void {
    const { initContainers = [], containers } = this.#view.pod.spec;
    const sidecars = initContainers.filter(isSidecar).map(({ name }) => name);
    const others = [...containers, ...initContainers].map(({ name }) => name).filter((name) => !sidecars.includes(name));
    const first = others.filter((name) => this.#isRunning(name));
    const last = sidecars.reverse().find((name) => this.#isRunning(name));
    for (const name of first.length > 0 || last === undefined ? first : [last]) this.#stop.push({ name, graceMs });
  }

  /** The Pod ends: what runs is stopped, and then its phase is the last one. */
  #ending(base: PodStatus, graceMs: number, over: Pick<PodStatus, 'message' | 'phase' | 'reason'>): PodPlan {
    this.#start.length = 0;
    this.#stopAll(graceMs);
    const unstarted = (name: string): Waiting | undefined =>
      this.#state(name).run.type === 'none' ? { reason: this.#creating } : undefined;
    const status = { ...base, ...this.#statuses(unstarted, unstarted) };
    return this.#told(this.#runsAny() ? { ...status, phase: base.phase ?? 'Pending' } : { ...status, ...over });
  }

  #finalPhase(): 'Failed' | 'Succeeded' {
    const { containers } = this.#view.pod.spec;
    return containers.every(({ name }) => exitCodeOf(this.#state(name)) === 0) ? 'Succeeded' : 'Failed';
  }

  #statuses(
    initWaiting: (name: string) => Waiting | undefined,
    mainWaiting: (name: string) => Waiting | undefined,
  ): Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses'> {
    const { spec, status = {} } = this.#view.pod;
    const { initContainers = [], containers } = spec;
    const shown = (known: readonly ContainerStatus[] | undefined, container: Container, waiting: Waiting | undefined): ContainerStatus => {
      const state = this.#state(container.name);
      return statusText(container, { state, waiting, isReady: this.#isReady(container, state, known) });
    };
    const init = initContainers.map((one) => shown(status.initContainerStatuses, one, initWaiting(one.name)));
    return {
      ...(init.length === 0 ? {} : { initContainerStatuses: init }),
      containerStatuses: containers.map((one) => shown(status.containerStatuses, one, mainWaiting(one.name))),
    };
  }

  #isReady(container: Container, { run }: ContainerState, known: readonly ContainerStatus[] = []): boolean {
    const { pod, isUnready, isHeldBack } = this.#view;
    const isInit = pod.spec.initContainers?.some(({ name }) => name === container.name) === true && !isSidecar(container);
    if (isInit) return run.type === 'ended' && run.end.exitCode === 0;
    if (run.type !== 'running' || !run.isStarted || !run.isReady || isUnready) return false;
    const wasReady = known.find(({ name }) => name === container.name)?.ready === true;
    return wasReady || !isHeldBack('ready');
  }

  #told(status: PodStatus): PodPlan {
    const { pod, time } = this.#view;
    const { generation } = pod.metadata;
    const whole = generation === undefined ? status : { ...status, observedGeneration: generation };
    const recheckAfterMs = this.#rechecks.length === 0 ? undefined : Math.min(...this.#rechecks);
    return { status: { ...whole, conditions: conditionsFor(pod, whole, time) }, start: this.#start, stop: this.#stop, recheckAfterMs };
  }
}

function exitCodeOf({ run }: ContainerState): number | undefined {
  return run.type === 'ended' ? run.end.exitCode : undefined;
}

function restarts({ spec: { restartPolicy = 'Always', initContainers = [] } }: Pod, container: Container, exitCode: number): boolean {
  if (isSidecar(container)) return true;
  // An init container that has ended well has done its work.
  const isInit = initContainers.some(({ name }) => name === container.name);
  if (isInit && exitCode === 0) return false;
  return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
}

function backingOff({ metadata: { name, namespace, uid } }: Pod, container: Container, pauseMs: number): Waiting {
  const pause = `${pauseMs < 60_000 ? '' : `${Math.floor(pauseMs / 60_000)}m`}${(pauseMs % 60_000) / 1000}s`;
  const message = `back-off ${pause} restarting failed container=${container.name} pod=${name}_${namespace}(${uid})`;
  return { reason: 'CrashLoopBackOff', message };
}
