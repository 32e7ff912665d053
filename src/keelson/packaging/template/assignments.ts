/** Which state each variable is in, by the index of the variable. */
export type Assignment = readonly number[];

/** An assignment, and each that differs from it in the state of one variable: they show which variables matter there. */
export function neighbourhood(assignment: Assignment, counts: readonly number[]): readonly Assignment[] {
  const others = counts.flatMap((count, variable) =>
    range(count).flatMap((state) =>
      state === assignment[variable] ? [] : [assignment.map((old, index) => (index === variable ? state : old))],
    ),
  );
  return [assignment, ...others];
}

function range(count: number): number[] {
  return [...Array(count).keys()];
}

/** Numbers below a bound that look drawn, the same on every run. */
export type Draws = (count: number) => number;

export function drawsOf(seed: number): Draws {
  let state = seed * 2_654_435_769;
  return (count) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    state ^= state >>> 13;
    return (state >>> 0) % count;
  };
}
