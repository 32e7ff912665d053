import { messageOf, type NamedMeta } from '@keelson/kubernetes/apimachinery';
import { Lease } from '@keelson/kubernetes/kinds';
import type { Logger } from 'keelson/internal/definition';
import { type ApiClient, isAlreadyExists, isConflict, isNotFound } from '../client/index.js';
import { type Clock, pause } from '../clock/index.js';
import { LeaderSettingsError } from './errors.js';
import { heldSpec, LeaseObservation, type LeaseRecord, recordOf, releasedSpec } from './lease-record.js';

/** Counters for metrics. */
export interface LeaderObserver {
  leading?(isLeading: boolean): void;
  /** Reading the Lease before renewing it was necessary: it was not as this process had left it. */
  slowPath?(): void;
}

export interface LeaderElectorOptions {
  readonly client: Pick<ApiClient, 'get' | 'create' | 'update'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly namespace: string;
  /** Name of the Lease. */
  readonly name: string;
  /** Tells this process from all others, restarts of its own included: the pod's name alone would not (H57). */
  readonly identity: string;
  /** How long others wait after the last renewal that they saw. @defaultValue 15000 */
  readonly leaseMs?: number | undefined;
  /** How long this process leads without a renewal. @defaultValue 10000 */
  readonly renewMs?: number | undefined;
  /** Pause between two tries. @defaultValue 2000 */
  readonly retryMs?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly observer?: LeaderObserver | undefined;
}

interface Held {
  readonly metadata: NamedMeta;
  readonly record: LeaseRecord;
  /** When the request was sent whose answer said so: others count from a later moment. */
  readonly sinceMs: number;
}

interface Call {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** Pauses are up to so much longer, so that replicas that were started together do not ask together. */
const JITTER = 0.2;
const notRenewed = (renewMs: number): string => `it could not be renewed within ${renewMs} ms`;

/**
 * Leads while it holds a Lease.
 *
 * Flow: candidate → holds the Lease → `lead(term)` runs and the Lease is renewed; without a renewal within `renewMs` the term is aborted, and when `lead` has
 * ended the process is a candidate again.
 * Guarantees: the term is aborted `leaseMs - renewMs` before another replica can hold the Lease (H52), whatever the clocks of the machines say (H55); it goes
 * on after any failure, however long it takes (H53); the Lease is let go of after `lead` has ended, and only if it is still held (H56). It never ends the
 * process (H54).
 * Errors: what `lead` throws, after the Lease has been let go of.
 */
export class LeaderElector {
  readonly #client: LeaderElectorOptions['client'];
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #key: { readonly namespace: string; readonly name: string };
  readonly #identity: string;
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #retryMs: number;
  readonly #random: () => number;
  readonly #observer: LeaderObserver;
  readonly #observation = new LeaseObservation();
  #held: Held | undefined;
  #term: AbortController | undefined;
  #lastProblem = '';
  #lastHolder = '';

  /** @throws LeaderSettingsError when the times do not leave room for each other */
  constructor(options: LeaderElectorOptions) {
    const { client, clock, log, namespace, name, identity, leaseMs = 15_000, renewMs = 10_000, retryMs = 2_000 } = options;
    if (!(retryMs > 0 && renewMs > retryMs * (1 + JITTER) && leaseMs > renewMs)) {
      throw new LeaderSettingsError(
        `leader election: a lease of ${leaseMs} ms, ${renewMs} ms to renew it and ${retryMs} ms between tries leave no room; ` +
          `the lease must be longer than the time to renew it, and that longer than ${1 + JITTER} tries`,
      );
    }
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
    this.#key = { namespace, name };
    this.#identity = identity;
    this.#leaseMs = leaseMs;
    this.#renewMs = renewMs;
    this.#retryMs = retryMs;
    this.#random = options.random ?? Math.random;
    this.#observer = options.observer ?? {};
  }

  /** Whether this process may write now. Right even when the event loop was blocked and no timer has fired yet (H58). */
  get isLeader(): boolean {
    return this.#held !== undefined && this.#remainingMs(this.#held) > 0;
  }

