import type { EndpointSlice, Service } from '@keelson/kubernetes/kinds';
import type { ControllerSurroundings } from '../../../controllers/index.js';
import { ENDPOINT_SLICES, ObjectClient, SERVICES } from '../../objects/index.js';
import { type Backend, backendsOf } from './served-ports.js';

/** Label of an EndpointSlice: the Service that it belongs to. */
export const SERVICE_NAME = 'kubernetes.io/service-name';

/** A port of a Service, as `clientConfig.service` of a webhook names it. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/**
 * Leads calls of the API server to the Pods behind a Service, as kube-apiserver does with `--enable-aggregator-routing`: not through the ClusterIP, since only
 * root may listen at its port 443. Endpoints take turns.
 *
 * Source of the rules and texts: kubernetes `staging/src/k8s.io/apiserver/pkg/util/proxy/proxy.go`, `ResolveEndpoint`.
 */
export class ServiceEndpoints {
  readonly #client: ObjectClient;
  #turn = 0;

  constructor(surroundings: ControllerSurroundings) {
    this.#client = new ObjectClient(surroundings, 'kube-apiserver');
  }

  of({ namespace, name, port }: ServicePort): Backend | { readonly problem: string } {
    const service = this.#client.get<Service>(SERVICES, namespace, name);
    if (service === undefined) return { problem: `service "${name}" not found` };
    const { type = 'ClusterIP', ports = [] } = service.spec ?? {};
    const found = ports.find((candidate) => candidate.port === port);
    if (found === undefined) return { problem: `no service port ${port} found for service "${name}"` };
    if (type === 'ExternalName') return { problem: `unsupported service type "${type}"` };
    const backends = backendsOf(slicesOf(this.#client, service), { name: found.name ?? '', protocol: 'TCP' });
    const backend = backends[this.#turn % backends.length];
    if (backend === undefined) return { problem: `no endpoints available for service "${name}"` };
    this.#turn += 1;
    return backend;
  }
}

/** The EndpointSlices of a Service, those written by hand included. */
export function slicesOf(client: ObjectClient, { metadata: { namespace, name } }: Service): readonly EndpointSlice[] {
  return client.list<EndpointSlice>(ENDPOINT_SLICES, namespace).filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name);
}
