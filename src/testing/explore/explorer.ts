import { relative } from 'node:path';
import { shellWord } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from 'keelson/internal/definition';
import { drawPlan } from './draw-plan.js';
import { draws } from './draws.js';
import type { Ending, Setting } from './ending.js';
import { ExplorationError, ExplorationSetupError } from './errors.js';
import {
  type Exhaustive,
  numberOfPair,
  numbersOf,
  planWith,
  proofOf,
  type Single,
  secondFaults,
  singleFaults,
  windowOf,
} from './exhaustive.js';
import { explanationOf } from './explanation.js';
import { freshlyMade } from './fresh.js';
import type { History } from './history.js';
import { openingsOf } from './openings.js';
import type { ErasedOptions, Exploration } from './options.js';
import { type FaultSorts, faultsOf, type Plan, undisturbed } from './plan.js';
import { type Played, play } from './play.js';
import { lastRelease, releasesOf } from './releases.js';
import { shrunk } from './shrink.js';
import { type Step, userOf } from './story.js';
import { World } from './world.js';

const SHRINKING_RUNS = 120;
/** More than an exhaustive exploration has faults. */
const ALL = 1_000_000;

/** Explores, and leaves nothing running. @throws as `explore` */
export async function exploration(
  explored: OperatorModel | { readonly releases: readonly OperatorModel[] },
  options: ErasedOptions,
): Promise<Exploration> {
  const explorer = await Explorer.open(releasesOf(explored), options);
  try {
    return await explorer.explore();
  } finally {
    await explorer.close();
  }
}

interface Seeds {
  readonly from: number;
  readonly count: number;
}

class Explorer {
  readonly #world: World;
  readonly #setting: Setting;
  readonly #name: string;
  readonly #seeds: Seeds;
  readonly #faults: FaultSorts;
  readonly #exhaustive: Exhaustive | undefined;
  readonly #references = new Map<string, Ending | undefined>();
  readonly #disturbances = new Map<string, number>();
  #runs = 0;
  /** Timers that fire before a shortened story gives up: without its first steps it may wait for ever. */
  #patience: number | undefined;

  private constructor(
    world: World,
    { options, name, seeds }: { readonly options: ErasedOptions; readonly name: string; readonly seeds: Seeds },
  ) {
    this.#world = world;
    this.#name = name;
    this.#seeds = seeds;
    this.#faults = faultsOf(options.faults);
    this.#exhaustive = options.exhaustive;
    const { fresh = true, made = true, deleted = true, quiet = true, status = true } = options.judges ?? {};
    this.#setting = {
      steps: options.story(userOf<never>()) as readonly Step<never>[],
      externals: options.externals ?? (() => ({})),
      invariant: options.invariant,
      outside: options.outside,
      ignore: options.ignore ?? [],
      namespaces: options.namespaces ?? [],
      keeps: options.keeps ?? [],
      judges: { fresh, made, deleted, quiet, status },
    };
    if (this.#setting.steps.length === 0) throw new ExplorationSetupError('story: it has no steps');
  }

  static async open(releases: readonly OperatorModel[], options: ErasedOptions): Promise<Explorer> {
    const name = options.name ?? releases.at(-1)?.name ?? '';
    const seeds = seedsOf(name, options);
    return new Explorer(await World.open(releases, { workloads: options.workloads ?? false, values: options.values }), {
      options,
      name,
      seeds,
    });
  }

  close(): Promise<void> {
    return this.#world.close();
  }

