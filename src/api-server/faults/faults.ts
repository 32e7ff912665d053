import type { Clock } from '../clock/index.js';
import type { Fault, Intercept, InterceptedRequest, WatchAction } from '../http/index.js';
import { FaultError } from './errors.js';
import { FaultLog, type FaultRecord } from './fault-log.js';
import { HeldBack } from './held-back.js';
import { matches, type RequestMatch, WRITE_VERBS } from './match.js';
import { type ObjectEvent, type OpenWatch, OpenWatches } from './open-watches.js';
import { mayBeOld, type SeededOptions, SeededRule } from './seeded-rule.js';
import { expired, type FailOptions, failure } from './statuses.js';
import { type OrderedFault, type StrikeOptions, Strikes } from './strikes.js';
import {
  DelayRule,
  DuplicateRule,
  EndRule,
  type WatchEnd,
  type WatchEndRule,
  type WatchEventRule,
  type WatchRule,
  type WatchRuleSurroundings,
} from './watch-rules.js';

/** A fault of requests. `times`: default 1. */
export interface RequestRule extends RequestMatch, StrikeOptions {}

export interface FailRule extends RequestRule, FailOptions {}

export interface DropRule extends RequestRule {
  /** `before` anything is done, or `after` all is done and only the answer is missing. Default `before`. */
  readonly when?: 'before' | 'after';
}

/** `times`: default without end. */
export interface RequestDelayRule extends RequestRule {
  /** Milliseconds of the server's clock: under a FakeClock the request waits until the test moves it. */
  readonly ms: number;
  /** Handled late, or handled and answered late. Default `before`. */
  readonly when?: 'before' | 'after';
}

/** `expire` of watches that shall be resumed: they are answered with HTTP 410. */
export interface ExpireStatusRule extends WatchEndRule {
  readonly as: 'status';
}

export interface ExpireEventRule extends WatchEndRule {
  /** `event`: 200, and then an ERROR event, as a real server says it. Default. */
  readonly as?: 'event';
}

/** A lease, and the holder that it is given. */
export interface StolenLease {
  readonly namespace: string;
  readonly name: string;
  readonly holder: string;
}

/** The parts of the server that faults work on. */
export interface FaultSurroundings {
  readonly clock: Clock;
  /** The revision of the store, now. */
  readonly revision: () => number;
  /** Users whose requests nothing happens to unless a fault names them. */
  readonly exempt: readonly string[];
  readonly stealLease: (lease: StolenLease) => Promise<void>;
}

interface OrderedRequestFault {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  /** `undefined` if the fault cannot strike the request. */
  readonly decide: (request: InterceptedRequest) => Fault | undefined;
  readonly word: string;
}

interface OrderedEffect {
  readonly decide: OrderedRequestFault['decide'];
  readonly removed?: () => void;
}

/**
 * Faults between the API server and its clients.
 *
 * Each fault is ordered for what it matches (verb, kind, namespace, name, user); the requests of the test itself are spared unless the fault names their user.
 * Guarantees: the same requests in the same order meet the same faults, in each run; a request meets one fault at most, the one that was ordered first;
 * {@link log} lists the faults that struck.
 *
 * @example
 * ```ts
 * cluster.faults.fail({ verb: 'update', kind: 'ConfigMap', status: 409, times: 2 });
 * cluster.faults.crashAfterWrites(3);
 * console.log(cluster.faults.log);
 * ```
 */
export class Faults {
  readonly #surroundings: FaultSurroundings;
  readonly #exempt: ReadonlySet<string>;
  readonly #log: FaultLog;
  readonly #requestFaults = new Set<OrderedRequestFault | SeededRule>();
  readonly #watchRules = new Set<WatchRule>();
  readonly #watches: OpenWatches;

