import type { ClusterView, RequestContext } from '../../../../contract/index.js';
import { type Cidr, ipText, isIn, parseCidr, parseIp } from '../../checks/index.js';
import type { Service } from '../../drafts.js';

const SERVICES = { group: '', plural: 'services' };

const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;

/** Refusals, in the words of the server. Source: kubernetes `pkg/registry/core/service/{ipallocator,portallocator}`. */
export type Claimed = { readonly ok: true } | { readonly ok: false; readonly text: string };

/** One try of a write to get its numbers. A write that is tried again after a conflict may claim once more what its earlier try claimed. */
export interface Claimant {
  readonly context: RequestContext;
}

/**
 * Numbers of which each is had by one Service. Taken numbers are read off the stored Services, so that nothing can leak and a deleted Service frees its numbers
 * at once. A number that a write claims is held until that write is stored or refused: two writes at once never get the same one.
 *
 * Where the real server chooses at random, this one goes on from the last: runs are repeatable, and a number that was given back is not used again at once.
 */
class Pool {
  readonly #size: number;
  readonly #firstChoice: number;
  readonly #held = new Map<number, Claimant>();
  #next: number;

  /** @param firstChoice numbers below it are kept for clients that ask for them, as long as there are others */
  constructor(size: number, firstChoice: number) {
    this.#size = size;
    this.#firstChoice = firstChoice;
    this.#next = firstChoice;
  }

  /** @returns whether it was free */
  claim(index: number, taken: ReadonlySet<number>, claimant: Claimant): boolean {
    if (taken.has(index) || !this.#mayHave(index, claimant)) return false;
    this.#hold(index, claimant);
    return true;
  }

  next(taken: ReadonlySet<number>, claimant: Claimant): number | undefined {
    const isFree = (index: number): boolean => !taken.has(index) && !this.#held.has(index);
    const found =
      this.#firstIn(this.#next, this.#size, isFree) ??
      this.#firstIn(this.#firstChoice, this.#next, isFree) ??
      this.#firstIn(0, this.#firstChoice, isFree);
    if (found === undefined) return undefined;
    this.#hold(found, claimant);
    if (!claimant.context.isDryRun) this.#next = Math.max(found + 1, this.#firstChoice);
    return found;
  }

  #firstIn(from: number, to: number, isFree: (index: number) => boolean): number | undefined {
    for (let index = from; index < to; index += 1) if (isFree(index)) return index;
    return undefined;
  }

  #mayHave(index: number, claimant: Claimant): boolean {
    const holder = this.#held.get(index);
    return holder === undefined || (holder !== claimant && holder.context === claimant.context);
  }

  #hold(index: number, claimant: Claimant): void {
    const { isDryRun, afterWrite } = claimant.context;
    if (isDryRun || afterWrite === undefined) return;
    if (!this.#held.has(index)) afterWrite(() => this.#held.delete(index));
    this.#held.set(index, claimant);
  }
}

/** Addresses and ports of Services. */
export class ServicePools {
  readonly #cluster: ClusterView;
  readonly #range: Cidr;
  readonly #addresses: Pool;
  readonly #ports: Pool;

  /** @throws RangeError when the range is not of IPv4: there is one stack only */
  constructor(cluster: ClusterView, serviceRange: string) {
    const range = parseCidr(serviceRange);
    if (range === undefined || range.family !== 4) {
      throw new RangeError(`the range of Services has to be one of IPv4, like 10.0.0.0/24; it is ${serviceRange}`);
    }
    this.#cluster = cluster;
    this.#range = range;
    // The first and the last address are not of hosts; no test needs more than 64 thousand Services.
    const size = Math.min(Number(range.last - range.first) - 1, 65_534);
    this.#addresses = new Pool(size, bandOf(size, { share: 16, most: 256 }));
    const ports = LAST_NODE_PORT - FIRST_NODE_PORT + 1;
    this.#ports = new Pool(ports, bandOf(ports, { share: 32, most: 128 }));
  }

  claimAddress(text: string, claimant: Claimant): Claimed {
    const ip = parseIp(text);
    const { first, last } = this.#range;
    if (ip === undefined || !isIn(this.#range, ip) || ip.value === first || ip.value === last) {
      return { ok: false, text: 'the provided network does not match the current range' };
    }
    const isFree = this.#addresses.claim(this.#indexOf(ip.value), this.#takenAddresses(), claimant);
    return isFree ? { ok: true } : { ok: false, text: 'provided IP is already allocated' };
  }

  /** Undefined: there are no more. */
  nextAddress(claimant: Claimant): string | undefined {
    const index = this.#addresses.next(this.#takenAddresses(), claimant);
    return index === undefined ? undefined : ipText({ family: 4, value: this.#range.first + BigInt(index) + 1n });
  }

  claimPort(port: number, claimant: Claimant): Claimed {
    if (port < FIRST_NODE_PORT || port > LAST_NODE_PORT) {
      const range = `${FIRST_NODE_PORT}-${LAST_NODE_PORT}`;
      return { ok: false, text: `provided port is not in the valid range. The range of valid ports is ${range}` };
    }
    const isFree = this.#ports.claim(port - FIRST_NODE_PORT, this.#takenPorts(), claimant);
    return isFree ? { ok: true } : { ok: false, text: 'provided port is already allocated' };
  }

  /** @param own ports that the Service has already: a dry run claims none, and must not get one twice */
  nextPort(claimant: Claimant, own: readonly number[]): number | undefined {
    const index = this.#ports.next(new Set([...this.#takenPorts(), ...own.map((port) => port - FIRST_NODE_PORT)]), claimant);
    return index === undefined ? undefined : FIRST_NODE_PORT + index;
  }

  #indexOf(value: bigint): number {
    return Number(value - this.#range.first - 1n);
  }

  #services(): readonly Service[] {
    return this.#cluster.list(SERVICES) as unknown as readonly Service[];
  }

  #takenAddresses(): ReadonlySet<number> {
    const ips = this.#services().flatMap(({ spec }) => (spec?.clusterIPs ?? []).map(parseIp));
    return new Set(ips.flatMap((ip) => (ip !== undefined && isIn(this.#range, ip) ? [this.#indexOf(ip.value)] : [])));
  }

  #takenPorts(): ReadonlySet<number> {
    const ports = this.#services().flatMap(({ spec }) => [
      ...(spec?.ports ?? []).map(({ nodePort = 0 }) => nodePort),
      spec?.healthCheckNodePort ?? 0,
    ]);
    return new Set(ports.filter((port) => port !== 0).map((port) => port - FIRST_NODE_PORT));
  }
}

/** How many are kept for clients that ask for them. */
function bandOf(size: number, { share, most }: { readonly share: number; readonly most: number }): number {
  const band = Math.min(Math.max(16, Math.floor(size / share)), most);
  return band < size ? band : 0;
}
