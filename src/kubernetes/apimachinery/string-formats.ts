import { isMailAddress } from './email-address.js';
import { goDurationOf } from './go-duration.js';
import { isCidrText, isIPText, isIPv6Text } from './ip-address.js';
import { isRequestUri } from './uri.js';

/**
 * The string formats that a CRD's schema may name, as the API server understands them.
 *
 * Sources: apiextensions-apiserver `pkg/apiserver/validation/formats.go` (which are known), kube-openapi `pkg/validation/strfmt` (what they accept). Oddities are theirs: `3 days` is a
 * duration, and the empty string is not a base64.
 */
type FormatCheck = (text: string) => boolean;

function matches(pattern: RegExp): FormatCheck {
  return (text) => pattern.test(text);
}

const RGB_PART = '\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';
const SHORT_NAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isMailAddress],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && isIPText(text, true)],
  ['ipv6', (text) => isIPv6Text(text)],
  ['cidr', (text) => isCidrText(text, true)],
  ['mac', isMac],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matches(new RegExp(`^rgb\\(${RGB_PART},${RGB_PART},${RGB_PART}\\)$`))],
  ['byte', matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseFormattedDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${SHORT_NAME}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${SHORT_NAME}(\\.${SHORT_NAME})*$`).test(text)],
]);

/** `date-time` and `datetime` are one format. */
function normalized(format: string): string {
  return format.replaceAll('-', '');
}

/** Whether the API server looks at `format` at all; it ignores the others in silence. */
export function isKnownFormat(format: string): boolean {
  return FORMATS.has(normalized(format));
}

/** Whether `text` satisfies `format`; true for a format that the API server does not know. */
export function hasFormat(format: string, text: string): boolean {
  return FORMATS.get(normalized(format))?.(text) ?? true;
}

/** The names to offer, in their customary spelling. */
export const KNOWN_FORMATS: readonly string[] = [...FORMATS.keys()].map((name) =>
  name === 'datetime' ? 'date-time' : name.replace(/^k8s(short|long)name$/, 'k8s-$1-name'),
);

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  const bytes = (part: string) => new TextEncoder().encode(part).length;
  // Before the pattern: the engine has no stack for a million labels.
  if (text.length > 255 || bytes(text) > 255) return false;
  return HOSTNAME.test(text) && text.split('.').every((part) => bytes(part) <= 63);
}

function isMac(text: string): boolean {
  const pair = '[0-9a-fA-F]{2}';
  const sizes = [6, 8, 20];
  return sizes.some((size) => {
    const colons = new RegExp(`^${pair}([:-])${pair}(\\1${pair}){${size - 2}}$`);
    const dots = new RegExp(`^(${pair}){2}(\\.(${pair}){2}){${size / 2 - 1}}$`);
    const bare = new RegExp(`^(${pair}){${size}}$`);
    return colons.test(text) || dots.test(text) || bare.test(text);
  });
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value >= 10 ? (value % 10) + 1 : value);
  }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return month >= 1 && month <= 12 && day >= 1 && day <= (days[month - 1] ?? 0);
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time);
  if (match === null) return false;
  const [, hour = '', minute = '', second = ''] = match;
  return hour <= '23' && minute <= '59' && second <= '59';
}

// A match begins where a run of digits does: without that, each digit of a long run would be tried as a beginning.
const LOOSE_PART = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
const [SECOND, DAY] = [1_000_000_000n, 86_400_000_000_000n];
/** Nanoseconds by the names of a unit; words that begin with the last one count too: `minutes`. */
const LOOSE_UNITS: readonly (readonly [bigint, ...string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', 'µs', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [SECOND, 's', 'sec'],
  [60n * SECOND, 'm', 'min'],
  [3_600n * SECOND, 'h', 'hr', 'hour'],
  [DAY, 'd', 'day'],
  [7n * DAY, 'w', 'wk', 'week'],
];

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Nanoseconds of a text by `format: duration`: Go's form, or the sum of all numbers with a unit: the server takes `22 ns` and `about 3 days`. A sum beyond 64 bits
 * wraps around. Source: `ParseDuration` of kube-openapi's `strfmt`.
 *
 * @returns undefined where it is not a duration
 */
export function parseFormattedDuration(text: string): bigint | undefined {
  const strict = goDurationOf(text);
  if (strict !== undefined) return strict;
  let sum: bigint | undefined;
  for (const [, amount = '', unit = ''] of text.matchAll(LOOSE_PART)) {
    const digits = amount.replace(/^0+/, '');
    if (digits.length > 19 || BigInt(digits || '0') > MAX_INT64) return undefined;
    const scale = looseScale(unit.toLowerCase());
    if (scale !== undefined) sum = BigInt.asIntN(64, (sum ?? 0n) + BigInt(digits || '0') * scale);
  }
  return sum;
}

function looseScale(unit: string): bigint | undefined {
  return LOOSE_UNITS.find(([, ...names]) => names.includes(unit) || unit.startsWith(names.at(-1) ?? unit))?.[0];
}
