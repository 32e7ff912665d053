interface Position {
  readonly line: number;
  readonly column: number;
}

/** A change, as Stryker's report and its runners both describe it. Lines and columns from 1, as in the report. */
export interface Change {
  readonly mutatorName: string;
  readonly replacement?: string | undefined;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** The same text for the same change of the same source, whatever number Stryker gives it in this run. */
export function keyOf(file: string, { mutatorName, replacement, location: { start, end } }: Change): string {
  return `${file}:${start.line}:${start.column}-${end.line}:${end.column} ${mutatorName} ${replacement ?? ''}`;
}

/** Runners and the instrumenter count lines and columns from 0, the report from 1. */
export function fromZeroToOne<T extends Change>(change: T): T {
  const { start, end } = change.location;
  const moved = ({ line, column }: Position): Position => ({ line: line + 1, column: column + 1 });
  return { ...change, location: { start: moved(start), end: moved(end) } };
}
