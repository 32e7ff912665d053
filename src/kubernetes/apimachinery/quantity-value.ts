/**
 * Quantities as the API server computes with them: exact, and written back in the one canonical spelling.
 *
 * Source of the rules: apimachinery, `pkg/api/resource`.
 */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A parsed quantity: `unscaled` × 10^`exponent`. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  /** The family of suffixes that it is written with. */
  readonly format: QuantityFormat;
  /** The spelling that the server keeps as it came, for what it takes to be canonical already: `1.500` and `+1` are, `1000m` is not. */
  readonly text?: string;
}

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_NUMBER = 'unable to parse numeric part of quantity';
const WRONG_SUFFIX = "unable to parse quantity's suffix";

const DECIMAL_SUFFIXES: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The finest step that is kept: 10^-9. */
const NANO = -9;
const MAX_INT64 = 2n ** 63n - 1n;
/** This many decimal digits always fit into an int64. */
const INT64_DIGITS = 18;
/** Sums of numbers that lie further apart than this many digits are not written out. */
const LONGEST_SHIFT = 100_000;

// No character has two ways to match: the text may be as long as a request. An invalid suffix (`kk`, `+5`) is found later, as the server does.
const SPLIT = /^([+-]?)(0*)([1-9][0-9]*)?(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[+-]?|[+-])[0-9]*)?$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const DECIMAL_AS_WRITTEN = /^[1-9][0-9]{0,8}[mkMG]?$/;
const BINARY_AS_WRITTEN = /^[1-9][0-9]{0,3}[KMG]i$/;

/**
 * The canonical spelling; a text that cannot be parsed is reported as in {@link parseQuantity}.
 *
 * @returns the text, or the problem
 */
export function canonicalQuantity(text: string): { readonly text: string } | { readonly problem: string } {
  if (DECIMAL_AS_WRITTEN.test(text) && !/000[mkMG]?$/.test(text)) return { text };
  if (BINARY_AS_WRITTEN.test(text) && (Number.parseInt(text, 10) & 7) !== 0) return { text };
  const parsed = parseQuantity(text);
  return typeof parsed === 'string' ? { problem: parsed } : { text: quantityText(parsed) };
}

/** Reads `500m`, `1.5Gi`, `1e3`. A string is the server's own words for what is wrong. */
export function parseQuantity(text: string): Quantity | string {
  if (text === '') return WRONG_FORMAT;
  if (text === '0') return { unscaled: 0n, exponent: 0, format: 'DecimalSI', text };
  const match = SPLIT.exec(text);
  if (match === null) return WRONG_FORMAT;
  const [, sign = '', zeros = '', digits = '', fraction = '', suffixText = ''] = match;
  const suffix = readSuffix(suffixText);
  if (suffix === undefined) return WRONG_SUFFIX;
  const number = { isNegative: sign === '-', whole: digits === '' ? '0' : digits, fraction };
  const small = smallQuantity(text, number, suffix);
  if (small !== undefined) return small;
  return zeros + digits + fraction === '' ? WRONG_NUMBER : bigQuantity(number, suffix);
}

interface NumberPart {
  readonly isNegative: boolean;
  /** Without leading zeros; `0` if nothing is left. */
  readonly whole: string;
  readonly fraction: string;
}

/** Numbers that surely fit into an int64: only such a quantity keeps its spelling. */
function smallQuantity(text: string, { isNegative, whole, fraction }: NumberPart, suffix: Suffix): Quantity | undefined {
  const { base, format } = suffix;
  const isBinary = base === 2;
  if (isBinary && (fraction !== '' || 14 - whole.length - Math.trunc((suffix.exponent * 3) / 10) < 0)) return undefined;
  if (!isBinary && whole.length + fraction.length > INT64_DIGITS) return undefined;
  const exponent = isBinary ? 0 : suffix.exponent - fraction.length;
  if (exponent < NANO) return undefined;
  const shifted = whole + fraction;
  const value = BigInt(shifted);
  const scaled = isBinary ? value << BigInt(suffix.exponent) : value;
  const isCanonical = isBinary ? (value & 7n) !== 0n : exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  const quantity = { unscaled: isNegative ? -scaled : scaled, exponent, format };
  return isCanonical ? { ...quantity, text } : quantity;
}

function bigQuantity({ isNegative, whole, fraction }: NumberPart, suffix: Suffix): Quantity {
  const factor = suffix.base === 2 ? 1n << BigInt(suffix.exponent) : 1n;
  let amount = { unscaled: BigInt(whole + fraction) * factor, exponent: (suffix.base === 10 ? suffix.exponent : 0) - fraction.length };
  // Up, never to zero: a request for some gets some.
  if (amount.unscaled !== 0n) amount = roundedUp(amount, NANO);
  let format = suffix.format;
  if (format === 'BinarySI') {
    if (compareDecimals(amount, { unscaled: MAX_INT64, exponent: 0 }) > 0) amount = { unscaled: MAX_INT64, exponent: 0 };
    if (amount.unscaled > 0n && compareDecimals(amount, { unscaled: 1n, exponent: 0 }) < 0) format = 'DecimalSI';
  }
  return { unscaled: isNegative ? -amount.unscaled : amount.unscaled, exponent: amount.exponent, format };
}