  /**
   * Ends the term here and now if its time is over. To be called before anything is written: in a process that was stopped or blocked, the timer that should have
   * ended the term has not fired yet when work goes on (H58).
   */
  endTermIfOver(): void {
    if (this.#term !== undefined && this.#held !== undefined && !this.isLeader) this.#lose(this.#term, notRenewed(this.#renewMs));
  }

  /** Identity of the leader, as far as it is known. */
  get leader(): string | undefined {
    const holder = this.#observation.record?.holder;
    return holder === '' ? undefined : holder;
  }

  /**
   * Leads whenever it can, until the signal is aborted and `lead` has ended.
   *
   * @param signal ends the candidacy. It does not end the term: the leader drains its work, under a Lease that is still renewed, and returns
   * @param lead works until the term is over, when nothing may be written any more, or until there is nothing more to do
   */
  async run(signal: AbortSignal, lead: (term: AbortSignal) => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const held = await this.#acquire(signal);
      if (held === undefined) return;
      await this.#lead(held, lead);
      // Others have their turn: what ended here so soon may work elsewhere.
      await this.#pause(signal);
    }
  }

  async #acquire(signal: AbortSignal): Promise<Held | undefined> {
    while (!signal.aborted) {
      const held = await this.#attempt(signal, this.#renewMs);
      if (held !== undefined) return held;
      await this.#pause(signal);
    }
    return undefined;
  }

