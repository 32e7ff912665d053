import type { Clock } from '../clock/index.js';
import type { WatchAction } from '../http/index.js';
import { FaultError } from './errors.js';
import type { FaultLog } from './fault-log.js';
import { HeldBack } from './held-back.js';
import { type KindOrResource, matches, type RequestMatch, resourceName } from './match.js';
import type { ObjectEvent, OpenWatch, OpenWatches } from './open-watches.js';
import { expired } from './statuses.js';
import { type StrikeOptions, Strikes } from './strikes.js';

/** Which watches are meant. */
export interface WatchMatch {
  /** The watched kind; `'*'`: any. */
  readonly watch: KindOrResource;
  /** Default: watches of one namespace, and of all. */
  readonly namespace?: string;
  /** For watches that select one object by `metadata.name`. */
  readonly name?: string;
  /** Default: all users but the test itself. */
  readonly user?: string;
}

/**
 * A fault that ends a watch, or silences it. Without `after` and `times` it strikes the watches that are open now.
 *
 * `after`: each of them is struck in place of its n+1st event from now on. `times`: so many watches are struck, those to come among them.
 */
export interface WatchEndRule extends WatchMatch, StrikeOptions {}

/** A fault of single events, of watches that are open and to come. */
export interface WatchEventRule extends WatchMatch, StrikeOptions {}

export interface WatchRule {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  opened?(watch: OpenWatch): void;
  event(watch: OpenWatch, event: ObjectEvent): WatchAction | Promise<WatchAction> | undefined;
}

export type WatchEnd = 'drop' | 'close' | 'expire' | 'silence';

export interface WatchRuleSurroundings {
  readonly watches: OpenWatches;
  readonly log: FaultLog;
  readonly clock: Clock;
  /** The revision of the store, now. */
  readonly revision: () => number;
  readonly exempt: ReadonlySet<string>;
  readonly remove: (rule: WatchRule) => void;
}

const WORDS: Readonly<Record<WatchEnd, string>> = {
  drop: 'drop the watch',
  close: 'close the watch',
  expire: 'expire the watch',
  silence: 'silence the watch',
};

/** Ends matching watches, or makes them fall silent. @throws FaultError when none is open and none to come is meant */
export class EndRule implements WatchRule {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  readonly #end: WatchEnd;
  readonly #surroundings: WatchRuleSurroundings;
  readonly #after: number | undefined;
  readonly #takesComing: boolean;
  /** Events that may still pass, of the watches that are to be struck. */
  readonly #targets = new Map<OpenWatch, number>();

