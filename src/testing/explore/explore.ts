import type { Nothing, Operator, OperatorModel } from '../../definition/index.js';
import type { InProcessOptions } from '../cluster/index.js';
import { draws } from './draws.js';
import type { Ending, Setting } from './ending.js';
import { ExplorationError, ExplorationSetupError } from './errors.js';
import { explanationOf } from './explanation.js';
import { freshlyMade } from './fresh.js';
import { openingsOf } from './openings.js';
import { drawPlan, type FaultChoice, type FaultSorts, faultsOf, type Openings, type Plan, undisturbed } from './plan.js';
import { type Played, play } from './play.js';
import { shrunk } from './shrink.js';
import { type Stage, type Step, type User, userOf } from './story.js';
import { World } from './world.js';

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
  /** Paths that are not compared, as masks of a snapshot: `status.attempts`. @defaultValue none */
  readonly ignore?: readonly string[] | undefined;
  /** @defaultValue all judge */
  readonly judges?: Judges | undefined;
  /** Deployments, StatefulSets and Jobs make Pods, which become ready. @defaultValue false: the story sets their statuses */
  readonly workloads?: InProcessOptions['workloads'] | undefined;
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
}

const SHRINKING_RUNS = 120;

/**
 * Plays a story of users against an operator, first undisturbed, then with drawn faults in every seed: the operator is killed at a write and started again, reads old
 * states, misses states, loses answers and its Lease, and its externals time out or answer wrongly.
 *
 * The first seed that ends otherwise than undisturbed is shrunk to the shortest story and the fewest faults that still fail. All time is that of a fake clock.
 *
 * ```ts
 * await explore(operator, {
 *   story: ({ apply, change, remove }) => [
 *     apply(Volume({ metadata: { name: 'a' }, spec: { size: 1 } })),
 *     change(Volume, 'a', { spec: { size: 2 } }),
 *     remove(Volume, 'a'),
 *   ],
 *   externals: () => ({ cloud: new FakeCloud() }),
 *   outside: ({ cloud }) => cloud.disks,
 *   seeds: 1000,
 * });
 * ```
 *
 * @throws ExplorationError with what was disturbed when, what differs, and how to play it again
 * @throws ExplorationSetupError for a story that cannot be played even undisturbed
 */
export async function explore<TExternals = Nothing>(
  operator: Operator<TExternals>,
  options: ExploreOptions<NoInfer<TExternals>> & MakesExternals<NoInfer<TExternals>>,
): Promise<Exploration> {
  const explorer = await Explorer.open(operator, options as unknown as ErasedOptions);
  try {
    return await explorer.explore();
  } finally {
    await explorer.close();
  }
}

type ErasedOptions = ExploreOptions<never> & { readonly externals?: () => Readonly<Record<string, unknown>> };

interface Seeds {
  readonly from: number;
  readonly count: number;
}

class Explorer {
  readonly #world: World;
  readonly #setting: Setting;
  readonly #name: string;
  readonly #seeds: Seeds;
  readonly #workloads: boolean;
  readonly #faults: FaultSorts;
  readonly #references = new Map<string, Ending | undefined>();
  readonly #disturbances = new Map<string, number>();
  #runs = 0;

  private constructor(
    world: World,
    { options, name, seeds }: { readonly options: ErasedOptions; readonly name: string; readonly seeds: Seeds },
  ) {
    this.#world = world;
    this.#name = name;
    this.#seeds = seeds;
    this.#workloads = (options.workloads ?? false) !== false;
    this.#faults = faultsOf(options.faults);
    const { fresh = true, made = true, deleted = true, quiet = true, status = true } = options.judges ?? {};
    this.#setting = {
      steps: options.story(userOf<never>()) as readonly Step<never>[],
      externals: options.externals ?? (() => ({})),
      invariant: options.invariant,
      outside: options.outside,
      ignore: options.ignore ?? [],
      judges: { fresh, made, deleted, quiet, status },
    };
    if (this.#setting.steps.length === 0) throw new ExplorationSetupError('story: it has no steps');
  }

  static async open(operator: OperatorModel, options: ErasedOptions): Promise<Explorer> {
    const name = options.name ?? operator.name;
    const seeds = seedsOf(name, options);
    return new Explorer(await World.open(operator, { workloads: options.workloads ?? false }), { options, name, seeds });
  }

  close(): Promise<void> {
    return this.#world.close();
  }

