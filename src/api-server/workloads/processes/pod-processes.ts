import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@keelson/kubernetes/kinds';
import type { ControllerSurroundings } from '../../controllers/index.js';
import { EventRecorder } from '../events/index.js';
import type { PodSituation, PodStep } from '../kubelet/index.js';
import { Addresses, nodeWriter } from '../nodes/index.js';
import { keyOf } from '../objects/index.js';
import { addressKey, namedHost, nameOfPod, serviceVariables } from './container/index.js';
import type { ContainerRun } from './container-run.js';
import { type ContainerLog, shownText } from './logs/index.js';
import { type HostsMounts, LoopbackNetwork, Supervisor } from './machine/index.js';
import { hostsMountsFor, type PodNames } from './names/index.js';
import { PodObjects } from './pod-objects.js';
import { PodWorker } from './pod-worker.js';
import { type Processes, runsAsProcesses } from './processes.js';

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** A machine that runs Pods as processes: its folder, its network, and what ends them. */
export class ProcessMachine {
  readonly table: Processes;
  readonly addresses: Addresses;
  /** The range of addresses of Services: reachable on this machine, like those of Pods. */
  readonly serviceRange: string;
  readonly folder: string;
  readonly supervisor: Supervisor;
  /** How programs get the names of the cluster; undefined: they do not. */
  readonly hostsMounts: HostsMounts | undefined;
  readonly #network: LoopbackNetwork;

  private constructor(table: Processes, network: LoopbackNetwork, { folder, isTemporary, hostsMounts }: Prepared) {
    this.table = table;
    this.hostsMounts = hostsMounts;
    this.#network = network;
    this.addresses = new Addresses(network.prefix, { last: LAST_POD });
    this.serviceRange = `${network.prefix}.${SERVICES}.0/24`;
    this.folder = folder;
    this.supervisor = new Supervisor(isTemporary ? folder : '');
  }

  /** @throws ProcessesError where Pods cannot have addresses of their own, or names that they have to have */
  static async open(table: Processes, dataFolder: string | undefined): Promise<ProcessMachine> {
    const hostsMounts = hostsMountsFor(table.options.names ?? 'if-possible');
    const network = await LoopbackNetwork.take();
    const kept = table.options.folder ?? (dataFolder === undefined ? undefined : join(dataFolder, 'pods'));
    const folder = kept ?? mkdtempSync(join(tmpdir(), 'keelson-pods-'));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A server before this one may have been killed: no Pod of it runs any more.
    rmSync(join(folder, 'running'), { recursive: true, force: true });
    return new ProcessMachine(table, network, { folder, isTemporary: kept === undefined, hostsMounts });
  }

  async close(): Promise<void> {
    await this.supervisor.finish();
    await this.#network.release();
  }
}

interface Prepared {
  readonly folder: string;
  readonly isTemporary: boolean;
  readonly hostsMounts: HostsMounts | undefined;
}

/** The last 256 addresses of the network belong to Services. */
const SERVICES = 254;
const LAST_POD = SERVICES * 256 - 1;

export interface PodProcessesParts {
  readonly machine: ProcessMachine;
  readonly surroundings: ControllerSurroundings;
  /** Whether each namespace gets the ConfigMap `kube-root-ca.crt`. */
  readonly hasRootCa: boolean;
  /** Where the API server listens; settles when it does. */
  readonly url: Promise<string>;
  readonly lookAt: (key: string) => void;
  /** Undefined: programs do not resolve names of the cluster. */
  readonly names: PodNames | undefined;
}

/** Runs Pods as processes, for a kubelet that asks it step by step. */
export class PodProcesses {
  readonly #parts: PodProcessesParts;
  readonly #workers = new Map<string, PodWorker>();

  constructor(parts: PodProcessesParts) {
    this.#parts = parts;
  }

  /** Whether a Pod is its business; all others are simulated. */
  runs(pod: Pod): boolean {
    return runsAsProcesses(this.#parts.machine.table, pod);
  }

  /** The owner of the Pod's address: a name that others know it by, or the Pod itself. */
  addressOwner(pod: Pod): string {
    const name = nameOfPod(pod);
    return name === undefined ? (pod.metadata.uid ?? '') : addressKey(name);
  }

  step(situation: PodSituation): PodStep {
    const { uid = '' } = situation.pod.metadata;
    const worker = this.#workers.get(uid) ?? this.#hired(situation);
    this.#workers.set(uid, worker);
    return worker.step(situation);
  }

  /** The Pod is gone from the API: nothing of it stays. */
  forget(uid: string): void {
    this.#parts.names?.forget(uid);
    this.#workers.get(uid)?.forget();
    this.#workers.delete(uid);
  }

  logOf({ metadata }: Pod, container: string, options: { readonly isPrevious: boolean }): ContainerLog | undefined {
    return this.#workers.get(metadata.uid ?? '')?.logOf(container, options);
  }

  runningOf({ metadata }: Pod, container: string): ContainerRun | undefined {
    return this.#workers.get(metadata.uid ?? '')?.runningOf(container);
  }

  signal(pod: Pod, container: string, signal: NodeJS.Signals): boolean {
    const run = this.runningOf(pod, container);
    run?.signal(signal);
    return run !== undefined;
  }

  logText(pod: Pod, container: string, options: { readonly isPrevious: boolean }): string | undefined {
    const log = this.logOf(pod, container, options);
    return log
      ?.lines()
      .map((line) => shownText(line, {}))
      .join('');
  }

  #hired(situation: PodSituation): PodWorker {
    const { machine, surroundings, hasRootCa, url, lookAt, names } = this.#parts;
    const { pod } = situation;
    const key = keyOf(pod);
    const { nodeName = '' } = pod.spec;
    const { folder, supervisor, table } = machine;
    const objects = new PodObjects(surroundings, pod);
    return new PodWorker(
      {
        table,
        supervisor,
        objects,
        names,
        hasRootCa,
        clock: surroundings.clock,
        folder: join(folder, 'running', pod.metadata.uid ?? ''),
        persistent: join(folder, 'persistent'),
        maxLogBytes: table.options.maxLogBytes ?? MAX_LOG_BYTES,
        resolve: (of, name) => this.#resolve(of, name, objects),
        givenVariables: async (of) => serviceVariables(of, { services: objects.services(), apiServer: await url }),
        apiServer: url,
        onChange: () => lookAt(key),
        events: new EventRecorder(surroundings, { component: 'kubelet', host: nodeName, writer: nodeWriter(nodeName) }),
        onProblem: (error) => surroundings.report({ controller: 'kubelet', key, error }),
      },
      situation,
    );
  }

  /** A Service's address; of a headless one that of the Pod of this name, which keeps it for all Pods of the name, be they there or not. */
  #resolve(pod: Pod, name: string, objects: PodObjects): string | undefined {
    const found = namedHost(name, pod.metadata.namespace ?? '', (namespace, service) => objects.service(namespace, service));
    if (found === undefined) return undefined;
    const { service, hostname } = found;
    const { clusterIP = '' } = service.spec ?? {};
    if (hostname === undefined) return clusterIP === '' || clusterIP === 'None' ? undefined : clusterIP;
    const namespace = service.metadata.namespace ?? '';
    return this.#parts.machine.addresses.of(addressKey({ hostname, subdomain: service.metadata.name, namespace }));
  }
}
