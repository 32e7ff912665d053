import { type Duration, OperatorError, spanMs } from '@keelson/kubernetes/apimachinery';
import type { Controller, ControllerSurroundings } from '../controllers/index.js';
import { isConflict } from '../controllers/index.js';
import { budgetController } from './budgets/index.js';
import { daemonSetController } from './daemon-sets/index.js';
import { deploymentController } from './deployments/index.js';
import { endpointController } from './endpoints/index.js';
import { jobController } from './jobs/index.js';
import { kubelet, PodControls, PodMemory, type PodTiming } from './kubelet/index.js';
import { Addresses, nodeController, nodeObject } from './nodes/index.js';
import { NODES, ObjectClient, type ResourceName, STORAGE_CLASSES } from './objects/index.js';
import {
  PodNames,
  PodProcesses,
  type Processes,
  type ProcessMachine,
  ServiceEndpoints,
  type ServicePort,
  ServiceProxy,
} from './processes/index.js';
import { replicaSetController } from './replica-sets/index.js';
import { scheduler } from './scheduling/index.js';
import { statefulSetController } from './stateful-sets/index.js';
import { unsimulatedKinds } from './unsimulated/index.js';
import { standardStorageClass, volumeController } from './volumes/index.js';

type Span = Duration | number;

/** How Pods live where no machine runs them. All times are spans of the server's clock: `500ms`, `30s`, `10m`, or milliseconds. */
export interface WorkloadsOptions {
  /** Nodes that are there from the beginning, named `node-1`, `node-2` …; Nodes that a test creates count as well. Default 1. */
  readonly nodes?: number;
  /** From the moment a Pod is put on a node until it runs. Default 0. */
  readonly startAfter?: Span;
  /** From the start of its containers until a Pod is ready. Default 0. */
  readonly readyAfter?: Span;
  /** From running until a Pod of a Job succeeds of itself; `never`: only when the test says so. Default 0. */
  readonly completeAfter?: Span | 'never';
  /**
   * The programs that containers are, as {@link processes} returns them: their Pods run as processes of this machine, and the spans above do not count for them.
   * Default: nothing runs, all Pods are simulated.
   */
  readonly containers?: Processes;
  /** From the deletion of a Pod until its containers have ended, at most its grace period. Default 0. */
  readonly stopAfter?: Span;
}

/** The options of workloads make no sense. */
export class WorkloadsError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_TESTING_WORKLOADS';
}

/**
 * Makes and runs Pods in a cluster, without machines: the controllers of workloads, a scheduler, and kubelets that make Pods ready.
 *
 * Guarantees: all that is done is done through the API, under the rules and names of the components of a cluster; all that takes time waits for the server's
 * clock. Assumptions: no other scheduler or kubelet writes.
 */