  async explore(): Promise<Exploration> {
    const all = this.#setting.steps.map((_, index) => index);
    const first = await this.#played(undisturbed(all), 0, undefined);
    this.#references.set(JSON.stringify(all), first.ending);
    if (first.finding !== undefined) await this.#fail(undisturbed(all), first, { title: 'undisturbed', seed: 0 });
    if (this.#setting.judges.fresh) await this.#compareWithFresh(first.ending);
    const openings = openingsOf(this.#world.operator, first.ending, { steps: all.length, workloads: this.#workloads });
    const { from, count } = this.#seeds;
    for (let seed = from; seed < from + count; seed += 1) await this.#seed(seed, openings, first.ending);
    return { seeds: count, from, disturbances: Object.fromEntries(this.#disturbances) };
  }

  async #seed(seed: number, openings: Openings, reference: Ending): Promise<void> {
    const plan = drawPlan(openings, this.#faults, draws(seed));
    const played = await this.#played(plan, seed, reference);
    for (const { do: what } of played.ending.struck) this.#disturbances.set(what, (this.#disturbances.get(what) ?? 0) + 1);
    if (played.finding !== undefined) await this.#fail(plan, played, { title: `seed ${seed}`, seed });
  }

  /** @throws ExplorationError with the shortest plan that fails */
  async #fail(whole: Plan, first: Played, { title, seed }: { readonly title: string; readonly seed: number }): Promise<never> {
    const replay = async (plan: Plan): Promise<Played | undefined> => {
      if (plan.disturbances.length === 0 && Object.keys(plan.hurries).length === 0) return this.#played(plan, seed, undefined);
      const reference = await this.#referenceOf(plan.steps);
      return reference && this.#played(plan, seed, reference);
    };
    const judge = first.finding?.judge ?? 'state';
    const { plan, played } = await shrunk({ plan: whole, judge, played: first, replay, most: SHRINKING_RUNS });
    const { ending, finding = first.finding } = played;
    if (finding === undefined) throw new ExplorationSetupError(`${title}: it fails once, and then no more`);
    throw new ExplorationError(explanationOf({ setting: this.#setting, plan, finding, ending, title, command: this.#commandOf(seed) }));
  }

  /** The undisturbed run of some steps. `undefined` if it fails. */
  async #referenceOf(steps: readonly number[]): Promise<Ending | undefined> {
    const key = JSON.stringify(steps);
    if (!this.#references.has(key)) {
      const { ending, finding } = await this.#played(undisturbed(steps), 0, undefined);
      this.#references.set(key, finding === undefined ? ending : undefined);
    }
    return this.#references.get(key);
  }

  async #compareWithFresh(reference: Ending): Promise<void> {
    this.#runs += 1;
    const finding = await freshlyMade(this.#world, this.#setting, { reference, namespace: `fresh-${this.#runs}`, random: draws(0) });
    if (finding === undefined) return;
    const plan = undisturbed(this.#setting.steps.map((_, index) => index));
    throw new ExplorationError(
      explanationOf({ setting: this.#setting, plan, finding, ending: reference, title: 'undisturbed', command: this.#commandOf(0) }),
    );
  }

  #played(plan: Plan, seed: number, reference: Ending | undefined): Promise<Played> {
    this.#runs += 1;
    return play(this.#world, this.#setting, plan, { namespace: `run-${this.#runs}`, random: draws(seed + 0.5), reference });
  }

  #commandOf(seed: number): string {
    return `KEELSON_EXPLORE=${this.#name}:${seed} and the command of this test`;
  }
}

/** @throws ExplorationSetupError for seeds that are not whole numbers */
function seedsOf(name: string, { seeds = 100, from = 1 }: Pick<ErasedOptions, 'seeds' | 'from'>): Seeds {
  const {
    KEELSON_EXPLORE: only = '',
    KEELSON_EXPLORE_SEEDS: count = String(seeds),
    KEELSON_EXPLORE_FROM: first = String(from),
  } = process.env;
  const [played, seed] = only.split(':');
  const found = played === name ? { from: Number(seed), count: Number(seed) === 0 ? 0 : 1 } : { from: Number(first), count: Number(count) };
  if (!Number.isInteger(found.from) || !Number.isInteger(found.count) || found.count < 0)
    throw new ExplorationSetupError(
      `seeds must be whole numbers: KEELSON_EXPLORE=${only}, KEELSON_EXPLORE_SEEDS=${count}, KEELSON_EXPLORE_FROM=${first}`,
    );
  return found;
}
