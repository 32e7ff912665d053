import type { Clock } from '../../../clock/index.js';
import type { Backend, ServedPort } from './served-ports.js';

interface Stay {
  readonly backend: Backend;
  readonly lastMs: number;
}

/** Chooses a backend for each client of a port: in turn, or with session affinity the one that the client had before. */
export class BackendChoice {
  readonly #clock: Clock;
  readonly #stays = new Map<string, Stay>();
  #served: ServedPort;
  #turn = 0;

  constructor(served: ServedPort, clock: Clock) {
    this.#served = served;
    this.#clock = clock;
  }

  /** From now on these. */
  follow(served: ServedPort): void {
    this.#served = served;
  }

  has(backend: Backend): boolean {
    return this.#same(backend) !== undefined;
  }

  /** @param client its address */
  of(client: string): Backend {
    const { affinityMs } = this.#served;
    if (affinityMs === undefined) return this.#next();
    const nowMs = this.#clock.now().getTime();
    const stay = this.#stays.get(client);
    const isGood = stay !== undefined && nowMs - stay.lastMs <= affinityMs;
    const backend = (isGood ? this.#same(stay.backend) : undefined) ?? this.#next();
    this.#stays.set(client, { backend, lastMs: nowMs });
    return backend;
  }

  #same(wanted: Backend): Backend | undefined {
    return this.#served.backends.find(({ host, port }) => host === wanted.host && port === wanted.port);
  }

  #next(): Backend {
    const { backends } = this.#served;
    const backend = backends[this.#turn % backends.length];
    if (backend === undefined) throw new RangeError('a port that is served has a backend');
    this.#turn += 1;
    return backend;
  }
}
