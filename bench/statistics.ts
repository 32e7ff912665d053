/** Smallest and middle value of a series: the smallest is what the code costs, the middle what a machine with other work makes of it. */
export interface Series {
  readonly min: number;
  readonly median: number;
}

export function seriesOf(values: readonly number[]): Series {
  const sorted = values.toSorted((a, b) => a - b);
  return { min: sorted[0] ?? Number.NaN, median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

/** `12.3` below a hundred, `123` from there: more digits would be noise. */
export const shown = (value: number): string => (Math.abs(value) < 100 ? value.toFixed(1) : value.toFixed(0));

/** A Markdown table; every column but the first is right-aligned. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
