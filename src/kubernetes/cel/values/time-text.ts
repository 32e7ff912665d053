import { plainDecimal } from './number-text.js';

const SECOND = 1_000_000_000n;

/** Seconds with a fraction, as `string(duration)` shows it: `1.5s`. */
export function formatDuration(nanoseconds: bigint): string {
  const seconds = Number(nanoseconds / SECOND) + Number(nanoseconds % SECOND) / 1e9;
  return `${plainDecimal(seconds)}s`;
}

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339 to nanoseconds since 1970; `undefined` if the text or the date is invalid. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const midnight = dayStart(year, month, day);
  if (midnight === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetSeconds(match[8] ?? 'Z');
  if (offset === undefined) return undefined;
  const seconds = midnight / 1000 + hour * 3600 + minute * 60 + second - offset;
  return BigInt(seconds) * SECOND + BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
}

/** `Z`, or `±hh:mm` up to 24 hours and 60 minutes, "as some people do write" it. Source: Go's `time.Parse`. */
function offsetSeconds(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 24 || minutes > 60) return undefined;
  return (hours * 60 + minutes) * (zone.startsWith('-') ? -60 : 60);
}

/** Milliseconds of a day's start in UTC, if the calendar has the day. */
function dayStart(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** `YYYY-MM-DD` as a point in time. */
export function parseDate(text: string): bigint | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** RFC 3339 in UTC, fraction without trailing zeros. */
export function formatTimestamp(nanoseconds: bigint): string {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const seconds = (nanoseconds - fraction) / SECOND;
  const base = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '');
  const digits = fraction.toString().padStart(9, '0').replace(/0+$/, '');
  return `${base}${digits === '' ? '' : `.${digits}`}Z`;
}
