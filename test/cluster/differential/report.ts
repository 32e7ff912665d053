import type { Difference } from './script.js';

/** Readable, and short enough for a terminal: of one step at most so many lines. */
const LINES = Number(process.env['DIFFERENTIAL_LINES'] ?? 40);

export function reportOf(differences: readonly Difference[]): string {
  return differences
    .map(({ step, lines }) =>
      [step, ...lines.slice(0, LINES), ...(lines.length > LINES ? [`… ${lines.length - LINES} more`] : [])].join('\n  '),
    )
    .join('\n');
}
