import { goTimeQuote } from '@keelson/kubernetes/apimachinery';
/**
 * Times and durations in Go's spelling.
 *
 * Source: Go's `time` package, whose parser takes more than RFC 3339 (hours of one digit, a comma before the fraction, offsets of 24:60), and
 * `metav1.Time` and `metav1.MicroTime`, which write UTC.
 */

/** An instant: seconds since 1970, and what is left of a second. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

export type Layout = 'seconds' | 'micro';

const LAYOUTS: Readonly<Record<Layout, string>> = {
  seconds: '2006-01-02T15:04:05Z07:00',
  micro: '2006-01-02T15:04:05.000000Z07:00',
};
/** Go's zero time, 0001-01-01T00:00:00Z: the API writes it as null. */
const ZERO_SECONDS = -62_135_596_800;
const WRITTEN = /^[1-9]\d{3}-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{6})?Z$/;

/** The text that Go writes for a text that it reads, null for the zero time; `problem` is Go's text. */
export function canonicalTime(text: string, layout: Layout): { readonly text: string | null } | { readonly problem: string } {
  if (isWritten(text, layout)) return { text };
  const parsed = parseTime(text, layout);
  return typeof parsed === 'string' ? { problem: parsed } : { text: timeText(parsed, layout) };
}

/** Most times come from a program that writes them as we do; only the last days of months have to be looked at. */
function isWritten(text: string, layout: Layout): boolean {
  const match = WRITTEN.exec(text);
  if (match === null || (match[6] !== undefined) !== (layout === 'micro')) return false;
  const [, month = '', day = '', hour = '', minute = '', second = ''] = match;
  return month >= '01' && month <= '12' && day >= '01' && day <= '28' && hour <= '23' && minute <= '59' && second <= '59';
}

/** The text of an instant in UTC; null for Go's zero time. */
export function timeText({ seconds, nanoseconds }: Instant, layout: Layout): string | null {
  if (seconds === ZERO_SECONDS && nanoseconds === 0) return null;
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const fraction = layout === 'micro' ? `.${String(Math.floor(nanoseconds / 1000)).padStart(6, '0')}` : '';
  return `${day}T${time}${fraction}Z`;
}

/** `time.Parse`: an instant, or what Go says of the text. */
export function parseTime(text: string, layout: Layout): Instant | string {
  try {
    return new TimeReader(text, LAYOUTS[layout]).read(layout);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Thrown and caught in this file alone. */
class Refusal extends Error {}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(layout: Layout): Instant {
    const year = Number(this.#take(/^\d{4}/, '2006'));
    this.#literal('-');
    const month = this.#inRange(this.#take(/^\d\d/, '01'), { least: 1, most: 12, name: 'month' });
    this.#literal('-');
    const day = Number(this.#take(/^\d\d/, '02'));
    this.#literal('T');
    const hour = this.#inRange(this.#take(/^\d\d?/, '15'), { least: 0, most: 23, name: 'hour' });
    this.#literal(':');
    const minute = this.#inRange(this.#take(/^\d\d/, '04'), { least: 0, most: 59, name: 'minute' });
    this.#literal(':');
    const second = this.#inRange(this.#take(/^\d\d/, '05'), { least: 0, most: 59, name: 'second' });
    const fraction = layout === 'micro' ? this.#micro() : this.#optional(/^[.,]\d+/);
    const offset = this.#offset();
    if (this.#rest !== '') throw this.#refusal(`: extra text: ${goTimeQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) throw this.#refusal(': day out of range');
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    return { seconds: date.getTime() / 1000 - offset, nanoseconds: Number(fraction.slice(1, 10).padEnd(9, '0')) };
  }

  /** Go reads the six places as a number, which may have a sign. */
  #micro(): string {
    const places = this.#take(/^[.,](?:\d{6}|[+-]\d{5})/, '.000000');
    const value = Number(places.slice(1));
    if (value < 0) throw this.#refusal(': fractional second out of range');
    return `.${String(value).padStart(6, '0')}`;
  }

  #offset(): number {
    if (this.#optional(/^Z/) !== '') return 0;
    const held = this.#rest;
    const layout = 'Z07:00';
    if (held.length < 6 || held[3] !== ':' || held > '\u007f') throw this.#unparsed(held, layout);
    this.#rest = held.slice(6);
    const [hours, minutes] = [held.slice(1, 3), held.slice(4, 6)];
    const isNumber = /^\d\d$/.test(hours);
    // The ranges are looked at before the form, and an offset of 24:60 is in them.
    if (isNumber && /^\d\d$/.test(minutes)) this.#inRange(minutes, { least: 0, most: 60, name: 'time zone offset minute' });
    if (isNumber) this.#inRange(hours, { least: 0, most: 24, name: 'time zone offset hour' });
    if (!isNumber || !/^\d\d$/.test(minutes) || !/^[+-]/.test(held)) throw this.#unparsed(held, layout);
    const seconds = (Number(hours) * 60 + Number(minutes)) * 60;
    return held.startsWith('-') ? -seconds : seconds;
  }

  #take(pattern: RegExp, element: string): string {
    const found = this.#optional(pattern);
    if (found === '') throw this.#unparsed(this.#rest, element);
    return found;
  }

  #optional(pattern: RegExp): string {
    const found = pattern.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) throw this.#unparsed(this.#rest, character);
    this.#rest = this.#rest.slice(1);
  }

  #inRange(digits: string, { least, most, name }: { least: number; most: number; name: string }): number {
    const value = Number(digits);
    if (value < least || value > most) throw this.#refusal(`: ${name} out of range`);
    return value;
  }

  #unparsed(rest: string, element: string): Refusal {
    return this.#refusal(` as ${goTimeQuote(this.#layout)}: cannot parse ${goTimeQuote(rest)} as ${goTimeQuote(element)}`);
  }

  #refusal(rest: string): Refusal {
    return new Refusal(`parsing time ${goTimeQuote(this.#text)}${rest}`);
  }
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
