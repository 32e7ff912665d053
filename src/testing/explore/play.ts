import { messageOf } from '@keelson/kubernetes/apimachinery';
import { Act } from './act.js';
import { compare } from './compare.js';
import type { Ending, Setting } from './ending.js';
import { Finding } from './finding.js';
import { History } from './history.js';
import { withoutNamesOfRun } from './names-of-run.js';
import type { Plan } from './plan.js';
import { linesOf } from './state-lines.js';
import type { Step } from './story.js';
import { truth } from './truth.js';
import type { World } from './world.js';
import { paused, wronged } from './wrongs.js';

/** Quiet is judged for so long, and things in flight get so long to come down. */
const QUIET = '20s';
const QUIET_MS = 20_000;
/** A difference is looked at again after this time: an operator may wait before it tries again. */
const PATIENCE = '10m';

export interface Played {
  readonly ending: Ending;
  readonly finding: Finding | undefined;
}

export interface PlayOptions {
  readonly namespace: string;
  readonly random: () => number;
  /** The undisturbed run of the same steps. `undefined`: this is it. */
  readonly reference: Ending | undefined;
  /** Timers that fire before a user gives up waiting. */
  readonly mostSteps?: number | undefined;
}

/** Most writes of an undisturbed story. */
const MOST_WRITES = 300;

/** Plays a story as it is planned, and judges it. */
export async function play(
  world: World,
  setting: Setting,
  plan: Plan,
  { namespace, random, reference, mostSteps }: PlayOptions,
): Promise<Played> {
  world.begin([namespace, ...setting.namespaces]);
  const externals = setting.externals();
  const act = new Act(world, {
    namespace,
    others: setting.namespaces,
    plan,
    random,
    externals,
    manners: reference?.history.manners ?? new History().manners,
    mostSteps,
    mostWrites: reference === undefined ? MOST_WRITES : 10 * reference.history.writes.length + 300,
  });
  const stateNow = async (): Promise<string[]> => [...act.state(setting.ignore), ...(await outsideOf(act, setting, externals))];
  const ended = (state: readonly string[]): Ending => ({
    state,
    history: act.history,
    struck: act.struck,
    objects: act.objects,
    problems: act.troubles,
    longestWait: act.longestWait,
    isOutsideExcused: act.hasCalledBehind,
  });
  let finding: Finding | undefined;
  let ending: Ending | undefined;
  try {
    act.start();
    await performed(act, { setting, plan });
    act.mend();
    await act.settled();
    await act.pass(Math.max(act.silentMs, QUIET_MS));
    await act.settled();
    let state = await stateNow();
    if (reference !== undefined && state.join('\n') !== reference.state.join('\n')) {
      await act.pass(PATIENCE);
      await act.settled();
      state = await stateNow();
    }
    ending = ended(state);
    const before = act.history.writes.length;
    await judged(act, setting);
    if (reference !== undefined) compare(ending, reference, { setting, plan });
    if (setting.judges.status) truth({ objects: act.objects, isOwn: (object) => act.isOwn(object) });
    if (setting.judges.quiet) await quiet(act, before);
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    finding = error;
  } finally {
    ending ??= ended([]);
    await act.end();
  }
  return { ending, finding };
}

/** Lines of the externals that ends are compared by. */
async function outsideOf(act: Act, { outside }: Setting, externals: Readonly<Record<string, unknown>>): Promise<string[]> {
  if (outside === undefined) return [];
  return linesOf(await outside(externals as never), '').map((line) => `outside: ${withoutNamesOfRun(line, act.history.lives)}`);
}

async function performed(act: Act, { setting, plan }: { readonly setting: Setting; readonly plan: Plan }): Promise<void> {
  for (const index of plan.steps) {
    const step = setting.steps[index];
    if (step === undefined) continue;
    act.step = index;
    await played(act, step, index);
    await paused(act, plan.hurries[index]);
    await wronged(act, index, plan);
    act.stepped(index);
    await judged(act, setting);
  }
}

/** @param before the number of writes when the story had come to rest */
async function quiet(act: Act, before: number): Promise<void> {
  await act.pass(QUIET);
  const since = act.history.writes.slice(before).map(({ what }) => what);
  if (since.length === 0) return;
  const examples = [...new Set(since)].slice(0, 3);
  throw new Finding('quiet', `nothing happens, and within ${QUIET} the operator writes ${since.length} times`, examples);
}

/** @throws Finding with the step that is refused */
async function played(act: Act, step: Step<never>, index: number): Promise<void> {
  try {
    await step.play(act as never);
  } catch (error) {
    if (error instanceof Finding) throw error;
    throw new Finding('stuck', `step ${index + 1} of the story fails`, [messageOf(error)]);
  }
}

async function judged(act: Act, { invariant }: Setting): Promise<void> {
  if (invariant === undefined) return;
  try {
    if ((await invariant(act as never)) === false) throw new Error('the invariant is false');
  } catch (error) {
    if (error instanceof Finding) throw error;
    const [first = '', ...rest] = messageOf(error).split('\n');
    throw new Finding('invariant', first, rest.slice(0, 4));
  }
}
