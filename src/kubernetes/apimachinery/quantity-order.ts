import { compareQuantities, parseQuantity, type Quantity } from './quantity-value.js';

/**
 * Which of two quantities is more, however they are written: `1Gi` and `1024Mi` are equal.
 *
 * @example
 * ```ts
 * const isMore = compareQuantityTexts('2Gi', '1500Mi') > 0; // true
 * ```
 *
 * @returns negative, zero or positive, as `left` is less than, equal to or more than `right`
 * @throws TypeError for any other text
 */
export function compareQuantityTexts(left: string | number, right: string | number): number {
  return compareQuantities(quantityOf(left), quantityOf(right));
}

function quantityOf(text: string | number): Quantity {
  const parsed = parseQuantity(String(text));
  if (typeof parsed === 'string') throw new TypeError(`${JSON.stringify(text)} is not a quantity such as 500m or 2Gi: ${parsed}`);
  return parsed;
}
