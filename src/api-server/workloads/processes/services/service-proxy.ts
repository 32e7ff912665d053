import type { EndpointSlice, Node, Service } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, type Enqueue, keyedController } from '../../../controllers/index.js';
import { EventRecorder } from '../../events/index.js';
import { addressOf } from '../../nodes/index.js';
import { ENDPOINT_SLICES, isResource, keyOf, NODES, ObjectClient, partsOf, SERVICES } from '../../objects/index.js';
import { DatagramProxy } from './datagram-proxy.js';
import type { OpenPort } from './open-port.js';
import { PortProxy } from './port-proxy.js';
import { type ServedPort, servedPorts, unservedPorts } from './served-ports.js';
import { SERVICE_NAME, slicesOf } from './service-endpoints.js';

/** Before a port that is taken is tried again. */
const RETRY_MS = 5_000;

/**
 * Plays kube-proxy for Pods that run as processes: listens at the ClusterIPs and at the NodePorts of the Nodes, whose addresses are of this machine, and leads
 * connections and datagrams to ready endpoints.
 *
 * Guarantees: a port without a ready endpoint refuses connections; one that cannot be listened at is named in an Event of its Service.
 */
export class ServiceProxy implements Controller {
  readonly name = 'kube-proxy';
  readonly #surroundings: ControllerSurroundings;
  readonly #client: ObjectClient;
  readonly #events: EventRecorder;
  readonly #inner: Controller;
  /** By the key of the Service, then by place. */
  readonly #open = new Map<string, Map<string, Open>>();
  /** The Event about ports that cannot be served, by the key of the Service. */
  readonly #unserved = new Map<string, string>();
  /** All that may still have connections. */
  readonly #proxies = new Set<OpenPort>();

  constructor(surroundings: ControllerSurroundings) {
    const writer = { user: { username: 'system:kube-proxy', groups: ['system:authenticated'] }, fieldManager: this.name };
    this.#surroundings = surroundings;
    this.#client = new ObjectClient(surroundings, writer);
    this.#events = new EventRecorder(surroundings, { component: this.name, writer });
    this.#inner = keyedController(
      {
        name: this.name,
        wants: (resource) => [SERVICES, ENDPOINT_SLICES, NODES].some((wanted) => isResource(resource, wanted)),
        onEvent: ({ object, resource }, queue) => {
          const { metadata } = object as unknown as EndpointSlice;
          const service = metadata.labels?.[SERVICE_NAME];
          if (isResource(resource, NODES)) return this.#lookAtNodePorts(queue);
          if (isResource(resource, SERVICES)) queue.add(keyOf(object as unknown as Service));
          else if (service !== undefined) queue.add(`${metadata.namespace ?? ''}/${service}`);
        },
        handle: (key, queue) => this.#sync(key, queue),
      },
      surroundings,
    );
  }

  get isIdle(): boolean {
    return this.#inner.isIdle;
  }

  /** Whether connections to the ClusterIP of a Service are taken: a ready endpoint is behind it. */
  serves(key: string): boolean {
    return [...(this.#open.get(key)?.values() ?? [])].some(({ isNodePort }) => !isNodePort);
  }

  start(): void {
    this.#inner.start();
  }

  async stop(): Promise<void> {
    await this.#inner.stop();
    for (const proxy of this.#proxies) proxy.cut();
  }

  async #sync(key: string, queue: Enqueue): Promise<void> {
    const { namespace, name } = partsOf(key);
    const service = this.#client.get<Service>(SERVICES, namespace, name);
    this.#sayUnserved(key, service);
    const open = this.#open.get(key) ?? new Map<string, Open>();
    const all = service === undefined ? [] : this.#servedPorts(service);
    const wanted = new Map(all.map((served) => [placeOf(served), served]));
    for (const [place, { proxy }] of open) {
      if (wanted.has(place)) continue;
      proxy.refuse(() => this.#proxies.delete(proxy));
      open.delete(place);
    }
    for (const [place, served] of wanted) {
      const found = open.get(place);
      if (found !== undefined) found.proxy.follow(served);
      else if (service !== undefined) await this.#listen({ service, served, open }, () => queue.addAfter(key, RETRY_MS));
    }
    if (open.size === 0) this.#open.delete(key);
    else this.#open.set(key, open);
  }

  /** Once for each change: endpoints come and go much more often. */
  #sayUnserved(key: string, service: Service | undefined): void {
    const places = service === undefined ? [] : unservedPorts(service);
    const said = [service?.metadata.uid, ...places].join(' ');
    if (places.length === 0) this.#unserved.delete(key);
    if (service === undefined || places.length === 0 || this.#unserved.get(key) === said) return;
    this.#unserved.set(key, said);
    const message = `${places.join(', ')} cannot be served: Pods that run as processes have Services of TCP and UDP alone`;
    this.#events.record({ ...service, apiVersion: 'v1', kind: 'Service' }, { type: 'Warning', reason: 'FailedToListen', message });
  }

  #servedPorts(service: Service): readonly ServedPort[] {
    const nodes = this.#client.list<Node>(NODES).flatMap((node): (readonly [string, string])[] => {
      const address = addressOf(node);
      // A Node that a test has given an address of another network is not of this machine.
      return address?.startsWith('127.') === true ? [[node.metadata.name, address]] : [];
    });
    return servedPorts({ service, slices: slicesOf(this.#client, service), nodes: new Map(nodes) });
  }

  #lookAtNodePorts(queue: Enqueue): void {
    for (const service of this.#client.list<Service>(SERVICES))
      if ((service.spec?.ports ?? []).some(({ nodePort = 0 }) => nodePort !== 0)) queue.add(keyOf(service));
  }

  async #listen({ service, served, open }: Opening, tryLater: () => void): Promise<void> {
    const { clock } = this.#surroundings;
    const place = placeOf(served);
    try {
      const proxy = await (served.protocol === 'UDP' ? DatagramProxy.open(served, clock) : PortProxy.open(served, clock));
      this.#proxies.add(proxy);
      open.set(place, { proxy, isNodePort: served.isNodePort });
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const message = `${place} cannot be served (${code}): ${cureOf(code)}`;
      this.#events.record({ ...service, apiVersion: 'v1', kind: 'Service' }, { type: 'Warning', reason: 'FailedToListen', message });
      tryLater();
    }
  }
}

interface Opening {
  readonly service: Service;
  readonly served: ServedPort;
  readonly open: Map<string, Open>;
}

interface Open {
  readonly proxy: OpenPort;
  readonly isNodePort: boolean;
}

/** `127.20.254.3:80`, and for the other protocol `127.20.254.3:53/UDP`. */
const placeOf = ({ address, port, protocol }: ServedPort): string => `${address}:${port}${protocol === 'TCP' ? '' : `/${protocol}`}`;

function cureOf(code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'a program of this machine has that port; let it listen at the address of its Pod alone';
    case 'EACCES':
      return 'ports below 1024 are not for this user; give the Service a higher port, or allow them (sysctl net.ipv4.ip_unprivileged_port_start=0)';
    case 'EADDRNOTAVAIL':
      return 'the address is not of this machine; leave out the option serviceRange';
    default:
      return 'connect to the addresses of its Pods instead';
  }
}
