import { parseGoInt } from '@keelson/kubernetes/apimachinery';
import { badRequest } from '../status/index.js';

/** The query of a URL as Go reads it: pairs with a semicolon or with a broken escape are left out. */
export function queryOf(text: string): URLSearchParams {
  if (!/[;%]/.test(text)) return new URLSearchParams(text);
  return new URLSearchParams(
    text
      .split('&')
      .filter((pair) => !pair.includes(';') && !/%(?![0-9a-fA-F]{2})/.test(pair))
      .join('&'),
  );
}

/** The first value; undefined where the parameter is not given. */
export function plainParameter(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

/** Everything but `0` and `false` is true, as apimachinery `runtime/conversion.go` has it. */
export function truthParameter(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value !== '0' && value.toLowerCase() !== 'false';
}

/** @throws StatusError 400 with the words of Go's `strconv`. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const integer = parseGoInt(value);
  if (typeof integer === 'string') throw badRequest(integer);
  return Number(integer);
}

/** `strconv.ParseBool`; anything else is false. */
export function strictTruth(value: string): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value);
}