  async explore(): Promise<Exploration> {
    const all = this.#setting.steps.map((_, index) => index);
    const newest = this.#world.releases - 1;
    const first = await this.#undisturbed(all, newest);
    this.#patience = 2 * first.longestWait + 50;
    this.#checkKept(first);
    if (this.#setting.judges.fresh) await this.#compareWithFresh(first);
    const histories: History[] = [];
    for (let release = 0; release <= newest; release += 1)
      histories.push((release === newest ? first : await this.#undisturbed(all, release)).history);
    const openings = openingsOf(this.#world.operator, first, { steps: all.length, histories });
    if (this.#exhaustive !== undefined) return this.#exhaust(this.#exhaustive, first);
    const { from, count } = this.#seeds;
    for (let seed = from; seed < from + count; seed += 1) await this.#judged(drawPlan(openings, this.#faults, draws(seed)), seed);
    return { seeds: count, from, disturbances: Object.fromEntries(this.#disturbances) };
  }

  /** @throws ExplorationSetupError for resources that the story does not have */
  #checkKept({ history: { lives } }: Ending): void {
    const known = new Set([...lives.values()].map(({ resource }) => resource));
    const wrong = this.#setting.keeps.find((resource) => !known.has(resource));
    if (wrong === undefined) return;
    throw new ExplorationSetupError(
      `keeps: the story has no ${JSON.stringify(wrong)}; name one of its resources: ${[...known].join(', ')}`,
    );
  }

  /** Plays every fault once. */
  async #exhaust(exhaustive: Exhaustive, reference: Ending): Promise<Exploration> {
    const steps = this.#setting.steps.length;
    const singles = singleFaults(reference.history, this.#faults);
    const [only, second] = numbersOf(this.#seeds.from);
    const numbers = windowOf(singles.length, second > 0 ? { from: only, count: this.#seeds.count } : this.#seeds);
    let [played, missed] = [0, 0];
    const one = async (disturbances: readonly Single[], number: number): Promise<Ending> => {
      const { ending } = await this.#judged(planWith(disturbances, steps, this.#world.releases - 1), number);
      played += 1;
      if (ending.struck.size < disturbances.length) missed += 1;
      return ending;
    };
    for (const number of numbers) {
      const first = singles[number - 1];
      if (first === undefined) continue;
      const { history } = await one([first], number);
      if (exhaustive === 'singles' && second === 0) continue;
      for (const [index, next] of secondFaults(first, history, this.#faults).entries())
        if (second === 0 || second === index + 1) await one([first, next], numberOfPair(number, index + 1));
    }
    const proves = proofOf({ exhaustive, history: reference.history, singles: singles.length, played: numbers.length, missed });
    return { seeds: played, from: numbers[0] ?? 1, disturbances: Object.fromEntries(this.#disturbances), proves };
  }

  /** The whole story with one release. @throws ExplorationError when it fails */
  async #undisturbed(steps: readonly number[], release: number): Promise<Ending> {
    const plan = undisturbed(steps, release);
    const played = await this.#played(plan, 0, undefined);
    this.#references.set(keyOf(plan), played.ending);
    const title = this.#world.releases === 1 ? 'undisturbed' : `release ${release + 1} alone, undisturbed`;
    if (played.finding !== undefined) await this.#fail(plan, played, { title, seed: 0 });
    return played.ending;
  }

  /** @throws ExplorationError for a plan that fails */
  async #judged(plan: Plan, seed: number): Promise<Played> {
    const played = await this.#played(plan, seed, await this.#referenceOf(plan));
    for (const { do: what } of played.ending.struck) this.#disturbances.set(what, (this.#disturbances.get(what) ?? 0) + 1);
    if (played.finding !== undefined) await this.#fail(plan, played, { title: `seed ${seed}`, seed });
    return played;
  }

  /** @throws ExplorationError with the shortest plan that fails */
  async #fail(whole: Plan, first: Played, { title, seed }: { readonly title: string; readonly seed: number }): Promise<never> {
    const replay = async (plan: Plan): Promise<Played | undefined> => {
      if (plan.disturbances.length === 0 && Object.keys(plan.hurries).length === 0) return this.#played(plan, seed, undefined);
      const reference = await this.#referenceOf(plan);
      return reference && this.#played(plan, seed, reference);
    };
    const judge = first.finding?.judge ?? 'state';
    // Without its first steps a story that cannot be played cannot be played for another reason.
    const most = judge === 'stuck' && whole.disturbances.length === 0 ? 0 : SHRINKING_RUNS;
    const { plan, played } = await shrunk({ plan: whole, judge, played: first, replay, most });
    const { ending, finding = first.finding } = played;
    if (finding === undefined) throw new ExplorationSetupError(`${title}: it fails once, and then no more`);
    throw new ExplorationError(explanationOf({ setting: this.#setting, plan, finding, ending, title, command: this.#commandOf(seed) }));
  }

  /** The undisturbed run of the steps of a plan, with the release that it ends with. `undefined` if it fails. */
  async #referenceOf(plan: Plan): Promise<Ending | undefined> {
    const alone = undisturbed(plan.steps, lastRelease(plan));
    const key = keyOf(alone);
    if (!this.#references.has(key)) {
      const { ending, finding } = await this.#played(alone, 0, undefined, this.#patience);
      this.#references.set(key, finding === undefined ? ending : undefined);
    }
    return this.#references.get(key);
  }

  async #compareWithFresh(reference: Ending): Promise<void> {
    this.#runs += 1;
    const finding = await freshlyMade(this.#world, this.#setting, { reference, namespace: `fresh-${this.#runs}`, random: draws(0) });
    if (finding === undefined) return;
    const plan = undisturbed(
      this.#setting.steps.map((_, index) => index),
      this.#world.releases - 1,
    );
    throw new ExplorationError(
      explanationOf({ setting: this.#setting, plan, finding, ending: reference, title: 'undisturbed', command: this.#commandOf(0) }),
    );
  }

  #played(plan: Plan, seed: number, reference: Ending | undefined, mostSteps?: number): Promise<Played> {
    this.#runs += 1;
    const random = draws(seed + 0.5);
    return play(this.#world, this.#setting, plan, { namespace: `run-${this.#runs}`, random, reference, mostSteps });
  }

  #commandOf(seed: number): string {
    return `KEELSON_EXPLORE=${shellWord(`${this.#name}:${seed}`)} ${testCommand()}`;
  }
}

function keyOf({ steps, release }: Plan): string {
  return JSON.stringify([steps, release]);
}

/** How the test that runs is run alone, as far as its runner says so. */
function testCommand(): string {
  const { expect } = globalThis as { readonly expect?: { getState?(): { readonly testPath?: string } } };
  const path = expect?.getState?.().testPath;
  if (path === undefined) return 'and the command of this test';
  return `npx ${process.env['VITEST'] === undefined ? 'jest' : 'vitest run'} ${shellWord(relative(process.cwd(), path))}`;
}

/** @throws ExplorationSetupError for seeds that are not whole numbers */
function seedsOf(name: string, { exhaustive, seeds = exhaustive === undefined ? 100 : ALL, from = 1 }: ErasedOptions): Seeds {
  const {
    KEELSON_EXPLORE: only = '',
    KEELSON_EXPLORE_SEEDS: count = String(seeds),
    KEELSON_EXPLORE_FROM: first = String(from),
  } = process.env;
  const end = only.lastIndexOf(':');
  // Seed 0 is the undisturbed run, which every exploration begins with.
  const alone = only.slice(0, end) === name && only.slice(end + 1) !== '0' ? 1 : 0;
  const found = only === '' ? { from: Number(first), count: Number(count) } : { from: Number(only.slice(end + 1)), count: alone };
  if (!Number.isInteger(found.from) || !Number.isInteger(found.count) || found.count < 0)
    throw new ExplorationSetupError(
      `seeds must be whole numbers: KEELSON_EXPLORE=${only}, KEELSON_EXPLORE_SEEDS=${count}, KEELSON_EXPLORE_FROM=${first}`,
    );
  return found;
}