  constructor(surroundings: FaultSurroundings) {
    this.#surroundings = surroundings;
    this.#exempt = new Set(surroundings.exempt);
    this.#log = new FaultLog(() => surroundings.clock.now());
    this.#watches = new OpenWatches({
      opened: (watch) => {
        for (const rule of this.#rulesFor(watch)) rule.opened?.(watch);
      },
      event: (watch, event) => this.#actionFor(watch, event),
    });
  }

  /** All that has gone wrong by order, oldest first. */
  get log(): readonly FaultRecord[] {
    return this.#log.records;
  }

  /** For the server: asked before each request is handled. */
  readonly intercept: Intercept = (request) => {
    for (const fault of this.#requestFaults) {
      if (!matches(fault.match, request, this.#exempt)) continue;
      const decided = fault instanceof SeededRule ? fault.request(request) : this.#strike(fault, request);
      if (decided !== undefined) return decided;
    }
    return request.info.verb === 'watch' ? { do: 'watch', fault: this.#watches.follow(request) } : undefined;
  };

  /** Answers matching requests with a refusal; nothing is done. */
  fail({ status, message, retryAfterSeconds, ...rule }: FailRule): OrderedFault {
    const options = {
      status,
      ...(message === undefined ? {} : { message }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return this.#order(
      `fail ${status}`,
      { times: 1, ...rule },
      {
        decide: (request) => ({ do: 'answer', status: failure(options, request) }),
      },
    );
  }

  /** Breaks connections: of matching requests, or (with `watch`) of watches that are on. */
  drop(rule: DropRule | WatchEndRule): OrderedFault {
    if ('watch' in rule) return this.#end('drop', rule);
    const { when = 'before', ...match } = rule;
    return this.#order(`drop ${when}`, { times: 1, ...match }, { decide: () => ({ do: 'drop', when }) });
  }

  /** Handles or answers matching requests late, or (with `watch`) sends events late. Until it is removed, unless `times` are given. */
  delay(rule: RequestDelayRule | (WatchEventRule & { readonly ms: number })): OrderedFault {
    if ('watch' in rule) return this.#add(new DelayRule(rule, this.#ruleSurroundings));
    const { ms, when = 'before', ...match } = rule;
    const timer = new HeldBack(this.#surroundings.clock);
    return this.#order(`delay ${ms} ms`, match, {
      decide: () => ({ do: 'delay', ms, when, timer }),
      removed: () => timer.releaseAll(),
    });
  }

  /** Sends events twice. */
  duplicate(rule: WatchEventRule): OrderedFault {
    return this.#add(new DuplicateRule(rule, this.#ruleSurroundings));
  }

  /** Makes watches stay open and say nothing any more, not even bookmarks: what is left when a connection dies between two machines. */
  silence(rule: WatchEndRule): OrderedFault {
    return this.#end('silence', rule);
  }

  /** Ends watches in good order, as at their time limit. */
  closeCleanly(rule: WatchEndRule): OrderedFault {
    return this.#end('close', rule);
  }

  /** Tells watches that the history which they want is gone: 410, as an ERROR event (default), or as the status of watches that shall be resumed. */
  expire(rule: ExpireEventRule | ExpireStatusRule): OrderedFault {
    const { as = 'event', watch, ...rest } = rule;
    if (as === 'event') return this.#end('expire', { watch, ...rest });
    const match = { times: 1, ...rest, verb: 'watch', ...(watch === '*' ? {} : { kind: watch }) } as const;
    return this.#order('expire the watch', match, {
      decide: ({ query }) => (Number(query.get('resourceVersion') ?? 0) > 0 ? { do: 'answer', status: EXPIRED } : undefined),
    });
  }

  /**
   * From now on, lists that may be old (`resourceVersion=0`) show the state of this moment, as a server does whose cache hangs. Until it is removed, unless
   * `times` are given. Other lists are answered from the newest state, as by every server.
   */
  staleLists(rule: Omit<RequestRule, 'verb'> = {}): OrderedFault {
    const resourceVersion = String(this.#surroundings.revision());
    return this.#order(
      'stale list',
      { ...rule, verb: 'list' },
      {
        decide: ({ info, query }) => (mayBeOld(info.verb, query) ? { do: 'read-at', resourceVersion } : undefined),
      },
    );
  }

  /** Breaks the connection when the n-th matching write is done, before its answer: whether it was, the client does not know. */
  crashAfterWrites(n: number, match: Omit<RequestMatch, 'verb'> = {}): OrderedFault {
    if (!Number.isInteger(n) || n < 1) throw new FaultError(`faults: crashAfterWrites(${n}): give a number of writes, 1 or more`);
    const rule = { ...match, verb: WRITE_VERBS, after: n - 1, times: 1 };
    return this.#order(`crash after write ${n}`, rule, {
      decide: ({ query }) => (query.has('dryRun') ? undefined : { do: 'drop', when: 'after' }),
    });
  }

  /**
   * Gives a Lease to another holder, as its former holder finds it after it has been away for too long.
   *
   * @throws FaultError when there is no such Lease
   */
  async stealLease(name: string, { namespace = 'default', holder = 'thief' }: Partial<Omit<StolenLease, 'name'>> = {}): Promise<void> {
    await this.#surroundings.stealLease({ namespace, name, holder });
  }

  /** Draws faults of all kinds at the given rates. The n-th of equal requests has the same fate in each run with this seed, in whatever order they mix. */
  seeded(seed: number, options: SeededOptions): OrderedFault {
    const wrong = Object.entries(options.rates).find(([, rate]) => !(rate >= 0 && rate <= 1));
    if (wrong !== undefined) throw new FaultError(`faults: the rate ${wrong[0]} is ${wrong[1]}; give a number from 0 to 1`);
    const rule = new SeededRule(seed, options, { ...this.#ruleSurroundings, remove: (removed) => this.#remove(removed) });
    this.#requestFaults.add(rule);
    this.#watchRules.add(rule);
    return rule.strikes;
  }

  /** Takes all faults back. Requests and events that are held back are let go; watches that fell silent stay so, as dead connections do. */
  clear(): void {
    for (const { strikes } of [...this.#requestFaults, ...this.#watchRules]) strikes.remove();
  }

  get #ruleSurroundings(): WatchRuleSurroundings {
    const { clock, revision } = this.#surroundings;
    const remove = (rule: WatchRule): boolean => this.#watchRules.delete(rule);
    return { clock, revision, watches: this.#watches, log: this.#log, exempt: this.#exempt, remove };
  }

  #end(end: WatchEnd, rule: WatchEndRule): OrderedFault {
    return this.#add(new EndRule(end, rule, this.#ruleSurroundings));
  }

  #add(rule: WatchRule): OrderedFault {
    this.#watchRules.add(rule);
    return rule.strikes;
  }

  #order(word: string, { after, times, ...match }: RequestRule, { decide, removed }: OrderedEffect): OrderedFault {
    const counts = { ...(after === undefined ? {} : { after }), ...(times === undefined ? {} : { times }) };
    const fault: OrderedRequestFault = {
      match,
      decide,
      word,
      strikes: new Strikes(counts, () => {
        this.#requestFaults.delete(fault);
        removed?.();
      }),
    };
    this.#requestFaults.add(fault);
    return fault.strikes;
  }

  #strike({ decide, strikes, word }: OrderedRequestFault, request: InterceptedRequest): Fault | undefined {
    if (strikes.isSpent) return undefined;
    const fault = decide(request);
    if (fault === undefined || !strikes.takes()) return undefined;
    this.#log.add(word, request);
    return fault;
  }

  #remove(rule: SeededRule): void {
    this.#requestFaults.delete(rule);
    this.#watchRules.delete(rule);
  }

  #actionFor(watch: OpenWatch, event: ObjectEvent): WatchAction | Promise<WatchAction> {
    for (const rule of this.#rulesFor(watch)) {
      const action = rule.event(watch, event);
      if (action !== undefined) return action;
    }
    return 'pass';
  }

  #rulesFor(watch: OpenWatch): readonly WatchRule[] {
    return [...this.#watchRules].filter(({ match }) => matches(match, watch, this.#exempt));
  }
}

const EXPIRED = expired('too old resource version: a fault was ordered');