  async #lead(held: Held, lead: (term: AbortSignal) => Promise<void>): Promise<void> {
    this.#held = held;
    this.#observer.leading?.(true);
    this.#log.info('leading', { lease: this.#key.name, identity: this.#identity });
    const [term, work] = [new AbortController(), new AbortController()];
    this.#term = term;
    const renewing = this.#renewUntil(work.signal, term);
    try {
      await lead(term.signal);
    } finally {
      work.abort();
      await renewing;
      this.#observer.leading?.(false);
      await this.#release();
    }
  }

  /** Renews the Lease until the work has ended; ends the term when that fails for too long. */
  async #renewUntil(ended: AbortSignal, term: AbortController): Promise<void> {
    let cancel = this.#armLoss(term);
    while (!ended.aborted && !term.signal.aborted) {
      await this.#pause(ended);
      const held = this.#held;
      if (ended.aborted || held === undefined) break;
      const renewed = await this.#attempt(ended, this.#remainingMs(held));
      // The term may have ended meanwhile, and work has been given up: it does not come back to life.
      if (this.#held === undefined) break;
      if (renewed !== undefined) {
        this.#held = renewed;
        cancel();
        cancel = this.#armLoss(term);
      } else if (this.#isTaken()) this.#lose(term, `${this.#lastHolder} holds the lease`);
    }
    cancel();
  }

  #armLoss(term: AbortController): () => void {
    const remainingMs = this.#held === undefined ? 0 : this.#remainingMs(this.#held);
    return this.#clock.schedule(remainingMs, () => this.#lose(term, notRenewed(this.#renewMs)));
  }

  #lose(term: AbortController, why: string): void {
    if (term.signal.aborted) return;
    this.#held = undefined;
    this.#log.error('leadership lost', { lease: this.#key.name, why });
    term.abort(new Error(`leadership lost: ${why}`));
  }

  #remainingMs({ sinceMs }: Held): number {
    return sinceMs + this.#renewMs - this.#clock.monotonicMs();
  }

  #isTaken(): boolean {
    const holder = this.#observation.record?.holder ?? '';
    return holder !== '' && holder !== this.#identity;
  }

  /** Takes or renews the Lease. `undefined`: another replica holds it, or that could not be found out. One request that hangs must leave time for another. */
  async #attempt(signal: AbortSignal, withinMs: number): Promise<Held | undefined> {
    try {
      const held = await this.#takeOrRenew({ signal, deadlineMs: Math.max(1, Math.min(withinMs, this.#renewMs / 2)) });
      this.#solved();
      return held;
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
      return undefined;
    }
  }

  async #takeOrRenew(call: Call): Promise<Held | undefined> {
    const held = this.#held;
    if (held !== undefined) {
      try {
        return await this.#write(held.metadata, held.record, call);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
        this.#observer.slowPath?.();
      }
    }
    const lease = await this.#client.get(Lease, this.#key, call).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (lease === undefined) return this.#create(call);
    const record = recordOf(lease.spec, this.#leaseMs);
    this.#observation.see(record, this.#clock.monotonicMs());
    if (record.holder !== this.#identity && this.#observation.remainingMs(this.#clock.monotonicMs()) > 0) {
      this.#waitFor(record.holder);
      return undefined;
    }
    try {
      return await this.#write(lease.metadata, record, call);
    } catch (error) {
      // Another candidate was quicker.
      if (isConflict(error)) return undefined;
      throw error;
    }
  }

  async #create(call: Call): Promise<Held | undefined> {
    const sentMs = this.#clock.monotonicMs();
    const spec = heldSpec(undefined, this.#identity, this.#leaseMs, this.#now());
    try {
      const { metadata } = await this.#client.create(Lease, { metadata: this.#key, spec }, call);
      return this.#seen(metadata, recordOf(spec, this.#leaseMs), sentMs);
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  async #write(metadata: NamedMeta, before: LeaseRecord, call: Call): Promise<Held> {
    const sentMs = this.#clock.monotonicMs();
    const spec = heldSpec(before, this.#identity, this.#leaseMs, this.#now());
    const updated = await this.#client.update(Lease, { metadata, spec }, call);
    return this.#seen(updated.metadata, recordOf(spec, this.#leaseMs), sentMs);
  }

  #seen(metadata: NamedMeta, record: LeaseRecord, sinceMs: number): Held {
    this.#observation.see(record, this.#clock.monotonicMs());
    this.#lastHolder = record.holder;
    return { metadata, record, sinceMs };
  }

  async #release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return;
    const spec = releasedSpec(held.record, this.#now());
    const call = { deadlineMs: this.#retryMs };
    try {
      // With the resourceVersion of the last renewal: a Lease that another replica holds by now stays with it.
      await this.#client.update(Lease, { metadata: held.metadata, spec }, call).catch(async (error: unknown) => {
        // A renewal that was cut off may have come through.
        const lease = isConflict(error) ? await this.#client.get(Lease, this.#key, call) : undefined;
        if (lease?.spec.holderIdentity !== this.#identity) throw error;
        await this.#client.update(Lease, { metadata: lease.metadata, spec }, call);
      });
      this.#observation.see(recordOf(spec, this.#leaseMs), this.#clock.monotonicMs());
      this.#log.info('leadership released', { lease: this.#key.name });
    } catch (error) {
      this.#log.warn('leadership could not be released; others wait until the lease has expired', { lease: this.#key.name, error });
    }
  }

  /** Says once who leads. */
  #waitFor(holder: string): void {
    if (holder === this.#lastHolder) return;
    this.#lastHolder = holder;
    this.#log.info('waiting to lead', { lease: this.#key.name, leader: holder });
  }

  /** Says a problem once, however often it comes back. */
  #failed(error: unknown): void {
    const problem = messageOf(error);
    const fields = { lease: this.#key.name, error };
    if (problem === this.#lastProblem) this.#log.debug('the lease could not be taken or renewed', fields);
    else this.#log.warn('the lease could not be taken or renewed; trying again', fields);
    this.#lastProblem = problem;
  }

  #solved(): void {
    if (this.#lastProblem !== '') this.#log.info('the lease can be read and written again', { lease: this.#key.name });
    this.#lastProblem = '';
  }

  #now(): string {
    // MicroTime: the API has microseconds, JavaScript milliseconds.
    return new Date(this.#clock.wallMs()).toISOString().replace('Z', '000Z');
  }

  #pause(signal: AbortSignal): Promise<void> {
    return pause(this.#clock, this.#retryMs * (1 + JITTER * this.#random()), signal);
  }
}
