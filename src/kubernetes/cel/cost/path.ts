/**
 * Where a value stands: a variable and the steps from it (`self`, `items`, `@items`, `name`).
 *
 * cel-go keeps paths in Go slices and appends to them where several expressions share one: of `x.c` and `x.d` in `self.a.all(x, …)` the later overwrites the earlier, and `x.c.all(…)` is
 * then charged for the size of `d`. The API server's verdict depends on it, so a path here shares its cells with its prefixes in the same way.
 */
export interface FieldPath {
  readonly cells: string[];
  readonly length: number;
  readonly capacity: number;
}

export const NO_PATH: FieldPath = { cells: [], length: 0, capacity: 0 };

export const pathOf = (variable: string): FieldPath => ({ cells: [variable], length: 1, capacity: 1 });

/** The path and one more step. Writes into the shared cells while there is room behind the path. */
export function append({ cells, length, capacity }: FieldPath, step: string): FieldPath {
  if (length < capacity) {
    cells[length] = step;
    return { cells, length: length + 1, capacity };
  }
  // Go doubles what is full, and makes room for one where there was none.
  return { cells: [...cells.slice(0, length), step], length: length + 1, capacity: Math.max(1, capacity * 2) };
}

/** A path with cells of its own. */
export function copied({ cells, length }: FieldPath, step: string): FieldPath {
  return { cells: [...cells.slice(0, length), step], length: length + 1, capacity: length + 1 };
}

export const stepsOf = ({ cells, length }: FieldPath): readonly string[] => cells.slice(0, length);
