import type { Json } from '@keelson/kubernetes/apimachinery';
import { celLiteral } from './cel-text.js';
import { addRule, type Draft } from './context.js';

/**
 * Choices that cannot be an `enum`, because it would be asked of other values too: of null, or of the numbers of an int-or-string.
 *
 * A pattern is asked of texts alone, a minimum of numbers alone. Neither costs what a rule does: a rule with `in [...]` in a list without a bound is refused by the API server.
 */
export function chooseWords(draft: Draft, words: readonly string[]): void {
  draft.pattern = `^(${words.map(literalPattern).join('|')})$`;
  // Rules that read the text are as dear as it may be long.
  draft.maxLength = Math.max(...words.map((word) => [...word].length));
}

function literalPattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** @returns false for numbers with a gap between them */
function chooseRange(draft: Draft, numbers: readonly number[]): boolean {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || !sorted.every((number, index) => number === first + index)) return false;
  if (!Number.isInteger(first) && sorted.length > 1) return false;
  draft.minimum = first;
  draft.maximum = last;
  return true;
}

/** The whole numbers of an int-or-string. */
export function chooseNumbers(draft: Draft, numbers: readonly number[]): void {
  if (chooseRange(draft, numbers)) return;
  const alternatives = numbers.map((number) => ({ minimum: number, maximum: number }));
  draft.allOf = [...(draft.allOf ?? []), { anyOf: alternatives }];
}

/** The values of a nullable enum. */
export function chooseNullable(draft: Draft, values: readonly Json[]): void {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  if (texts.length > 0) {
    chooseWords(draft, texts);
    return;
  }
  if (numbers.length > 0 && draft.type === 'integer' && chooseRange(draft, numbers)) return;
  const literals = values.filter((value) => typeof value === 'number' || typeof value === 'boolean').map(celLiteral);
  addRule(draft, { rule: literals.map((literal) => `self == ${literal}`).join(' || '), message: `must be one of ${literals.join(', ')}` });
}
