import type { Clock } from '../clock/index.js';
import type { Fault, WatchAction } from '../http/index.js';
import { Draws } from './draw.js';
import type { FaultLog } from './fault-log.js';
import { HeldBack } from './held-back.js';
import { type MatchedRequest, type RequestMatch, WRITE_VERBS } from './match.js';
import type { ObjectEvent, OpenWatch } from './open-watches.js';
import { expired, failure } from './statuses.js';
import { type StrikeOptions, Strikes } from './strikes.js';
import { keyOf, type WatchRule } from './watch-rules.js';

/** Shares of the requests, or of the events of watches, that go wrong: numbers from 0 to 1. A fault without a share does not happen. */
export interface FaultRates {
  /** Updates and patches that are answered with 409 Conflict. */
  readonly conflict?: number;
  /** Requests that are answered with 429, 500, 503. */
  readonly tooManyRequests?: number;
  readonly serverError?: number;
  readonly unavailable?: number;
  /** Requests whose connection breaks before anything is done. */
  readonly dropBefore?: number;
  /** Requests that are done, but whose connection breaks before the answer. */
  readonly dropAfter?: number;
  /** Requests that are handled late. */
  readonly delay?: number;
  /** Lists that may be old (`resourceVersion=0`) and are: they show the state when the faults were ordered. */
  readonly staleList?: number;
  /** Watches that shall be resumed and are answered with 410. */
  readonly expireWatch?: number;
  /** Events in whose place the connection breaks, the watch ends as at its time limit, ends with an ERROR 410, or falls silent for good. */
  readonly dropAtEvent?: number;
  readonly closeAtEvent?: number;
  readonly expireAtEvent?: number;
  readonly silenceAtEvent?: number;
  /** Events that are sent twice. */
  readonly duplicateEvent?: number;
  /** Events that are held back. */
  readonly delayEvent?: number;
}

export interface SeededOptions extends StrikeOptions {
  readonly rates: FaultRates;
  /** Default: all requests but those of the test itself. */
  readonly match?: RequestMatch;
  /** The delay, in milliseconds of the server's clock. Default 100. */
  readonly delayMs?: number;
}

export interface SeededSurroundings {
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly revision: () => number;
  readonly remove: (rule: SeededRule) => void;
}

type Rate = keyof FaultRates;

const REQUEST_RATES: readonly Rate[] = [
  'conflict',
  'tooManyRequests',
  'serverError',
  'unavailable',
  'dropBefore',
  'dropAfter',
  'delay',
  'staleList',
  'expireWatch',
];
const EVENT_RATES: readonly Rate[] = ['dropAtEvent', 'closeAtEvent', 'expireAtEvent', 'silenceAtEvent', 'duplicateEvent', 'delayEvent'];
const DELAY_MS = 100;

/** Draws one of all faults, or none, for each request and each event. */
export class SeededRule implements WatchRule {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  readonly #draws: Draws;
  readonly #rates: FaultRates;
  readonly #delayMs: number;
  readonly #surroundings: SeededSurroundings;
  readonly #held: HeldBack;
  readonly #since: string;
  /** Watches that look alike are numbered in the order in which they came, each with fates of its own. */
  readonly #ordinals = new WeakMap<OpenWatch, number>();
  readonly #alike = new Map<string, number>();

  constructor(seed: number, { rates, match = {}, delayMs = DELAY_MS, ...counts }: SeededOptions, surroundings: SeededSurroundings) {
    this.match = match;
    this.#draws = new Draws(seed);
    this.#rates = rates;
    this.#delayMs = delayMs;
    this.#surroundings = surroundings;
    this.#held = new HeldBack(surroundings.clock);
    this.#since = String(surroundings.revision());
    this.strikes = new Strikes(counts, () => {
      surroundings.remove(this);
      this.#held.releaseAll();
    });
  }

