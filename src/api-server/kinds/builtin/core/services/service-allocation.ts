import { type FieldError, goQuote, invalid } from '@keelson/kubernetes/apimachinery';
import type { RequestContext } from '../../../../contract/index.js';
import { internalError, invalidObject, plainError, type StatusError } from '../../../../status/index.js';
import type { Service, ServicePort, ServiceSpec } from '../../drafts.js';
import { setFamilies } from './service-addresses.js';
import type { Claimant, ServicePools } from './service-pools.js';
import { getsNodePorts, isHeadless, mayHaveNodePorts, needsAddress, needsHealthCheck, nodePortsOf, specOf } from './service-spec.js';

/**
 * Gives a Service the addresses and ports that it needs. Comes before validation, so that what cannot be had is the only error.
 *
 * Source: kubernetes `pkg/registry/core/service/storage/alloc.go`.
 */
export class ServiceAllocation {
  readonly #pools: ServicePools;
  readonly #service: Service;
  readonly #spec: ServiceSpec;
  readonly #claimant: Claimant;

  constructor(pools: ServicePools, service: Service, context: RequestContext) {
    this.#pools = pools;
    this.#service = service;
    this.#spec = specOf(service);
    this.#claimant = { context };
  }

  /** @throws StatusError 422 */
  ofCreate(): void {
    this.#refuseFor(setFamilies(this.#spec, undefined));
    this.#allocateAddress();
    if (mayHaveNodePorts(this.#spec)) this.#allocatePorts();
    if (needsHealthCheck(this.#spec)) this.#allocateHealthCheck();
  }

  /** @throws StatusError 422 */
  ofUpdate(old: ServiceSpec): void {
    this.#refuseFor(setFamilies(this.#spec, old));
    if (!needsAddress(old)) this.#allocateAddress();
    if (mayHaveNodePorts(this.#spec)) this.#updatePorts(old);
    if (!needsHealthCheck(old) && needsHealthCheck(this.#spec)) this.#allocateHealthCheck();
  }

  #refuseFor(errors: readonly FieldError[]): void {
    if (errors.length > 0) throw this.#invalid(errors);
  }

  #invalid(errors: readonly FieldError[]): StatusError {
    // Validation reports later that it has none.
    const { name = '' } = this.#service.metadata as Partial<Service['metadata']>;
    return invalidObject({ group: '', kind: 'Service' }, name, errors);
  }

  #allocateAddress(): void {
    const spec = this.#spec;
    if (!needsAddress(spec) || isHeadless(spec)) return;
    const [given] = spec.clusterIPs ?? [];
    if (given !== undefined && given !== '') {
      const claimed = this.#pools.claimAddress(given, this.#claimant);
      if (claimed.ok) return;
      throw this.#invalid([invalid('spec.clusterIPs', spec.clusterIPs, `failed to allocate IP ${given}: ${claimed.text}`)]);
    }
    const address = this.#pools.nextAddress(this.#claimant);
    if (address === undefined) throw internalError('failed to allocate a serviceIP: range is full');
    // The server stores an IPAddress that names its Service. In a dry run it stores none.
    const isNamed = (this.#service.metadata?.name ?? '') !== '';
    if (!isNamed && !this.#claimant.context.isDryRun) {
      const text = `failed to allocate IP: IPAddress.networking.k8s.io ${goQuote(address)} is invalid: spec.parentRef.name: Required value`;
      throw this.#invalid([invalid('spec.clusterIPs', [''], text)]);
    }
    spec.clusterIP = address;
    spec.clusterIPs = [address];
  }

  /** One port may be served by several protocols: they share a node port. */
  #allocatePorts(): void {
    const { ports = [] } = this.#spec;
    const byPort = new Map<number, number>();
    for (const [index, port] of ports.entries()) {
      const { nodePort = 0 } = port;
      if (nodePort === 0 && !getsNodePorts(this.#spec)) continue;
      const known = byPort.get(port.port);
      if (known === undefined) {
        const wanted = ports.find((other) => other.port === port.port && (other.nodePort ?? 0) !== 0)?.nodePort;
        if (wanted === undefined) port.nodePort = this.#nextPort();
        else {
          this.#claimPort(wanted, index);
          port.nodePort = wanted;
        }
        byPort.set(port.port, port.nodePort);
      } else if (nodePort === 0) port.nodePort = known;
      else if (nodePort !== known) this.#claimPort(nodePort, index);
    }
  }

  #updatePorts(old: ServiceSpec): void {
    const before = nodePortsOf(old);
    const claimed = new Set<number>();
    const seen = new Set<string>();
    for (const [index, port] of (this.#spec.ports ?? []).entries()) {
      const { nodePort = 0 } = port;
      if (nodePort === 0 && !getsNodePorts(this.#spec)) continue;
      if (nodePort === 0) port.nodePort = this.#nextPort();
      else if (!before.includes(nodePort) && !claimed.has(nodePort)) {
        this.#claimPort(nodePort, index);
        claimed.add(nodePort);
      }
      this.#checkPair(port, seen);
    }
  }

  #checkPair(
    { protocol = '', nodePort = 0 }: { protocol?: ServicePort['protocol'] | ''; nodePort?: number | undefined },
    seen: Set<string>,
  ): void {
    const pair = `${protocol} ${nodePort}`;
    if (seen.has(pair)) throw plainError(`duplicate nodePort: {${pair}}`);
    seen.add(pair);
  }

  #claimPort(port: number, index: number): void {
    const claimed = this.#pools.claimPort(port, this.#claimant);
    if (!claimed.ok) throw this.#invalid([invalid(`spec.ports[${index}].nodePort`, port, claimed.text)]);
  }

  #nextPort(): number {
    const { ports = [], healthCheckNodePort = 0 } = this.#spec;
    const own = [...ports.map(({ nodePort = 0 }) => nodePort), healthCheckNodePort].filter((port) => port !== 0);
    const port = this.#pools.nextPort(this.#claimant, own);
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
    return port;
  }

  #allocateHealthCheck(): void {
    const { healthCheckNodePort: wanted = 0 } = this.#spec;
    if (wanted === 0) {
      this.#spec.healthCheckNodePort = this.#nextPort();
      return;
    }
    const claimed = this.#pools.claimPort(wanted, this.#claimant);
    if (!claimed.ok) throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${claimed.text}`);
  }
}
