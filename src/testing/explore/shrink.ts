import type { Judge } from './finding.js';
import type { Disturbance, Plan } from './plan.js';
import type { Played } from './play.js';

export interface Shrinking {
  readonly plan: Plan;
  readonly judge: Judge;
  readonly played: Played;
  /** `undefined` if it cannot be judged: the story does not work without the steps that are left out. */
  readonly replay: (plan: Plan) => Promise<Played | undefined>;
  /** Runs at most. */
  readonly most: number;
}

/** Leaves out of a plan whatever it fails without: disturbances, haste, steps of the story. */
export async function shrunk({
  plan: whole,
  judge,
  played,
  replay,
  most,
}: Shrinking): Promise<{ readonly plan: Plan; readonly played: Played }> {
  let best = { plan: whole, played };
  let left = most;
  const tried = new Set<string>();
  const fails = async (plan: Plan): Promise<boolean> => {
    const text = JSON.stringify(plan);
    if (left <= 0 || tried.has(text)) return false;
    tried.add(text);
    left -= 1;
    const again = await replay(plan);
    if (again?.finding?.judge !== judge) return false;
    best = { plan, played: again };
    return true;
  };
  await fails({ ...whole, disturbances: whole.disturbances.filter((one) => played.ending.struck.has(one)) });
  for (let before = ''; before !== JSON.stringify(best.plan) && left > 0; ) {
    before = JSON.stringify(best.plan);
    for (const simpler of simplerThan(best.plan)) if (await fails(simpler(best.plan) ?? best.plan)) continue;
  }
  return best;
}

type Simpler = (plan: Plan) => Plan | undefined;

/** Ways to make a plan simpler, each of them given the simplest plan that fails so far. */
function simplerThan({ disturbances, hurries, steps }: Plan): Simpler[] {
  const without = (index: number): Simpler => {
    const gone = JSON.stringify(disturbances[index]);
    return (plan) => ({ ...plan, disturbances: plan.disturbances.filter((one) => JSON.stringify(one) !== gone) });
  };
  const once = (index: number): Simpler => {
    const old = JSON.stringify(disturbances[index]);
    return (plan) => ({ ...plan, disturbances: plan.disturbances.map((one) => (JSON.stringify(one) === old ? milder(one) : one)) });
  };
  return [
    ...disturbances.map((_, index) => without(index)),
    (plan) => ({ ...plan, hurries: {} }),
    (plan) => (plan.disturbances.some(({ do: what }) => what === 'steal') ? undefined : { ...plan, replicas: 1 }),
    ...steps.toReversed().map(
      (step): Simpler =>
        (plan) =>
          withoutStep(plan, step),
    ),
    ...Object.keys(hurries).map(
      (step): Simpler =>
        (plan) => ({ ...plan, hurries: Object.fromEntries(Object.entries(plan.hurries).filter(([key]) => key !== step)) }),
    ),
    ...disturbances.map((_, index) => once(index)),
  ];
}

function withoutStep(plan: Plan, step: number): Plan | undefined {
  if (plan.steps.length < 2) return undefined;
  return {
    ...plan,
    steps: plan.steps.filter((one) => one !== step),
    hurries: Object.fromEntries(Object.entries(plan.hurries).filter(([key]) => Number(key) !== step)),
  };
}

function milder(disturbance: Disturbance): Disturbance {
  if (disturbance.do === 'external' || disturbance.do === 'refuse') return { ...disturbance, times: 1 };
  if (disturbance.do === 'kill') return { ...disturbance, staysAway: false };
  if (disturbance.do === 'stand-still') return { ...disturbance, how: 'by-events' };
  return disturbance;
}
