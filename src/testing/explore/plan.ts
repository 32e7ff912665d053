import type { ExternalFault } from './external-faults.js';
import type { History, Mark } from './history.js';
import type { GoingOn } from './old-state.js';
import type { ValueMove } from './values.js';

/** A fault and its moment. */
export type Disturbance =
  | {
      readonly do: 'kill';
      readonly at: Mark /** It is started again only after the next step of the story. */;
      readonly staysAway: boolean;
    }
  | { readonly do: 'lose'; readonly at: Mark }
  /** Refused so often in a row. */
  | { readonly do: 'refuse'; readonly at: Mark; readonly status: 409 | 429 | 500 | 503; readonly times: number }
  | {
      readonly do: 'stand-still';
      readonly from: Mark;
      /** Or after this step of the story. */
      readonly until: Mark | { readonly step: number };
      readonly how: GoingOn;
      readonly readers: 'all' | 'restarted' | 'standby';
    }
  | { readonly do: 'break-watch'; readonly at: Mark; readonly how: WatchBreak }
  | { readonly do: 'steal'; readonly at: Mark }
  | { readonly do: 'external'; readonly at: Mark; readonly times: number; readonly fault: ExternalFault }
  | { readonly do: 'mistake'; readonly after: number; readonly mistake: Mistake; readonly isSeen: boolean }
  /** All writes of a verb and a resource are refused, from one of them until the end of a step. */
  | {
      readonly do: 'forbid';
      readonly from: Mark;
      readonly what: string;
      readonly why: LastingRefusal;
      readonly until: { readonly step: number };
    }
  /** Another release of the operator takes over, at a moment or after a step. */
  | { readonly do: 'release'; readonly at: Mark | { readonly step: number }; readonly release: number }
  /** A field has another valid value for a while. */
  | { readonly do: 'value'; readonly after: number; readonly move: ValueMove }
  | { readonly do: 'break'; readonly after: number; readonly kind: string; readonly name: string };

/** The end of a watch: its connection breaks, its history is gone (410), or nothing comes any more. */
export type WatchBreak = 'breaks' | 'expires' | 'falls silent';

/** Why an API server refuses writes for a long time. */
export type LastingRefusal = 'a role lost the right' | 'a quota is used up' | "another's webhook denies it";

/** A change of a custom resource to something invalid, which is taken back. */
export interface Mistake {
  readonly kind: string;
  readonly name: string;
  readonly path: readonly string[];
  readonly value: string;
}

/** A run that is to be: the story, how much of it waits for the operator, and what goes wrong. */
export interface Plan {
  /** Numbers of the steps that are played. */
  readonly steps: readonly number[];
  /** By number of the step: so many timers may fire before the next step. Without it the operator comes to rest. */
  readonly hurries: Readonly<Record<number, number>>;
  readonly replicas: 1 | 2;
  /** Number of the release that runs first. */
  readonly release: number;
  readonly disturbances: readonly Disturbance[];
}

/** Moments and objects that can be disturbed: those of the undisturbed run. */
export interface Openings {
  readonly history: History;
  /** Those of the undisturbed runs of each release; the last is `history`. */
  readonly histories: readonly History[];
  readonly steps: number;
  readonly mistakes: readonly (Mistake & { readonly after: number })[];
  readonly values: readonly (ValueMove & { readonly after: number })[];
  readonly breakable: readonly { readonly kind: string; readonly name: string; readonly after: number }[];
}

export function undisturbed(steps: readonly number[], release = 0): Plan {
  return { steps, hurries: {}, replicas: 1, release, disturbances: [] };
}

/** Sorts of faults. */
export interface FaultSorts {
  /** The operator is killed, and started again. @defaultValue true */
  readonly kills: boolean;
  /** Answers to writes are lost, and writes are refused: conflicts, 429, 500, 503. @defaultValue true */
  readonly requests: boolean;
  /** Writes of a verb and a resource are refused with 403 for some steps: a role shrank, a quota is used up, a webhook of another denies them. @defaultValue false */
  readonly lastingRefusals: boolean;
  /** Caches stand still, go back in time when the operator is started again, and never see what was between. @defaultValue true */
  readonly oldStates: boolean;
  /** Watches of the operator break or expire. Without `oldStates` they also fall silent, while lists show what exists. @defaultValue true */
  readonly watches: boolean;
  /** Two replicas run, and their Lease is taken away. @defaultValue true */
  readonly leases: boolean;
  /** Calls of externals are done, and time out. @defaultValue true */
  readonly timeouts: boolean;
  /** Calls of externals are not done, and fail. @defaultValue true */
  readonly failures: boolean;
  /** Externals answer with empty lists, with zero, or with nothing where they sometimes do. @defaultValue true */
  readonly emptyAnswers: boolean;
  /** Externals answer as before a change that was not the operator's own. @defaultValue true */
  readonly staleAnswers: boolean;
  /** Words in the answers of externals are unheard of, as a newer version may have them. @defaultValue true */
  readonly unknownAnswers: boolean;
  /** Externals answer with lists that lack an element, other numbers, yes for no. @defaultValue false: few operators can live with lies */
  readonly wrongAnswers: boolean;
  /** Enumerated values of custom resources are unheard of, and become what they were. @defaultValue true */
  readonly mistakes: boolean;
  /** Fields of custom resources are moved as a user may: to a bound, to null, away, from absent to a value, and back. @defaultValue false */
  readonly values: boolean;
  /** Workloads of the operator stop working, and work again. @defaultValue true */
  readonly breakdowns: boolean;
}

/** Sorts that are to be otherwise than by default. */
export type FaultChoice = { readonly [F in keyof FaultSorts]?: boolean | undefined };

/** Faults that are off by default: many correct operators have a field whose change has a price. */
const OFF: ReadonlySet<keyof FaultSorts> = new Set(['lastingRefusals', 'values', 'wrongAnswers']);

export function faultsOf(choice: FaultChoice = {}): FaultSorts {
  const isOn = (fault: keyof FaultSorts): boolean => choice[fault] ?? !OFF.has(fault);
  return {
    kills: isOn('kills'),
    requests: isOn('requests'),
    lastingRefusals: isOn('lastingRefusals'),
    oldStates: isOn('oldStates'),
    watches: isOn('watches'),
    leases: isOn('leases'),
    timeouts: isOn('timeouts'),
    failures: isOn('failures'),
    emptyAnswers: isOn('emptyAnswers'),
    staleAnswers: isOn('staleAnswers'),
    unknownAnswers: isOn('unknownAnswers'),
    wrongAnswers: isOn('wrongAnswers'),
    mistakes: isOn('mistakes'),
    values: isOn('values'),
    breakdowns: isOn('breakdowns'),
  };
}
