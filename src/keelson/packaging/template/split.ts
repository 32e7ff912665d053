import type { Observation } from './observation.js';

interface Classified {
  readonly observation: Observation;
  readonly kind: number;
}

/** Two observations that differ in the state of one variable alone. */
export interface Pair {
  readonly one: Observation;
  readonly two: Observation;
  readonly variable: number;
}

export function pairsOf(observations: readonly Observation[], counts: readonly number[]): readonly Pair[] {
  const known = new Map(observations.map((observation) => [observation.states.join(), observation]));
  return observations.flatMap((one) =>
    counts.flatMap((count, variable) =>
      [...Array(count).keys()].flatMap((state): Pair[] => {
        if (state <= (one.states[variable] ?? 0)) return [];
        const two = known.get(one.states.with(variable, state).join());
        return two === undefined ? [] : [{ one, two, variable }];
      }),
    ),
  );
}

/**
 * The variable to split by; `undefined` if all cases are in the same states.
 *
 * Only a variable that was seen to matter counts: two cases differ in its state alone, and are of different kinds. Among those, the one that separates the
 * kinds best. A variable that merely went along with the others would explain what was seen, and nothing else.
 *
 * @param causes variables that were seen to matter here
 * @param suspects variables that were seen to matter among more cases, for where no pair is left
 */
export function splitOf(cases: readonly Classified[], causes: ReadonlySet<number>, suspects: ReadonlySet<number>): number | undefined {
  return best(cases, causes) ?? best(cases, suspects) ?? best(cases, variablesOf(cases));
}

function best(cases: readonly Classified[], variables: Iterable<number>): number | undefined {
  let found: { readonly variable: number; readonly rest: number } | undefined;
  for (const variable of variables) {
    const groups = groupsOf(cases, variable);
    if (groups.length < 2) continue;
    const rest = groups.reduce((sum, group) => sum + (group.length / cases.length) * entropy(group), 0);
    if (found === undefined || rest < found.rest - 1e-9) found = { variable, rest };
  }
  return found?.variable;
}

/** Variables that were seen to matter, in their order. */
export function causesOf(cases: readonly Classified[], pairs: readonly Pair[]): ReadonlySet<number> {
  const kinds = new Map(cases.map(({ observation, kind }) => [observation, kind]));
  const causes = pairs.flatMap(({ one, two, variable }) => {
    const [first, second] = [kinds.get(one), kinds.get(two)];
    return first === undefined || second === undefined || first === second ? [] : [variable];
  });
  return new Set(causes.sort((left, right) => left - right));
}

function variablesOf([first]: readonly Classified[]): Iterable<number> {
  return first === undefined ? [] : first.observation.states.keys();
}

function groupsOf(cases: readonly Classified[], variable: number): Classified[][] {
  const groups = new Map<number, Classified[]>();
  for (const one of cases) {
    const state = one.observation.states[variable] ?? 0;
    const group = groups.get(state);
    if (group === undefined) groups.set(state, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** How mixed the kinds are; 0 for one kind. */
function entropy(cases: readonly Classified[]): number {
  const counts = new Map<number, number>();
  for (const { kind } of cases) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / cases.length) * Math.log2(count / cases.length), 0);
}
