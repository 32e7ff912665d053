import type { Nothing, SettingsValues } from 'keelson/internal/definition';
import type { InProcessOptions } from '../cluster/index.js';
import type { Exhaustive } from './exhaustive.js';
import type { FaultChoice } from './plan.js';
import type { Stage, Step, User } from './story.js';

/** Judges that can be switched off, each for a reason that the operator has. */
export interface Judges {
  /** The end is that of objects which are made at once as they ended. @defaultValue true */
  readonly fresh?: boolean | undefined;
  /** Objects are made no more often than undisturbed. @defaultValue true */
  readonly made?: boolean | undefined;
  /** Objects are deleted no more often than undisturbed. @defaultValue true */
  readonly deleted?: boolean | undefined;
  /** Nothing is written for 20 s when nothing happens. @defaultValue true */
  readonly quiet?: boolean | undefined;
  /** A status does not claim that workloads work which do not, and is about the newest generation. @defaultValue true */
  readonly status?: boolean | undefined;
}

export interface ExploreOptions<TExternals = Nothing> {
  /** Steps of users, and events around the operator: the same in every run. */
  readonly story: (user: User<TExternals>) => readonly Step<TExternals>[];
  /** Throws, or returns false, where the application is not as it must always be; asked after each step of the story and at the end. @defaultValue none */
  readonly invariant?: ((stage: Stage<TExternals>) => unknown) | undefined;
  /** Picks the part of the externals that is compared at the end, as JSON. @defaultValue nothing is compared */
  readonly outside?: ((externals: TExternals) => unknown) | undefined;
  /**
   * How many seeds are tried. The environment variable `KEELSON_EXPLORE_SEEDS` goes before it.
   * @defaultValue 100
   */
  readonly seeds?: number | undefined;
  /**
   * The first seed. The environment variable `KEELSON_EXPLORE_FROM` goes before it.
   * @defaultValue 1
   */
  readonly from?: number | undefined;
  /**
   * Plays every fault once instead of drawn ones: `singles` each fault alone, at each write of the operator, each change of an object and each call of an
   * external; `pairs` also each fault that can follow it. `seeds` and `from` then count the single faults; without `seeds` all are played.
   * @defaultValue faults are drawn
   */
  readonly exhaustive?: Exhaustive | undefined;
  /** Paths that are not compared, as masks of a snapshot: `status.attempts`. @defaultValue none */
  readonly ignore?: readonly string[] | undefined;
  /**
   * Further namespaces of a run. Objects name theirs, and steps say `team-b/a`; an operator that is limited to namespaces serves them too.
   * @defaultValue none: every object is in the namespace of the run
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Resources whose objects are deleted no more often than undisturbed: `['pods']`. Objects of other controllers count too. A Pod that was replaced looks like the one before it.
   * @defaultValue none
   */
  readonly keeps?: readonly string[] | undefined;
  /** @defaultValue all judge */
  readonly judges?: Judges | undefined;
  /** Deployments, StatefulSets and Jobs make Pods, which become ready. @defaultValue false: the story sets their statuses */
  readonly workloads?: InProcessOptions['workloads'] | undefined;
  /** Values of the operator's own settings: `[config.values({ ... })]`. @defaultValue their defaults */
  readonly values?: readonly SettingsValues[] | undefined;
  /** Faults that are left out, or added. */
  readonly faults?: FaultChoice | undefined;
  /** Tells this exploration from others of the operator, in `KEELSON_EXPLORE`. @defaultValue the name of the operator */
  readonly name?: string | undefined;
}

/** Makes the fakes of a run: every run begins with new ones. */
export type MakesExternals<TExternals> = [keyof TExternals] extends [never] ? unknown : { readonly externals: () => TExternals };

/** The extent of an exploration that found nothing. */
export interface Exploration {
  readonly seeds: number;
  /** The first of them. */
  readonly from: number;
  /** Disturbances that have happened, by their sort. */
  readonly disturbances: Readonly<Record<string, number>>;
  /** The claim that an exhaustive exploration proves: `from every single fault at each of its 41 writes it comes to the same end`. `undefined` if a part was played. */
  readonly proves?: string | undefined;
}

/** The options without the types of their operator. */
export type ErasedOptions = ExploreOptions<never> & { readonly externals?: () => Readonly<Record<string, unknown>> };
