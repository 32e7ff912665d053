import type { ExternalFault } from './external-faults.js';
import type { Change, Mark } from './history.js';
import type { GoingOn } from './old-state.js';
import type { Disturbance, FaultSorts, Openings, Plan, WatchBreak } from './plan.js';
import { drawTakeovers } from './releases.js';
import { kindOfWrite } from './write-name.js';

type Draw = () => number;
type Theme = (openings: Openings, draw: Draw) => readonly Disturbance[];

/** Faults of externals; one that is listed twice is drawn twice as often. */
export function faultsOfExternals(sorts: FaultSorts): readonly ExternalFault[] {
  const all: readonly (readonly [sort: keyof FaultSorts, fault: ExternalFault])[] = [
    ['timeouts', 'times out'],
    ['timeouts', 'times out'],
    ['failures', 'fails'],
    ['emptyAnswers', 'answers empty'],
    ['emptyAnswers', 'answers empty'],
    ['staleAnswers', 'answers stale'],
    ['unknownAnswers', 'answers with an unknown word'],
    ['wrongAnswers', 'answers wrong'],
  ];
  return all.filter(([sort]) => sorts[sort]).map(([, fault]) => fault);
}

function pick<T>(items: readonly T[], draw: Draw): T | undefined {
  return items[Math.floor(draw() * items.length)];
}

function several<T>(most: number, draw: Draw, make: () => T | undefined): T[] {
  const made = Array.from({ length: 1 + Math.floor(draw() * most) }, make);
  return made.filter((item): item is Awaited<T> & T => item !== undefined);
}

const markOf = ({ on, what, nth }: Mark): Mark => ({ on, what, nth });

const kills: Theme = ({ history }, draw) =>
  several(2, draw, () => {
    const at = pick<Mark>(draw() < 0.8 ? history.writes : history.changes, draw);
    return at && { do: 'kill', at: markOf(at), staysAway: draw() < 0.25 };
  });

export const REFUSALS = [409, 409, 429, 500, 503] as const;

const requests: Theme = ({ history }, draw) =>
  several(3, draw, () => {
    const at = pick(history.writes, draw);
    if (at === undefined) return undefined;
    if (draw() < 0.5) return { do: 'lose', at: markOf(at) };
    const drawn = draw() * REFUSALS.length;
    const status = REFUSALS[Math.floor(drawn)] ?? 409;
    // Some are refused again and again: a runtime tries once more by itself, and its operator has to bear the rest.
    const rest = drawn % 1;
    return { do: 'refuse', at: markOf(at), status, times: rest < 0.7 ? 1 : 2 + Math.floor((rest - 0.7) * 30) };
  });

function stillness(
  { history: { changes }, steps }: Openings,
  draw: Draw,
): readonly [from: Change, until: Mark | { readonly step: number }, how: GoingOn] | undefined {
  const first = Math.floor(draw() * changes.length);
  const from = changes[first];
  if (from === undefined) return undefined;
  const later = pick(changes.slice(first + 1), draw);
  const step = Math.min(steps - 1, from.step + Math.floor(draw() * 4));
  return [from, later !== undefined && draw() < 0.4 ? markOf(later) : { step }, draw() < 0.6 ? 'by-lists' : 'by-events'];
}

/** The operator sees nothing of what happens between two moments. */
const heldBack: Theme = (openings, draw) => {
  const still = stillness(openings, draw);
  if (still === undefined) return [];
  const [from, until, how] = still;
  return [{ do: 'stand-still', from: markOf(from), until, how, readers: 'all' }];
};

/** The operator is started again, and reads from a replica of the API server that stands still. */
const backInTime: Theme = (openings, draw) => {
  const { changes } = openings.history;
  const still = stillness(openings, draw);
  if (still === undefined) return [];
  const [from, until, how] = still;
  const killedAt = pick(changes.slice(changes.indexOf(from) + 1), draw) ?? from;
  return [
    { do: 'stand-still', from: markOf(from), until: draw() < 0.5 ? { step: openings.steps - 1 } : until, how, readers: 'restarted' },
    { do: 'kill', at: markOf(killedAt), staysAway: draw() < 0.25 },
  ];
};

/** One that breaks once is soon whole again, so it breaks again and again, seldom or at each change. */
const watches =
  (hows: readonly WatchBreak[]): Theme =>
  ({ history: { changes } }, draw) => {
    const how = pick(hows, draw) ?? 'breaks';
    const share = how === 'falls silent' ? 2 / changes.length : draw();
    return changes.filter(() => draw() < share).map((at) => ({ do: 'break-watch', at: markOf(at), how }));
  };

/** A cache whose watch says nothing stands still. Old states do that too, and excuse what an operator does because of it. */
function breaksOf({ oldStates }: FaultSorts): readonly WatchBreak[] {
  return oldStates ? ['breaks', 'expires'] : ['breaks', 'expires', 'falls silent'];
}

