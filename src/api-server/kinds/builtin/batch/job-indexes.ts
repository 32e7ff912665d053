import { goQuote } from '@keelson/kubernetes/apimachinery';

/**
 * Indexes of the pods of an indexed Job: `1,3-5,7`.
 *
 * Source of rules and texts: kubernetes `pkg/apis/batch/validation` (`validateIndexesFormat`).
 */
type Interval = readonly [first: number, last: number];

/** How many indexes a text names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions);
    if (typeof interval === 'string') return interval;
    if (last !== undefined && last >= interval[0]) return `non-increasing order, previous: ${last}, current: ${interval[0]}`;
    total += interval[1] - interval[0] + 1;
    last = interval[1];
  }
  return total;
}

function intervalOf(text: string, completions: number): Interval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?[0-9]+$/.test(limit)) return `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, last = first] = numbers;
  return numbers.length === 2 && first >= last ? `non-increasing order, previous: ${first}, current: ${last}` : [first, last];
}

/** The first index that two texts have in common; what cannot be read is left out. */
export function sharedIndex(left: string, right: string, completions: number): number | undefined {
  const intervals = (text: string): readonly Interval[] =>
    text === ''
      ? []
      : text.split(',').flatMap((part) => {
          const interval = intervalOf(part, completions);
          return typeof interval === 'string' ? [] : [interval];
        });
  const others = intervals(right);
  for (const [first, last] of intervals(left)) {
    const found = others.find(([from, to]) => first <= to && from <= last);
    if (found !== undefined) return Math.max(first, found[0]);
  }
  return undefined;
}
