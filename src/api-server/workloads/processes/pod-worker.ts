import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { errorOf, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Container, Pod, PodStatus } from '@keelson/kubernetes/kinds';
import type { Clock } from '../../clock/index.js';
import type { EventRecorder } from '../events/index.js';
import { isSidecar, type PodSituation, type PodStep } from '../kubelet/index.js';
import { timeText } from '../objects/index.js';
import { containerOfPod, environmentOf, localPath, type Mount } from './container/index.js';
import { type ContainerEvent, ContainerRun, type ContainerRunParts, containerIdOf, StartFailure } from './container-run.js';
import { ProcessesError } from './errors.js';
import { type ContainerLog, shownText } from './logs/index.js';
import type { Command, Ended, Supervisor } from './machine/index.js';
import type { PodNames } from './names/index.js';
import { type ContainerState, nextPauseMs, pauseAfterRun, planPod, rememberedStates, UNKNOWN } from './plan/index.js';
import type { PodObjects } from './pod-objects.js';
import { PodTokens } from './pod-tokens.js';
import { chosenProgram, type Processes, programOf } from './processes.js';
import { missingKey, PodVolumes } from './volumes/index.js';

export interface PodWorkerParts {
  readonly table: Processes;
  readonly supervisor: Supervisor;
  readonly clock: Clock;
  /** The folder of this Pod alone. */
  readonly folder: string;
  /** The folder of all PersistentVolumes. */
  readonly persistent: string;
  readonly maxLogBytes: number;
  readonly objects: PodObjects;
  readonly hasRootCa: boolean;
  /** The address behind a host name, as this Pod means it. */
  readonly resolve: (pod: Pod, name: string) => string | undefined;
  /** Lets programs of this Pod resolve names of the cluster; undefined: this machine does not let them. */
  readonly names: PodNames | undefined;
  /** Variables that the kubelet adds. */
  readonly givenVariables: (pod: Pod) => Promise<Readonly<Record<string, string>>>;
  /** URL of the API server; settles when it listens. */
  readonly apiServer: Promise<string>;
  /** Called when the Pod has to be looked at again. */
  readonly onChange: () => void;
  readonly onProblem: (error: Error) => void;
  readonly events: EventRecorder;
}

/** Pauses before a container that could not be made is tried again. Its image is not pulled, so that no program can come by itself. */
const REFUSED_RETRY_MS = 10_000;
const NO_PROGRAM_RETRY_MS = 300_000;
/** Limits of the message at the end of a container that falls back to its log. Source: `MaxPodTerminationMessageLogLength` of the kubelet. */
const MESSAGE_LINES = 80;
const MESSAGE_CHARACTERS = 2048;

/** Plays the kubelet for one Pod whose containers are processes: carries out what {@link planPod} decides. */
export class PodWorker {
  readonly #parts: PodWorkerParts;
  readonly #volumes: PodVolumes;
  readonly #tokens: PodTokens;
  readonly #states: Map<string, ContainerState>;
  readonly #runs = new Map<string, ContainerRun>();
  readonly #previousLogs = new Map<string, ContainerLog>();
  /** Containers that are to end while their programs are being chosen. */
  readonly #cancelled = new Set<string>();
  #situation: PodSituation;
  #tokenRenewalMs: number | undefined;
  #isGone = false;

  constructor(parts: PodWorkerParts, situation: PodSituation) {
    const { objects, hasRootCa, clock, folder, persistent } = parts;
    this.#parts = parts;
    this.#situation = situation;
    this.#states = new Map(rememberedStates(situation.pod, situation.time));
    this.#tokens = new PodTokens(objects, clock);
    const view = {
      configMap: (name: string) => objects.configMap(name),
      secret: (name: string) => objects.secret(name),
      token: (path: string) => this.#tokens.of(path),
      hasRootCa,
    };
    this.#volumes = new PodVolumes({ folder, persistent, view, volumeOf: (claim) => objects.volumeOf(claim) });
  }