function readSuffix(text: string): Suffix | undefined {
  const decimal = DECIMAL_SUFFIXES.indexOf(text);
  if (decimal >= 0) return { base: 10, exponent: decimal * 3 + NANO, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.indexOf(text);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: 'BinarySI' };
  if (!/^[eE][+-]?[0-9]+$/.test(text)) return undefined;
  const exponent = BigInt(text.slice(1).replace('+', ''));
  // The server reads an int64 and keeps its lower half.
  if (exponent > MAX_INT64 || exponent < -MAX_INT64 - 1n) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** The canonical spelling: no fraction, the largest suffix that keeps it exact. */
export function quantityText(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  const binary = quantity.format === 'BinarySI' ? binaryText(quantity) : undefined;
  return binary ?? decimalText(quantity);
}

/** Nothing for what is below 1Ki or has a fraction: it is written decimally, so that nothing is lost. */
function binaryText(quantity: Quantity): string | undefined {
  const kibi = { unscaled: 1024n, exponent: 0 };
  if (compareDecimals({ ...quantity, unscaled: absolute(quantity.unscaled) }, kibi) < 0) return undefined;
  const whole = roundedUp(quantity, 0);
  if (whole.exponent > LONGEST_SHIFT || compareDecimals(whole, quantity) !== 0) return undefined;
  let amount = whole.unscaled * 10n ** BigInt(whole.exponent);
  let power = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    power += 1;
  }
  return `${amount}${BINARY_SUFFIXES[power] ?? ''}`;
}

function decimalText({ unscaled, exponent, format }: Quantity): string {
  const digits = unscaled.toString();
  const kept = digits.replace(/0+$/, '');
  const power = exponent + digits.length - kept.length;
  const surplus = ((power % 3) + 3) % 3;
  const multiple = power - surplus;
  const number = kept + '0'.repeat(surplus);
  if (format === 'DecimalExponent') return multiple === 0 ? number : `${number}e${multiple}`;
  // Beyond exa there is no suffix, and the server then writes none.
  return number + (DECIMAL_SUFFIXES[(multiple - NANO) / 3] ?? '');
}

/** Negative, zero or positive, as `left` is less than, equal to or more than `right`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  return compareDecimals(left, right);
}

/** The sum; a zero takes the format of the other. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const format = left.unscaled === 0n ? right.format : left.format;
  if (left.unscaled === 0n || right.unscaled === 0n) {
    const { unscaled, exponent } = left.unscaled === 0n ? right : left;
    return { unscaled, exponent, format };
  }
  const exponent = Math.min(left.exponent, right.exponent);
  if (Math.abs(left.exponent - right.exponent) > LONGEST_SHIFT) {
    const larger = compareMagnitudes(left, right) >= 0 ? left : right;
    return { unscaled: larger.unscaled, exponent: larger.exponent, format };
  }
  return { unscaled: atExponent(left, exponent) + atExponent(right, exponent), exponent, format };
}

function negateQuantity({ unscaled, exponent, format }: Quantity): Quantity {
  return { unscaled: -unscaled, exponent, format };
}

/** `left` - `right`; a zero takes the format of the other. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, negateQuantity(right));
}

/**
 * The quantity in steps of 10^`scale`, away from zero: -3 makes `1.0001` to `1001m`, as the defaults of resource lists do. One that is coarse enough keeps
 * its spelling.
 */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.exponent >= scale) return quantity;
  return { ...roundedUp(quantity, scale), format: quantity.format };
}

/** The number of 10^`scale` steps, away from zero: `quantityAmount(q, -3)` is Go's `MilliValue()`, 0 its `Value()`; not bound to 64 bits. */
export function quantityAmount(quantity: Quantity, scale = 0): bigint {
  const { unscaled, exponent } = roundedUp(quantity, scale);
  return unscaled * 10n ** BigInt(Math.min(exponent - scale, LONGEST_SHIFT));
}

interface Decimal {
  readonly unscaled: bigint;
  readonly exponent: number;
}

function roundedUp({ unscaled, exponent }: Decimal, scale: number): Decimal {
  if (exponent >= scale || unscaled === 0n) return { unscaled, exponent: Math.max(exponent, scale) };
  const drop = scale - exponent;
  const sign = unscaled < 0n ? -1n : 1n;
  // The dropped part is longer than the number: one step is left.
  if (drop > absolute(unscaled).toString().length) return { unscaled: sign, exponent: scale };
  const divisor = 10n ** BigInt(drop);
  const quotient = unscaled / divisor;
  return { unscaled: unscaled % divisor === 0n ? quotient : quotient + sign, exponent: scale };
}

function compareDecimals(left: Decimal, right: Decimal): number {
  const signs = signOf(left.unscaled) - signOf(right.unscaled);
  if (signs !== 0 || left.unscaled === 0n) return signs;
  return left.unscaled < 0n ? compareMagnitudes(right, left) : compareMagnitudes(left, right);
}

/** Neither is zero. The number of digits decides before anything is written out: `1e2000000000` is a quantity. */
function compareMagnitudes(left: Decimal, right: Decimal): number {
  const orders = orderOf(left) - orderOf(right);
  if (orders !== 0) return orders;
  const exponent = Math.min(left.exponent, right.exponent);
  return signOf(absolute(atExponent(left, exponent)) - absolute(atExponent(right, exponent)));
}

function orderOf({ unscaled, exponent }: Decimal): number {
  return absolute(unscaled).toString().length + exponent;
}

function atExponent({ unscaled, exponent }: Decimal, target: number): bigint {
  return unscaled * 10n ** BigInt(exponent - target);
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