export class Workloads {
  readonly controllers: readonly Controller[];
  readonly pods: PodControls;
  /** Pods that run as processes; undefined: all are simulated. */
  readonly processes: PodProcesses | undefined;
  readonly #proxy: ServiceProxy | undefined;
  readonly #endpoints: ServiceEndpoints | undefined;
  readonly #surroundings: ControllerSurroundings;
  readonly #nodes: number;
  readonly #machine: ProcessMachine | undefined;
  #listen: (url: string) => void = () => undefined;
  readonly #url = new Promise<string>((resolve) => {
    this.#listen = resolve;
  });

  constructor({ surroundings, hasRootCa, options = {}, machine }: WorkloadsParts) {
    const memory = new PodMemory();
    const looks: ((key: string) => void)[] = [];
    const lookAt = (key: string): void => {
      for (const look of looks) look(key);
    };
    const nodeAddresses = machine?.addresses ?? new Addresses('10.10');
    const podAddresses = machine?.addresses ?? new Addresses('10.244');
    const names = machine?.hostsMounts && new PodNames({ surroundings, mounts: machine.hostsMounts, url: this.#url });
    const runner = machine && new PodProcesses({ machine, surroundings, hasRootCa, url: this.#url, lookAt, names });
    this.#machine = machine;
    this.#proxy = machine && new ServiceProxy(surroundings);
    this.#endpoints = machine && new ServiceEndpoints(surroundings);
    this.#surroundings = surroundings;
    this.#nodes = countOf(options);
    this.pods = new PodControls({ surroundings, memory, lookAt, running: runner });
    this.processes = runner;
    const kubeletParts = { hasRootCa, memory, timing: timingOf(options), nodeAddresses, podAddresses, runner };
    this.controllers = [
      deploymentController(surroundings),
      replicaSetController(surroundings),
      statefulSetController(surroundings),
      daemonSetController(surroundings),
      jobController(surroundings),
      endpointController(surroundings),
      budgetController(surroundings),
      unsimulatedKinds(surroundings),
      volumeController(surroundings),
      scheduler(surroundings, {
        isHeldBack: (pod) => memory.held.concerns(pod, 'scheduled'),
        onRelease: (listener) => memory.held.onRelease(listener),
      }),
      nodeController(surroundings, nodeAddresses),
      kubelet(surroundings, { ...kubeletParts, onReady: (look) => looks.push(look) }),
      ...[this.#proxy, names].filter((one) => one !== undefined),
    ];
  }

  /** Makes what a cluster has before its first use: nodes, and a class of volumes. */
  async prepare(): Promise<void> {
    for (let number = 1; number <= this.#nodes; number += 1) await this.#make(NODES, nodeObject(`node-${number}`));
    await this.#make(STORAGE_CLASSES, standardStorageClass());
  }

  /** Whether connections to the ClusterIP of a Service (`namespace/name`) are taken; undefined: Pods are simulated, and none is taken. */
  servesService(key: string): boolean | undefined {
    return this.#proxy?.serves(key);
  }

  /** The Pod to which a call of the API server to a Service leads; `undefined` if Pods are simulated: none of them can answer. */
  endpointOf(service: ServicePort): ReturnType<ServiceEndpoints['of']> | undefined {
    return this.#endpoints?.of(service);
  }

  /** Says where the API server listens: no program starts before, since it may ask the server at once. */
  serveAt(url: string): void {
    this.#listen(url);
  }

  /** Ends all processes; resolves when they are gone. */
  async close(): Promise<void> {
    await this.#machine?.close();
  }

  async #make(resource: ResourceName, object: object): Promise<void> {
    try {
      await new ObjectClient(this.#surroundings, 'node-controller').create(resource, '', object);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

export interface WorkloadsParts {
  readonly surroundings: ControllerSurroundings;
  /** Whether the server publishes its certificate in each namespace, in the ConfigMap `kube-root-ca.crt`. */
  readonly hasRootCa: boolean;
  readonly options?: WorkloadsOptions;
  /** The machine of Pods that run as processes, opened for `options.containers`. */
  readonly machine?: ProcessMachine | undefined;
}

function countOf({ nodes = 1 }: WorkloadsOptions): number {
  if (Number.isInteger(nodes) && nodes >= 0) return nodes;
  throw new WorkloadsError(`workloads.nodes: ${String(nodes)} is not a number of nodes: give 0 or more`);
}

function timingOf({ startAfter = 0, readyAfter = 0, completeAfter = 0, stopAfter = 0 }: WorkloadsOptions): PodTiming {
  return {
    startAfterMs: spanOf('startAfter', startAfter),
    readyAfterMs: spanOf('readyAfter', readyAfter),
    completeAfterMs: completeAfter === 'never' ? undefined : spanOf('completeAfter', completeAfter),
    stopAfterMs: spanOf('stopAfter', stopAfter),
  };
}

function spanOf(option: string, span: Span): number {
  const milliseconds = spanMs(span);
  if (milliseconds !== undefined) return milliseconds;
  throw new WorkloadsError(
    `workloads.${option}: ${JSON.stringify(span)} is not a span of time: write it as 500ms, 30s or 10m, or as a number of milliseconds`,
  );
}