  /** Decides, begins what is to be done, and returns what there is to say. */
  step(situation: PodSituation): PodStep {
    this.#situation = situation;
    const { pod, lackOf } = situation;
    if (this.#runs.size > 0) this.#refreshVolumes();
    const lacking = missingKey(pod, this.#parts.objects);
    const plan = planPod({
      ...situation,
      containers: this.#shownStates(),
      lackOf: (container) => lackOf(container) ?? (lacking === undefined ? undefined : { reason: 'ContainerCreating', message: lacking }),
    });
    for (const { name, graceMs } of plan.stop) this.#stop(name, graceMs);
    for (const name of plan.start) this.#begin(name);
    this.#sayBackOff(pod, plan.status);
    const rechecks = [plan.recheckAfterMs, this.#tokenRenewalMs].filter((ms) => ms !== undefined);
    // Begun in this step: it waits, and says so in the next one.
    return {
      status: plan.status,
      ...(plan.isRemoved && { isRemoved: true }),
      recheckAfterMs: rechecks.length === 0 ? undefined : Math.min(...rechecks),
    };
  }

  /** Once for each pause, where the kubelet says it at every look. */
  #sayBackOff(pod: Pod, status: PodStatus): void {
    const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const before = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
    for (const { name, state } of statuses) {
      const { reason, message } = state?.waiting ?? {};
      if (reason !== 'CrashLoopBackOff' || before.find((one) => one.name === name)?.state?.waiting?.message === message) continue;
      const { name: podName, namespace, uid } = pod.metadata;
      this.#say(name, {
        type: 'Warning',
        reason: 'BackOff',
        message: `Back-off restarting failed container ${name} in pod ${podName}_${namespace}(${uid})`,
      });
    }
  }

