import type { FaultRates } from 'keelson/testing';
import { draws } from '../../../src/testing/explore/draws.js';
import type { Scenario, Stage } from './scenario.js';
import { type Act, World } from './world.js';

/** What a run without any trouble ends with. */
export interface Undisturbed {
  readonly state: string;
  readonly creations: ReadonlyMap<string, number>;
  /** Writes of the operator. */
  readonly writes: number;
}

type Style = 'crashes' | 'requests' | 'watches' | 'leaders';
const STYLES: readonly Style[] = ['crashes', 'requests', 'watches', 'leaders'];

const REQUEST_FAULTS: FaultRates = {
  conflict: 0.06,
  tooManyRequests: 0.05,
  serverError: 0.06,
  unavailable: 0.04,
  dropBefore: 0.05,
  dropAfter: 0.06,
  delay: 0.05,
};
const WATCH_FAULTS: FaultRates = {
  staleList: 0.3,
  expireWatch: 0.2,
  dropAtEvent: 0.08,
  closeAtEvent: 0.08,
  expireAtEvent: 0.06,
  silenceAtEvent: 0.02,
  duplicateEvent: 0.15,
  delayEvent: 0.15,
};
/** A dead connection is noticed after five minutes, and by then every other delay is over. */
const LONG_S = 330;
const SHORT_S = 20;

/** Runs a scenario as it should be, and then in all the ways in which it can be disturbed. */
export class Explorer {
  readonly #scenario: Scenario;
  #world: World | undefined;
  #undisturbed: Undisturbed | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  async open(): Promise<void> {
    this.#world = await World.open(this.#scenario);
    this.#undisturbed = await this.#run('undisturbed', draws(0), async (act) => {
      act.start();
      for (const step of act.performance.steps) {
        await step(act);
        await act.settled();
      }
    });
  }

  async close(): Promise<void> {
    await this.#world?.close();
  }

  get undisturbed(): Undisturbed {
    if (this.#undisturbed === undefined) throw new Error('open() first');
    return this.#undisturbed;
  }

  /** Kills the process at its n-th write, and starts another. @throws Error when it ends otherwise than undisturbed */
  async crashAfter(n: number): Promise<void> {
    await this.#compared(`crash-${n}`, draws(n), async (act) => {
      const first = act.start({ diesAfterWrites: n });
      // It may die of what a user waits for.
      const follower = (): unknown => (first.isDead && act.replicas.length === 1 ? act.start() : undefined);
      const follow = async (): Promise<void> => {
        follower();
        await act.settled();
      };
      for (const step of act.performance.steps) {
        await step(revived(act, follower));
        await act.settledOr(() => first.isDead);
        await follow();
      }
      // Some of what is to be written waits for its time.
      await act.pass(SHORT_S);
      await follow();
    });
  }

  /** @throws Error naming the seed when it ends otherwise than undisturbed */
  async seed(seed: number): Promise<void> {
    const style = STYLES[seed % STYLES.length] as Style;
    await this.#compared(`seed-${seed}`, draws(seed), (act, random) => disturbed(act, { seed, style, random }));
  }

  async #compared(name: string, random: () => number, play: (act: Act, random: () => number) => Promise<void>): Promise<void> {
    const found = await this.#run(name, random, play);
    const { state, creations } = this.undisturbed;
    if (found.state !== state) throw new Error(`${name}: it ends otherwise than undisturbed\n${difference(state, found.state)}`);
    for (const [object, count] of found.creations) {
      if (count > (creations.get(object) ?? 0))
        throw new Error(`${name}: ${object} was created ${count} times, undisturbed ${creations.get(object) ?? 0} times`);
    }
  }

  async #run(name: string, random: () => number, play: (act: Act, random: () => number) => Promise<void>): Promise<Undisturbed> {
    if (this.#world === undefined) throw new Error('open() first');
    const act = await this.#world.act(name, random);
    try {
      const written = act.writes();
      await play(act, random);
      act.mend();
      await act.settled();
      await act.pass(name === 'undisturbed' || act.hasSilence ? LONG_S : SHORT_S);
      await act.settled();
      const state = await act.state();
      const since = act.writes();
      await act.pass(SHORT_S);
      if (since().length > 0) throw new Error(`it does not come to rest: ${since().join(', ')}`);
      return { state, creations: act.creations(), writes: written().length };
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}\n${act.trouble()}`, { cause: error });
    } finally {
      await act.end();
    }
  }
}

interface Disturbance {
  readonly seed: number;
  readonly style: Style;
  readonly random: () => number;
}

async function disturbed(act: Act, { seed, style, random }: Disturbance): Promise<void> {
  const hasElection = style === 'leaders';
  const start = () =>
    act.start({ hasElection, diesAfterWrites: style === 'crashes' || random() < 0.2 ? 1 + Math.floor(random() * 12) : undefined });
  if (style === 'requests' || random() < 0.2) act.faults(seed, REQUEST_FAULTS, 40);
  if (style === 'watches' || random() < 0.2) act.faults(seed, WATCH_FAULTS, 20);
  start();
  if (hasElection) start();
  for (const step of act.performance.steps) {
    await step(revived(act, () => revive(act, start)));
    for (let left = Math.floor(random() * 12); left > 0; left -= 1) {
      revive(act, start);
      await act.step();
      if (hasElection && random() < 0.03) await act.stealLease();
      if (hasElection && random() < 0.03) act.replicas.findLast(({ isLeader }) => isLeader)?.kill();
    }
  }
  act.mend();
  revive(act, start);
  for (const replica of act.replicas) replica.spare();
}

/** A process that has died is started anew, as a Deployment does. */
function revive(act: Act, start: () => unknown): void {
  const wanted = act.hasElection ? 2 : 1;
  for (let alive = act.replicas.filter(({ isDead }) => !isDead).length; alive < wanted; alive += 1) start();
}

/** While a user waits, whoever has died is started anew. */
function revived(act: Act, revive: () => unknown): Stage {
  const { client, namespace } = act;
  return {
    client,
    namespace,
    until: (what, condition) =>
      act.until(what, () => {
        revive();
        return condition();
      }),
  };
}

function difference(wanted: string, found: string): string {
  const [wantedLines, foundLines] = [wanted.split('\n'), found.split('\n')];
  const missing = wantedLines.filter((line) => !foundLines.includes(line)).map((line) => `- ${line}`);
  const added = foundLines.filter((line) => !wantedLines.includes(line)).map((line) => `+ ${line}`);
  return [...missing, ...added].slice(0, 30).join('\n') || 'the same lines in another order';
}