  constructor(end: WatchEnd, { after, times, ...watches }: WatchEndRule, surroundings: WatchRuleSurroundings) {
    this.match = watchMatch(watches);
    this.#end = end;
    this.#surroundings = surroundings;
    this.#after = after;
    this.#takesComing = times !== undefined;
    this.strikes = new Strikes(times === undefined ? {} : { times }, () => surroundings.remove(this));
    const open = surroundings.watches.all.filter((watch) => matches(this.match, watch, surroundings.exempt));
    if (open.length === 0 && !this.#takesComing) throw new FaultError(nothingOpen(end, watches));
    for (const watch of open) this.#aim(watch);
  }

  opened(watch: OpenWatch): void {
    if (this.#takesComing) this.#aim(watch);
  }

  event(watch: OpenWatch): WatchAction | undefined {
    const toPass = this.#targets.get(watch);
    if (toPass === undefined || this.strikes.isSpent) return undefined;
    if (toPass > 0) {
      this.#targets.set(watch, toPass - 1);
      return undefined;
    }
    this.#targets.delete(watch);
    this.#tell(watch);
    return this.#inPlaceOfEvent(watch);
  }

  #aim(watch: OpenWatch): void {
    if (this.strikes.isSpent) return;
    if (this.#after !== undefined) {
      this.#targets.set(watch, this.#after);
      return;
    }
    this.#tell(watch);
    const { control } = watch;
    if (this.#end === 'drop') control?.cut();
    else if (this.#end === 'close') control?.end();
    else if (this.#end === 'expire') control?.fail(EXPIRED);
    else watch.isSilent = true;
  }

  #inPlaceOfEvent(watch: OpenWatch): WatchAction {
    switch (this.#end) {
      case 'drop':
        return 'cut';
      case 'close':
        return 'end';
      case 'expire':
        return EXPIRED;
      case 'silence':
        watch.isSilent = true;
        return 'omit';
    }
    throw new TypeError(`no end of a watch: ${JSON.stringify(this.#end satisfies never)}`);
  }

  #tell(watch: OpenWatch): void {
    this.strikes.strike();
    this.#surroundings.log.add(WORDS[this.#end], watch);
  }
}

const EXPIRED = expired('too old resource version: a fault was ordered');

/** Sends events twice. */
export class DuplicateRule implements WatchRule {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  readonly #log: FaultLog;

  constructor({ after, times = 1, ...watches }: WatchEventRule, { log, remove }: WatchRuleSurroundings) {
    this.match = watchMatch(watches);
    this.#log = log;
    this.strikes = new Strikes({ times, ...(after === undefined ? {} : { after }) }, () => remove(this));
  }

  event(watch: OpenWatch, event: ObjectEvent): WatchAction | undefined {
    if (!this.strikes.takes()) return undefined;
    this.#log.add('duplicate the event', { ...watch, object: keyOf(event) });
    return 'duplicate';
  }
}

/** Holds events back. Later events of the watch wait with them. */
export class DelayRule implements WatchRule {
  readonly match: RequestMatch;
  readonly strikes: Strikes;
  readonly #ms: number;
  readonly #surroundings: WatchRuleSurroundings;
  readonly #held: HeldBack;
  /** For each watch: events up to this revision have waited. */
  readonly #waited = new WeakMap<OpenWatch, number>();

  constructor({ after, times, ms, ...watches }: WatchEventRule & { readonly ms: number }, surroundings: WatchRuleSurroundings) {
    this.match = watchMatch(watches);
    this.#ms = ms;
    this.#surroundings = surroundings;
    this.#held = new HeldBack(surroundings.clock);
    const counts = { ...(after === undefined ? {} : { after }), ...(times === undefined ? {} : { times }) };
    this.strikes = new Strikes(counts, () => {
      surroundings.remove(this);
      this.#held.releaseAll();
    });
  }

  event(watch: OpenWatch, event: ObjectEvent): Promise<WatchAction> | undefined {
    const revision = Number((event.object['metadata'] as { readonly resourceVersion?: string }).resourceVersion);
    if (revision <= (this.#waited.get(watch) ?? 0) || !this.strikes.takes()) return undefined;
    this.#surroundings.log.add(`delay the event ${this.#ms} ms`, { ...watch, object: keyOf(event) });
    return new Promise((resolve) => {
      this.#held.schedule(this.#ms, () => {
        this.#waited.set(watch, this.#surroundings.revision());
        resolve('pass');
      });
    });
  }
}

function watchMatch({ watch, ...rest }: WatchMatch): RequestMatch {
  return { ...rest, verb: 'watch', ...(watch === '*' ? {} : { kind: watch }) };
}

export function keyOf({ object }: ObjectEvent): { readonly namespace: string; readonly name: string } {
  const { namespace = '', name = '' } = object['metadata'] as { readonly namespace?: string; readonly name?: string };
  return { namespace, name };
}

function nothingOpen(end: WatchEnd, { watch, user }: WatchMatch): string {
  const which = `${watch === '*' ? '' : ` of ${resourceName(watch)}`}${user === undefined ? '' : ` by ${user}`}`;
  return `faults: no watch${which} is open that could be ${END_PARTICIPLES[end]}; wait until it is, or give times to strike those to come`;
}

const END_PARTICIPLES: Readonly<Record<WatchEnd, string>> = {
  drop: 'dropped',
  close: 'closed',
  expire: 'expired',
  silence: 'silenced',
};