  #say(container: string, event: ContainerEvent): void {
    const { pod } = this.#situation;
    const isInit = pod.spec.initContainers?.some(({ name }) => name === container) === true;
    const fieldPath = `spec.${isInit ? 'initContainers' : 'containers'}{${container}}`;
    this.#parts.events.record({ ...pod, apiVersion: 'v1', kind: 'Pod' }, { ...event, fieldPath });
  }

  /** The log of the present or last run of a container, or of the run before. */
  logOf(container: string, { isPrevious }: { readonly isPrevious: boolean }): ContainerLog | undefined {
    return isPrevious ? this.#previousLogs.get(container) : this.#runs.get(container)?.log;
  }

  /** The run of a container that has not ended. */
  runningOf(container: string): ContainerRun | undefined {
    return this.#states.get(container)?.run.type === 'running' ? this.#runs.get(container) : undefined;
  }

  /** Kills what runs and removes the Pod's folder; logs go with it. */
  forget(): void {
    this.#isGone = true;
    for (const run of this.#runs.values()) {
      run.kill();
      run.log.close();
    }
    this.#volumes.remove();
  }

  #shownStates(): ReadonlyMap<string, ContainerState> {
    return new Map(
      [...this.#states].map(([name, state]) => {
        const run = this.#runs.get(name);
        if (state.run.type !== 'running' || run === undefined) return [name, state];
        const { isStarted, isReady, isStopping } = run;
        return [name, { ...state, run: { ...state.run, isStarted, isReady: isReady && !isStopping, isStopping } }];
      }),
    );
  }

  #stop(name: string, graceMs: number): void {
    const run = this.runningOf(name);
    if (run === undefined) this.#cancelled.add(name);
    else run.stop(graceMs);
  }

  #stateOf(name: string): ContainerState {
    return this.#states.get(name) ?? UNKNOWN;
  }

  #begin(name: string): void {
    const container = [...(this.#situation.pod.spec.initContainers ?? []), ...this.#situation.pod.spec.containers].find(
      (one) => one.name === name,
    );
    if (container === undefined) return;
    const { run, restartCount, pauseMs, last } = this.#stateOf(name);
    const isRestart = run.type === 'ended';
    this.#states.set(name, {
      run: { type: 'starting' },
      restartCount: isRestart ? restartCount + 1 : restartCount,
      last: isRestart ? run.end : last,
      pauseMs: isRestart ? nextPauseMs(pauseMs) : pauseMs,
    });
    this.#cancelled.delete(name);
    void this.#launch(container).then(
      () => this.#parts.onChange(),
      (error: unknown) => this.#parts.onProblem(errorOf(error)),
    );
  }

  async #launch(container: Container): Promise<void> {
    const { name } = container;
    try {
      const run = await this.#made(container);
      if (run === undefined) this.#setRun(name, { type: 'none' });
      else this.#started(container, run);
    } catch (error) {
      this.#say(name, { type: 'Warning', reason: 'Failed', message: `Error: ${messageOf(error)}` });
      if (error instanceof StartFailure) this.#ended(container, { code: 128, signal: undefined, startFailure: error.message });
      else if (error instanceof NoProgram)
        this.#refused(name, { reason: 'ImagePullBackOff', message: error.message, afterMs: NO_PROGRAM_RETRY_MS });
      else this.#refused(name, { reason: 'CreateContainerError', message: messageOf(error), afterMs: REFUSED_RETRY_MS });
    }
  }

  /** Undefined: it is not wanted any more. */
  async #made(container: Container): Promise<ContainerRun | undefined> {
    const { name, image = '' } = container;
    const { table } = this.#parts;
    const entry = programOf(table, image);
    if (entry === undefined) {
      const patterns = [...table.programs.keys()].join(', ');
      throw new NoProgram(
        `no program is mapped to image ${JSON.stringify(image)}: add a pattern to processes({ ... }), which has ${patterns}`,
      );
    }
    await this.#prepareVolumes();
    const { pod, addresses } = this.#situation;
    const { objects, resolve, givenVariables, apiServer, folder } = this.#parts;
    const of = { pod, address: addresses.pod, nodeAddress: addresses.node };
    const given = await givenVariables(pod);
    const env = environmentOf({ ...of, container, given, view: objects });
    const mounts = this.#volumes.mountsOf(pod, container, env);
    const account = { server: await apiServer, file: join(folder, 'kubeconfigs', name) };
    const view = { mounts, address: addresses.pod, resolve: (host: string) => resolve(pod, host) };
    const seen = containerOfPod({ pod, container, env, account, ...view });
    const program = await chosenProgram(entry, seen);
    if (this.#isGone || this.#cancelled.has(name)) return undefined;
    return this.#run(container, { program: program === 'simulated' ? undefined : program, env, mounts, local: seen.local });
  }

  #run(
    container: Container,
    made: Pick<ContainerRunParts, 'env' | 'local' | 'program'> & { readonly mounts: readonly Mount[] },
  ): ContainerRun {
    const { mounts, ...chosen } = made;
    const { name, workingDir } = container;
    const { supervisor, clock, folder, maxLogBytes, onChange } = this.#parts;
    const { pod, addresses } = this.#situation;
    const { restartCount } = this.#stateOf(name);
    const place = workingDir === undefined ? undefined : localPath(mounts, workingDir);
    const directory = place ?? join(folder, 'containers', name);
    mkdirSync(directory, { recursive: true });
    return new ContainerRun({
      ...chosen,
      supervisor,
      clock,
      pod,
      container,
      address: addresses.pod,
      directory,
      entered: this.#entered(),
      log: { file: join(folder, 'logs', name, `${restartCount}.log`), maxBytes: maxLogBytes },
      onChange,
      onEvent: (event) => this.#say(name, event),
      onEnd: (ended) => {
        this.#ended(container, ended);
        onChange();
      },
    });
  }

  #entered(): (command: Command) => Command {
    const { names, folder } = this.#parts;
    const { pod, addresses } = this.#situation;
    if (names === undefined) return (command) => command;
    const onLeftOut = (count: number): void =>
      this.#parts.events.record(
        { ...pod, apiVersion: 'v1', kind: 'Pod' },
        {
          type: 'Warning',
          reason: 'DNSConfigForming',
          message: `${count} names of the cluster are beyond the limits of /etc/hosts: programs do not resolve them`,
        },
      );
    return names.open({ pod, address: addresses.pod, folder, onLeftOut });
  }

  #started(container: Container, run: ContainerRun): void {
    const { name, image = '' } = container;
    const { restartCount } = this.#stateOf(name);
    const containerID = containerIdOf(this.#situation.pod, container, restartCount);
    this.#keepRun(name, run);
    const startedAt = timeText(this.#parts.clock.now());
    this.#setRun(name, { type: 'running', image, containerID, startedAt, isStarted: false, isReady: false, isStopping: false });
    const isInit = this.#situation.pod.spec.initContainers?.some((one) => one.name === name) === true && !isSidecar(container);
    // Nothing runs in it, so that nothing else ends it.
    if (run.isSimulated && isInit) run.stop(0);
  }

  #keepRun(name: string, run: ContainerRun): void {
    const before = this.#runs.get(name);
    if (before !== undefined) {
      this.#previousLogs.get(name)?.remove();
      this.#previousLogs.set(name, before.log);
    }
    this.#runs.set(name, run);
  }

  #ended(container: Container, ended: Ended & { readonly startFailure?: string; readonly wasKilledFor?: string | undefined }): void {
    const { name, image = '' } = container;
    const state = this.#stateOf(name);
    const now = this.#parts.clock.now();
    const finishedAt = timeText(now);
    const started = state.run.type === 'running' ? state.run : undefined;
    const { startedAt = finishedAt, containerID = containerIdOf(this.#situation.pod, container, state.restartCount) } = started ?? {};
    const signal = ended.signal === undefined ? undefined : constants.signals[ended.signal];
    const exitCode = signal === undefined ? (ended.code ?? 0) : 128 + signal;
    const reason = ended.startFailure === undefined ? (exitCode === 0 ? 'Completed' : 'Error') : 'StartError';
    const message = ended.startFailure ?? ended.wasKilledFor ?? this.#messageOf(container, exitCode);
    const end = { exitCode, reason, startedAt, finishedAt, containerID, ...(message === undefined ? {} : { message }) };
    this.#states.set(name, {
      ...state,
      run: { type: 'ended', image: started?.image ?? image, containerID, startedAt, end, finishedMs: now.getTime() },
      pauseMs: pauseAfterRun(state.pauseMs, now.getTime() - Date.parse(startedAt)),
    });
  }

  /** The end of the log, where the container asks for that and has failed. */
  #messageOf({ name, terminationMessagePolicy }: Container, exitCode: number): string | undefined {
    if (terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0) return undefined;
    const lines = this.#runs.get(name)?.log.lines().slice(-MESSAGE_LINES) ?? [];
    const text = lines.map((line) => shownText(line, {})).join('');
    return text === '' ? undefined : text.slice(-MESSAGE_CHARACTERS);
  }

  #refused(name: string, { afterMs, ...why }: { readonly reason: string; readonly message: string; readonly afterMs: number }): void {
    this.#setRun(name, { type: 'refused', ...why, retryMs: this.#parts.clock.now().getTime() + afterMs });
  }

  #setRun(name: string, run: ContainerState['run']): void {
    this.#states.set(name, { ...this.#stateOf(name), run });
  }

  async #prepareVolumes(): Promise<void> {
    this.#tokenRenewalMs = await this.#tokens.renew(this.#situation.pod);
    this.#publish();
  }

  #publish(): void {
    const { pod, addresses } = this.#situation;
    if (!this.#isGone) this.#volumes.publish({ pod, address: addresses.pod, nodeAddress: addresses.node });
  }

  #refreshVolumes(): void {
    if ((this.#situation.pod.spec.volumes ?? []).length === 0 || this.#situation.pod.metadata.deletionTimestamp !== undefined) return;
    this.#publish();
    if (this.#tokenRenewalMs !== undefined)
      void this.#prepareVolumes().catch((error: unknown) => {
        this.#parts.onProblem(errorOf(error));
      });
  }
}

/** The image has no pattern. */
class NoProgram extends ProcessesError {}
