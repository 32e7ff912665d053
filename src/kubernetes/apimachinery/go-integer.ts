import { goQuote } from './go-format.js';

/** Go's `strconv.ParseUint(text, 10, bits)`: the number, or what Go says. */
export function parseGoUint(text: string, bits: 16 | 64 = 64): bigint | string {
  if (!/^[0-9]+$/.test(text)) return problem('ParseUint', text, 'invalid syntax');
  const value = digitsValue(text);
  return value >= 1n << BigInt(bits) ? problem('ParseUint', text, 'value out of range') : value;
}

/** Go's `strconv.ParseInt(text, 10, 64)`: the number, or what Go says. */
export function parseGoInt(text: string): bigint | string {
  if (!/^[-+]?[0-9]+$/.test(text)) return problem('ParseInt', text, 'invalid syntax');
  const isNegative = text.startsWith('-');
  const magnitude = digitsValue(text.replace(/^[-+]/, ''));
  const most = (1n << 63n) - (isNegative ? 0n : 1n);
  if (magnitude > most) return problem('ParseInt', text, 'value out of range');
  return isNegative ? -magnitude : magnitude;
}

/** An integer of 64 bits has 20 digits at most; a longer text must not cost its square. */
function digitsValue(digits: string): bigint {
  const significant = digits.replace(/^0+(?=.)/, '');
  return significant.length > 20 ? 1n << 64n : BigInt(significant);
}

function problem(call: 'ParseUint' | 'ParseInt', text: string, words: string): string {
  return `strconv.${call}: parsing ${goQuote(text)}: ${words}`;
}
