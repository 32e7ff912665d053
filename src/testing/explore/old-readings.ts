import type { Clock } from '@keelson/api-server';
import { type Carriage, isWatch, type LeavingRequest, type Passage } from './carried-transport.js';
import { isSame, type Mark } from './history.js';
import { OldState } from './old-state.js';
import { statusAnswer } from './refused.js';
import type { Of, Strikes } from './strikes.js';
import { routeOf } from './write-name.js';

export interface OldReadingsOptions {
  readonly strikes: Strikes;
  /** Processes that run at the same time. */
  readonly replicas: number;
  readonly clock: Clock & { monotonicMs(): number };
  /** The revision of the store, now. */
  readonly revision: () => number;
}

export interface OldReading {
  readonly disturbance: Of<'stand-still'>;
  readonly state: OldState;
}

/** A process that has read an old state needs some time to list again. */
const CATCHING_UP_MS = 5_000;
const EVERY = '*';

/** The old states that processes of an operator read, and the history that their API server has lost. */
export class OldReadings {
  readonly #options: OldReadingsOptions;
  readonly #all: readonly OldReading[];
  /** By resource, or for every one: watches from before this revision are refused with 410. */
  readonly #lost = new Map<string, number>();
  #wentOnMs = Number.NEGATIVE_INFINITY;

  constructor(options: OldReadingsOptions) {
    this.#options = options;
    this.#all = options.strikes.of('stand-still').map((disturbance) => ({ disturbance, state: new OldState() }));
  }

  /** The old state that a process reads. `undefined` if it reads the newest. */
  of(replica: number): OldReading | undefined {
    return this.#all.find(({ disturbance: { readers } }) => {
      if (readers === 'all') return true;
      return readers === 'restarted' ? replica >= this.#options.replicas : replica === 1;
    });
  }

  /** Whether any process may not have seen yet what is new. */
  get isAnyBehind(): boolean {
    return this.#all.some((reading) => this.isBehind(reading));
  }

  /** Whether those that read from it may not have seen yet what is new. */
  isBehind({ state: { revision } }: OldReading): boolean {
    return revision !== undefined || this.#options.clock.monotonicMs() < this.#wentOnMs + CATCHING_UP_MS;
  }

  /** Stands between the caches of a process and the server. */
  carriageOf(replica: number): Carriage {
    const old = this.of(replica);
    return { leaving: (request) => this.#reading(old, request), answered: () => true };
  }

  #reading(old: OldReading | undefined, { path }: LeavingRequest): Passage | undefined {
    const url = new URL(path, 'http://server');
    if (isWatch(path)) {
      if (this.#hasLost(url)) return { do: 'answer', answer: statusAnswer(410) };
      return old && { do: 'gate', gate: old.state.gate() };
    }
    const revision = old?.state.revision;
    if (old === undefined || revision === undefined || url.searchParams.has('continue')) return undefined;
    this.#options.strikes.struck.add(old.disturbance);
    url.searchParams.set('resourceVersion', String(revision));
    url.searchParams.set('resourceVersionMatch', 'Exact');
    return { do: 'carry', path: `${url.pathname}?${url.searchParams.toString()}` };
  }

  #hasLost({ pathname, searchParams }: URL): boolean {
    const revision = Number(searchParams.get('resourceVersion') ?? 0);
    const lost = Math.max(this.#lost.get(EVERY) ?? 0, this.#lost.get(routeOf(pathname).groupResource) ?? 0);
    return revision > 0 && revision < lost;
  }

  /** @param resource `deployments.apps`: its history before now is gone */
  lose(resource: string): void {
    this.#lost.set(resource, this.#options.revision());
  }

  /** The store has changed. */
  changed(mark: Mark, revision: number): void {
    for (const reading of this.#all) {
      const { disturbance, state } = reading;
      if (isSame(disturbance.from, mark)) {
        state.standStill(revision);
        if (disturbance.readers === 'all') this.#options.strikes.struck.add(disturbance);
      } else if ('nth' in disturbance.until && isSame(disturbance.until, mark)) queueMicrotask(() => this.#goOn(reading));
    }
  }

  /** Old states go on, even if planned otherwise. */
  goOn(): void {
    for (const reading of this.#all) this.#goOn(reading);
  }

  stepped(step: number): void {
    for (const reading of this.#all) {
      const { until } = reading.disturbance;
      if ('step' in until && until.step <= step) this.#goOn(reading);
    }
  }

  #goOn({ state, disturbance: { how } }: OldReading): void {
    if (state.revision === undefined) return;
    this.#wentOnMs = this.#options.clock.monotonicMs();
    if (how === 'by-lists') this.lose(EVERY);
    state.goOn(how);
  }
}