const externals =
  (faults: readonly ExternalFault[]): Theme =>
  ({ history }, draw) =>
    several(3, draw, () => {
      const at = pick(history.calls, draw);
      return (
        at && {
          do: 'external',
          at: markOf(at),
          times: draw() < 0.7 ? 1 : 2 + Math.floor(draw() * 4),
          fault: pick(faults, draw) ?? 'fails',
        }
      );
    });

const mistakes: Theme = ({ mistakes: possible, steps }, draw) => {
  const drawn = pick(possible, draw);
  if (drawn === undefined) return [];
  const { after: first, ...mistake } = drawn;
  return [{ do: 'mistake', after: first + Math.floor(draw() * (steps - first)), mistake, isSeen: draw() < 0.8 }];
};

const LASTING = ['a role lost the right', 'a quota is used up', "another's webhook denies it"] as const;

const lasting: Theme = ({ history: { writes, changes }, steps }, draw) => {
  const at = pick(writes, draw);
  if (at === undefined) return [];
  const what = kindOfWrite(at.what);
  // A quota is about new objects.
  const why = pick(LASTING, draw) ?? LASTING[0];
  const object = at.what.split(' ')[1] ?? '';
  const first = changes.find((change) => object.endsWith(`/${change.what.split(' ')[1]}`))?.step ?? 0;
  const until = { step: Math.min(steps - 1, first + Math.floor(draw() * (steps - first))) };
  return [{ do: 'forbid', from: markOf(at), what, why: why === LASTING[1] && !/^(?:apply|create) /.test(what) ? LASTING[0] : why, until }];
};

const values: Theme = ({ values: possible, steps }, draw) =>
  several(2, draw, () => {
    const drawn = pick(possible, draw);
    if (drawn === undefined) return undefined;
    const { after, ...move } = drawn;
    return { do: 'value', after: after + Math.floor(draw() * (steps - after)), move };
  });

const breaks: Theme = ({ breakable, steps }, draw) => {
  const drawn = pick(breakable, draw);
  if (drawn === undefined) return [];
  const { kind, name, after } = drawn;
  return [{ do: 'break', after: after + Math.floor(draw() * (steps - after)), kind, name }];
};

const leaders =
  (sorts: FaultSorts): Theme =>
  (openings, draw) => {
    const { changes } = openings.history;
    const steals = several(2, draw, (): Disturbance | undefined => {
      const at = pick(changes, draw);
      const isStolen = draw() < 0.6 || !sorts.kills;
      return at && (isStolen ? { do: 'steal', at: markOf(at) } : { do: 'kill', at: markOf(at), staysAway: false });
    });
    const still = draw() < 0.5 && sorts.oldStates ? stillness(openings, draw) : undefined;
    if (still === undefined) return steals;
    const [from, until, how] = still;
    return [...steals, { do: 'stand-still', from: markOf(from), until, how, readers: 'standby' }];
  };

/** Draws what goes wrong from what happens when nothing does. */
export function drawPlan(openings: Openings, sorts: FaultSorts, draw: Draw): Plan {
  const { history } = openings;
  const answers = faultsOfExternals(sorts);
  const led = leaders(sorts);
  const weigh = (isOn: boolean, weight: number): number => (isOn ? weight : 0);
  const themes: readonly (readonly [weight: number, theme: Theme])[] = [
    [weigh(sorts.kills, 4), kills],
    [weigh(sorts.requests, 3), requests],
    [weigh(sorts.oldStates, 3), heldBack],
    [weigh(sorts.oldStates && sorts.kills, 4), backInTime],
    [weigh(sorts.watches, 2), watches(breaksOf(sorts))],
    [weigh(answers.length > 0 && history.calls.length > 0, 5), externals(answers)],
    [weigh(sorts.mistakes && openings.mistakes.length > 0, 2), mistakes],
    [weigh(sorts.breakdowns && openings.breakable.length > 0, 1.5), breaks],
    [weigh(sorts.leases, 1.5), led],
    [weigh(sorts.lastingRefusals, 4), lasting],
    [weigh(sorts.values && openings.values.length > 0, 6), values],
  ];
  const one = (): Theme => {
    let rest = draw() * themes.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, theme] of themes) {
      rest -= weight;
      if (rest < 0) return theme;
    }
    return () => [];
  };
  const hasReleases = openings.histories.length > 1;
  const chosen = hasReleases && draw() < 0.5 ? [] : [one(), ...(draw() < 0.3 ? [one()] : [])];
  const takeovers = hasReleases ? drawTakeovers(openings, draw) : [];
  const disturbances = [...takeovers, ...chosen.flatMap((theme) => theme(openings, draw))];
  const isHurried = draw() < 0.6;
  const steps = Array.from({ length: openings.steps }, (_, index) => index);
  const hurried = steps.filter(() => isHurried && draw() < 0.5).map((index) => [index, Math.floor(draw() * 8)] as const);
  return { steps, hurries: Object.fromEntries(hurried), replicas: chosen.includes(led) ? 2 : 1, release: 0, disturbances };
}
