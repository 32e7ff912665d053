import { join } from 'node:path';
import type { EndpointSlice, Pod, Service } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, keyedController } from '../../../controllers/index.js';
import { ENDPOINT_SLICES, isResource, ObjectClient, SERVICES } from '../../objects/index.js';
import type { Command, HostsMounts } from '../machine/index.js';
import { type ClusterName, clusterNames } from './cluster-names.js';
import { HostsFile } from './hosts-file.js';
import { hostsText } from './hosts-text.js';
import { machineHosts } from './machine-hosts.js';

export interface PodNamesParts {
  readonly surroundings: ControllerSurroundings;
  readonly mounts: HostsMounts;
  /** URL of the API server; settles before any program starts. */
  readonly url: Promise<string>;
}

/** A Pod whose programs are about to start. */
export interface NamedPod {
  readonly pod: Pod;
  readonly address: string;
  /** The folder of this Pod alone. */
  readonly folder: string;
  /** Called with the number of names that are beyond the limits, when there are any. */
  readonly onLeftOut: (count: number) => void;
}

interface Entry extends NamedPod {
  readonly file: HostsFile;
  leftOut: number;
}

/**
 * Lets the programs of Pods resolve the names of the cluster: each Pod has a hosts file, mounted over `/etc/hosts` for its programs alone.
 *
 * Guarantees: a program that starts finds the Services and endpoints of that moment; later ones come, and go, as the API has them.
 */
export class PodNames implements Controller {
  readonly name = 'pod-names';
  readonly #parts: PodNamesParts;
  readonly #client: ObjectClient;
  readonly #inner: Controller;
  /** By the uid of the Pod. */
  readonly #entries = new Map<string, Entry>();
  /** As it was when the server started. */
  readonly #machine = machineHosts();
  #apiServer = '';

  constructor(parts: PodNamesParts) {
    const { surroundings, url } = parts;
    this.#parts = parts;
    this.#client = new ObjectClient(surroundings, this.name);
    void url.then((text) => {
      this.#apiServer = new URL(text).hostname;
    });
    this.#inner = keyedController(
      {
        name: this.name,
        wants: (resource) => [SERVICES, ENDPOINT_SLICES].some((wanted) => isResource(resource, wanted)),
        // All files at once: a Service has names in each of them.
        onEvent: (_event, queue) => queue.add('hosts'),
        handle: async () => this.#writeAll(),
      },
      surroundings,
    );
  }

  get isIdle(): boolean {
    return this.#inner.isIdle;
  }

  start(): void {
    this.#inner.start();
  }

  async stop(): Promise<void> {
    await this.#inner.stop();
  }

  /** @returns lets a command of this Pod see its hosts file */
  open(of: NamedPod): (command: Command) => Command {
    const { uid = '' } = of.pod.metadata;
    const known = this.#entries.get(uid);
    const entry = known ?? { ...of, file: new HostsFile(join(of.folder, 'hosts'), ''), leftOut: 0 };
    this.#entries.set(uid, entry);
    this.#write(entry, this.#names());
    return (command) => this.#parts.mounts.entered(command, entry.file.path);
  }

  /** The Pod is gone: its file is not written any more. */
  forget(uid: string): void {
    this.#entries.delete(uid);
  }

  #writeAll(): void {
    if (this.#entries.size === 0) return;
    const names = this.#names();
    for (const entry of this.#entries.values()) this.#write(entry, names);
  }

  #write(entry: Entry, names: readonly ClusterName[]): void {
    const { pod, address, file, onLeftOut } = entry;
    const { text, leftOut } = hostsText({ pod, address, names, machine: this.#machine });
    file.write(text);
    if (leftOut > 0 && entry.leftOut === 0) onLeftOut(leftOut);
    entry.leftOut = leftOut;
  }

  #names(): readonly ClusterName[] {
    return clusterNames({
      services: this.#client.list<Service>(SERVICES),
      slices: this.#client.list<EndpointSlice>(ENDPOINT_SLICES),
      apiServer: this.#apiServer,
    });
  }
}