  request(request: MatchedRequest & { readonly query: URLSearchParams }): Fault | undefined {
    const { info, user } = request;
    const may = REQUEST_RATES.filter((rate) => isPossible(rate, request));
    const { verb, group, resource, subresource, namespace, name } = info;
    const rate = this.#draw(may, ['request', user.username, verb, group, resource, subresource, namespace, name]);
    if (rate === undefined || !this.strikes.takes()) return undefined;
    this.#surroundings.log.add(rate, request);
    return this.#faultOf(rate, request);
  }

  opened(watch: OpenWatch): void {
    this.#nameOf(watch);
  }

  event(watch: OpenWatch, event: ObjectEvent): WatchAction | Promise<WatchAction> | undefined {
    const object = keyOf(event);
    const rate = this.#draw(EVENT_RATES, ['event', this.#nameOf(watch), object.namespace, object.name]);
    if (rate === undefined || !this.strikes.takes()) return undefined;
    this.#surroundings.log.add(rate, { ...watch, object });
    return this.#actionOf(rate, watch);
  }

  #nameOf(watch: OpenWatch): string {
    const { group, resource, namespace, name } = watch.info;
    const look = [watch.user.username, group, resource, namespace, name].join(' ');
    const ordinal = this.#ordinals.get(watch) ?? this.#alike.get(look) ?? 0;
    if (!this.#ordinals.has(watch)) this.#alike.set(look, ordinal + 1);
    this.#ordinals.set(watch, ordinal);
    return `${look} ${ordinal}`;
  }

  /** Rates share one draw: a request meets one fault at most. */
  #draw(rates: readonly Rate[], name: readonly string[]): Rate | undefined {
    let rest = this.#draws.next(name.join(' '));
    for (const rate of rates) {
      rest -= this.#rates[rate] ?? 0;
      if (rest < 0) return rate;
    }
    return undefined;
  }

  #faultOf(rate: Rate, request: MatchedRequest): Fault | undefined {
    switch (rate) {
      case 'conflict':
        return { do: 'answer', status: failure({ status: 409 }, request) };
      case 'tooManyRequests':
        return { do: 'answer', status: failure({ status: 429 }, request) };
      case 'serverError':
        return { do: 'answer', status: failure({ status: 500 }, request) };
      case 'unavailable':
        return { do: 'answer', status: failure({ status: 503 }, request) };
      case 'dropBefore':
      case 'dropAfter':
        return { do: 'drop', when: rate === 'dropBefore' ? 'before' : 'after' };
      case 'delay':
        return { do: 'delay', ms: this.#delayMs, when: 'before', timer: this.#held };
      case 'staleList':
        return { do: 'read-at', resourceVersion: this.#since };
      case 'expireWatch':
        return { do: 'answer', status: EXPIRED };
      default:
        return undefined;
    }
  }

  #actionOf(rate: Rate, watch: OpenWatch): WatchAction | Promise<WatchAction> {
    switch (rate) {
      case 'dropAtEvent':
        return 'cut';
      case 'closeAtEvent':
        return 'end';
      case 'expireAtEvent':
        return EXPIRED;
      case 'silenceAtEvent':
        watch.isSilent = true;
        return 'omit';
      case 'delayEvent':
        return new Promise((resolve) => this.#held.schedule(this.#delayMs, () => resolve('pass')));
      default:
        return 'duplicate';
    }
  }
}

const EXPIRED = expired('too old resource version: a fault was ordered');

function isPossible(rate: Rate, { info: { verb }, query }: { info: MatchedRequest['info']; query: URLSearchParams }): boolean {
  if (rate === 'conflict') return verb === 'update' || verb === 'patch';
  if (rate === 'staleList') return mayBeOld(verb, query);
  if (rate === 'expireWatch') return verb === 'watch' && Number(query.get('resourceVersion') ?? 0) > 0;
  return rate !== 'dropAfter' || WRITE_VERBS.some((write) => write === verb) || verb === 'get' || verb === 'list';
}

/** A list that is content with what a cache holds. Others are answered from the newest state by every server. */
export function mayBeOld(verb: string, query: URLSearchParams): boolean {
  return verb === 'list' && query.get('resourceVersion') === '0' && (query.get('resourceVersionMatch') ?? '') !== 'Exact';
}
