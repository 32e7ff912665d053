import { goQuote } from '../../kubernetes/index.js';
import { plainError } from '../status/index.js';

const MAX_UINT64 = (1n << 64n) - 1n;

/** Go's `strconv.ParseUint(text, 10, 64)`: the number, or what Go says. */
export function parseUint(text: string): bigint | string {
  if (!/^[0-9]+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  // No uint64 has more digits; a longer text must not cost its square.
  const digits = text.replace(/^0+(?=.)/, '');
  const value = digits.length > 20 ? MAX_UINT64 + 1n : BigInt(digits);
  return value > MAX_UINT64 ? `strconv.ParseUint: parsing ${goQuote(text)}: value out of range` : value;
}

/** The server's error for a `resourceVersion` parameter that is not a number. */
export function resourceVersionProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const parsed = parseUint(text);
  return typeof parsed === 'string' ? `resourceVersion: Invalid value: ${goQuote(text)}: ${parsed}` : undefined;
}

/** `metadata.resourceVersion` of an object that is written; 0: none. @throws StatusError 500, which is what the server answers when it is not a number */
export function writtenResourceVersion(text: string | undefined): bigint {
  if (text === undefined || text === '') return 0n;
  const parsed = parseUint(text);
  if (typeof parsed === 'string') throw plainError(parsed);
  return parsed;
}
