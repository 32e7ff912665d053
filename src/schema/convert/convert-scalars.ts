import { isKnownFormat, type Json, KNOWN_FORMATS, type StructuralSchema } from '../../kubernetes/index.js';
import type { ZodCheckDef, ZodDef, ZodNode } from '../zod-internals.js';
import { addRule, type ConversionContext, type Draft, type Place, refuse, warn } from './context.js';
import { goPatternOf } from './go-pattern.js';
import { REFUSED_CHECKS } from './refusals.js';

/** The checks of a node that are zod's own, its own format first. Refuses those that run code. */
export function nativeChecks(node: ZodNode, context: ConversionContext, place: Place): readonly ZodCheckDef[] {
  const { def } = node._zod;
  const own = def.check === undefined || def.check === 'custom' ? [] : [def as unknown as ZodCheckDef];
  const others = (def.checks ?? []).map((check) => check._zod.def).filter((check) => check.keelson === undefined);
  return [...own, ...others].filter((check) => {
    const refusal = REFUSED_CHECKS[check.check];
    if (refusal !== undefined) refuse(context, place, refusal);
    return refusal === undefined;
  });
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MAX_FLOAT32 = 3.4028234663852886e38;

const NUMBER_FORMATS: Readonly<Record<string, Pick<Draft, 'type' | 'format' | 'minimum' | 'maximum'>>> = {
  safeint: { type: 'integer', format: 'int64', minimum: -MAX_SAFE, maximum: MAX_SAFE },
  int32: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  uint32: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
  float32: { type: 'number', format: 'float', minimum: -MAX_FLOAT32, maximum: MAX_FLOAT32 },
  float64: { type: 'number', format: 'double' },
};

export function convertNumber(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const draft: Draft = { type: 'number' };
  for (const check of nativeChecks(node, context, place)) {
    if (check.check === 'number_format') {
      const { minimum, maximum, ...format } = NUMBER_FORMATS[check.format ?? ''] ?? {};
      // The narrower format wins: `z.int32().int()` stays int32.
      if (draft.format !== 'int32') Object.assign(draft, format);
      if (minimum !== undefined) atLeast(draft, minimum, false);
      if (maximum !== undefined) atMost(draft, maximum, false);
    } else if (check.check === 'greater_than') atLeast(draft, Number(check.value), check.inclusive === false);
    else if (check.check === 'less_than') atMost(draft, Number(check.value), check.inclusive === false);
    else if (check.check === 'multiple_of') addMultiple(draft, Number(check.value));
    else refuse(context, place, `the check ${check.check} on a number has no schema; write .check(k.rule('…'))`);
  }
  return fractionsAsRules(draft, context, place);
}

/**
 * The API server compares whole values with bounds and factors that it has cut to whole numbers: `minimum: 0.5` lets 0 pass, an exclusive maximum of 2.5 refuses 2,
 * and `multipleOf: 0.5` refuses every whole value. Where the cut is wrong a rule takes over.
 */
function fractionsAsRules(draft: Draft, context: ConversionContext, place: Place): Draft {
  const factors = [draft.multipleOf, ...(draft.allOf ?? []).map(({ multipleOf }) => multipleOf)].filter((factor) => factor !== undefined);
  if (factors.some((factor) => !Number.isInteger(factor))) {
    refuse(
      context,
      place,
      'a fraction in .multipleOf(): the API server cuts it to a whole number when the value is whole, and then refuses the value; use whole numbers of a smaller unit',
    );
  }
  const { minimum, maximum } = draft;
  if (draft.type === 'integer') {
    if (minimum !== undefined && !Number.isInteger(minimum)) replaceBound(draft, 'minimum', Math.ceil(minimum));
    if (maximum !== undefined && !Number.isInteger(maximum)) replaceBound(draft, 'maximum', Math.floor(maximum));
    return draft;
  }
  if (minimum !== undefined && !Number.isInteger(minimum)) ruleForBound(draft, 'minimum', minimum);
  if (maximum !== undefined && !Number.isInteger(maximum)) ruleForBound(draft, 'maximum', maximum);
  return draft;
}

const EXCLUSIVE = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const;

function replaceBound(draft: Draft, key: 'minimum' | 'maximum', bound: number): void {
  draft[key] = bound;
  delete draft[EXCLUSIVE[key]];
}

function ruleForBound(draft: Draft, key: 'minimum' | 'maximum', bound: number): void {
  const exclusive = draft[EXCLUSIVE[key]] === true;
  // Cutting moves a bound towards zero. Only away from the allowed side does that change an inclusive bound, only into it an exclusive one.
  const moved = key === 'minimum' ? bound > 0 !== exclusive : bound < 0 !== exclusive;
  // The range of float32 is a fraction of nothing that JSON writes as a whole number.
  if (!moved || Math.abs(bound) > Number.MAX_SAFE_INTEGER) return;
  const words = key === 'minimum' ? (exclusive ? 'greater than' : 'at least') : exclusive ? 'less than' : 'at most';
  const operator = `${key === 'minimum' ? '>' : '<'}${exclusive ? '' : '='}`;
  addRule(draft, { rule: `self ${operator} ${celDouble(bound)}`, message: `must be ${words} ${bound}` });
  // An exclusive bound would refuse a whole value that is allowed.
  if (exclusive) {
    delete draft[key];
    delete draft[EXCLUSIVE[key]];
  }
}

/** A literal with a point or an exponent is a double. */
function celDouble(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function atLeast(draft: Draft, bound: number, exclusive: boolean): void {
  if (!Number.isFinite(bound) || (draft.minimum !== undefined && (bound < draft.minimum || (bound === draft.minimum && !exclusive))))
    return;
  draft.minimum = bound;
  if (exclusive) draft.exclusiveMinimum = true;
  else delete draft.exclusiveMinimum;
}

function atMost(draft: Draft, bound: number, exclusive: boolean): void {
  if (!Number.isFinite(bound) || (draft.maximum !== undefined && (bound > draft.maximum || (bound === draft.maximum && !exclusive))))
    return;
  draft.maximum = bound;
  if (exclusive) draft.exclusiveMaximum = true;
  else delete draft.exclusiveMaximum;
}

function addMultiple(draft: Draft, factor: number): void {
  if (draft.multipleOf === undefined) draft.multipleOf = factor;
  else draft.allOf = [...(draft.allOf ?? []), { multipleOf: factor }];
}

export function convertString(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const draft: Draft = { type: 'string' };
  for (const check of nativeChecks(node, context, place)) {
    if (check.check === 'min_length') draft.minLength = Math.max(draft.minLength ?? 0, check.minimum ?? 0);
    else if (check.check === 'max_length') draft.maxLength = Math.min(draft.maxLength ?? Number.POSITIVE_INFINITY, check.maximum ?? 0);
    else if (check.check === 'length_equals') {
      draft.minLength = check.length ?? 0;
      draft.maxLength = check.length ?? 0;
    } else if (check.check === 'string_format') addStringFormat(draft, check as ZodCheckDef & ZodDef, { context, place });
    else refuse(context, place, `the check ${check.check} on a string has no schema; write .check(k.rule('…'))`);
  }
  return draft;
}

interface At {
  readonly context: ConversionContext;
  readonly place: Place;
}

/** zod's formats that the API server has too. Own patterns beside them, where its format takes more than zod's: zod's patterns change between releases, the CRD must not. */
const FORMATS: Readonly<Record<string, (def: ZodDef) => Pick<StructuralSchema, 'format' | 'pattern' | 'maxLength'>>> = {
  email: () => ({ format: 'email' }),
  url: () => ({ format: 'uri' }),
  hostname: () => ({ format: 'hostname', maxLength: 253 }),
  ipv4: () => ({ format: 'ipv4' }),
  ipv6: () => ({ format: 'ipv6' }),
  cidrv4: () => ({ format: 'cidr', pattern: '^[^:]*$' }),
  cidrv6: () => ({ format: 'cidr', pattern: ':' }),
  mac: ({ delimiter = ':' }) => ({ format: 'mac', pattern: macPattern(delimiter) }),
  base64: () => ({ format: 'byte' }),
  date: () => ({ format: 'date' }),
  base64url: () => ({ pattern: '^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$' }),
  guid: () => ({ pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$' }),
  uuid: ({ version }) => uuidFormat(version),
};

function macPattern(delimiter: string): string {
  const separator = delimiter === '.' ? '\\.' : delimiter;
  return `^([0-9A-F]{2}${separator}){5}[0-9A-F]{2}$|^([0-9a-f]{2}${separator}){5}[0-9a-f]{2}$`;
}

function uuidFormat(version: string | undefined): Pick<StructuralSchema, 'format' | 'pattern'> {
  const start = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-';
  const variant = '[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';
  if (version !== undefined) return { format: 'uuid', pattern: `^${start}${version.slice(1)}${variant}$` };
  // The server's own format also takes an uuid without dashes.
  const nilOrMax = ['0', 'f'].map((digit) => `${digit}{8}-${digit}{4}-${digit}{4}-${digit}{4}-${digit}{12}`).join('|');
  return { format: 'uuid', pattern: `^(${start}[1-8]${variant}|${nilOrMax})$` };
}

/** Formats of zod whose pattern no RE2 reads, or that have none. */
const REFUSED_FORMATS: Readonly<Record<string, string>> = {
  emoji: 'z.emoji() needs Unicode properties that RE2 lacks; write a .regex() of your own',
  jwt: 'z.jwt() runs code; write z.string() with a pattern',
  credit_card: "z.creditCard() runs code; write z.string().check(k.format('creditcard'))",
  iban: 'z.iban() runs code; write z.string() with a pattern',
  json_string: 'a JSON string is checked by code; write k.json() to carry the value itself',
};

function addStringFormat(draft: Draft, def: ZodCheckDef & ZodDef, { context, place }: At): void {
  const name = def.format ?? '';
  const refusal = REFUSED_FORMATS[name] ?? restricted(def);
  if (refusal !== undefined) {
    refuse(context, place, refusal);
    return;
  }
  if (name === 'datetime') {
    addDateTime(draft, def, { context, place });
    return;
  }
  if (name === 'duration') {
    refuse(context, place, 'z.iso.duration() has no RE2 pattern; write k.duration(), a duration as Go writes it');
    return;
  }
  const known = Object.hasOwn(FORMATS, name) ? FORMATS[name]?.(def) : undefined;
  if (known !== undefined) {
    merge(draft, known);
    return;
  }
  if (def.pattern === undefined) {
    refuse(context, place, `the string format ${name} runs code; write .regex() with a pattern, or .check(k.rule('…'))`);
    return;
  }
  const result = goPatternOf(def.pattern);
  if ('problem' in result) {
    refuse(context, place, `the pattern ${String(def.pattern)}: ${result.problem}`);
    return;
  }
  if (ZOD_PATTERNS.has(name))
    warn(context, place, `the pattern of the format ${name} is zod's own and may change with zod; write .regex() to pin it`);
  addPattern(draft, result.pattern);
}

const ZOD_PATTERNS: ReadonlySet<string> = new Set(['nanoid', 'cuid', 'cuid2', 'ulid', 'xid', 'ksuid', 'e164']);

function restricted(def: ZodDef): string | undefined {
  if (def.format !== 'url') return undefined;
  if (def.normalize === true)
    return 'z.url({ normalize: true }) changes the value, the API server stores what it receives; leave normalize out';
  return def.hostname === undefined && def.protocol === undefined
    ? undefined
    : 'z.url() with a protocol or hostname has no schema; write z.url() and .regex(), or .check(k.rule("url(self).getScheme() == …"))';
}

function addDateTime(draft: Draft, def: ZodDef, { context, place }: At): void {
  if (def.local === true) {
    refuse(context, place, 'a local date-time (without offset) is not a date-time for the API server; write k.timestamp()');
    return;
  }
  if (typeof def.precision === 'number' && def.precision < 0) {
    refuse(context, place, 'a date-time without seconds is not one for the API server; leave precision out');
    return;
  }
  const zone = def.offset === true ? '(Z|[+-][0-9]{2}:[0-9]{2})' : 'Z';
  const fraction = typeof def.precision !== 'number' ? '' : def.precision === 0 ? ':[0-9]{2}' : `\\.[0-9]{${def.precision}}`;
  merge(draft, { format: 'date-time', ...(fraction === '' && def.offset === true ? {} : { pattern: `${fraction}${zone}$` }) });
}

function merge(draft: Draft, { format, pattern, maxLength }: Pick<StructuralSchema, 'format' | 'pattern' | 'maxLength'>): void {
  if (format !== undefined) addFormat(draft, format);
  if (pattern !== undefined) addPattern(draft, pattern);
  if (maxLength !== undefined) draft.maxLength = Math.min(draft.maxLength ?? Number.POSITIVE_INFINITY, maxLength);
}

/** JSON schema has room for one format and one pattern: the next ones stand in `allOf`. */
export function addFormat(draft: Draft, format: string): void {
  if (draft.format === undefined) draft.format = format;
  else if (draft.format !== format) draft.allOf = [...(draft.allOf ?? []), { format }];
}

function addPattern(draft: Draft, pattern: string): void {
  if (draft.pattern === undefined) draft.pattern = pattern;
  else if (draft.pattern !== pattern) draft.allOf = [...(draft.allOf ?? []), { pattern }];
}

/** What is wrong with the name of a format. */
export function formatProblem(format: string): string | undefined {
  return isKnownFormat(format) ? undefined : `the API server ignores the format "${format}"; it knows ${KNOWN_FORMATS.join(', ')}`;
}

/** A template literal is a string whose pattern zod has already made. */
export function convertTemplateLiteral(node: ZodNode, context: ConversionContext, place: Place): Draft {
  const { pattern } = node._zod;
  const result = pattern === undefined ? { problem: 'it has no pattern' } : goPatternOf(pattern);
  if ('problem' in result) {
    refuse(context, place, `z.templateLiteral(): ${result.problem}`);
    return { type: 'string' };
  }
  return { type: 'string', pattern: result.pattern };
}

/** Values of an enum; of a TypeScript enum with numbers, without its reverse entries. */
export function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  return Object.entries(entries).flatMap(([key, value]) => (numbers.includes(Number(key)) ? [] : [value]));
}

/** A schema for a fixed set of values, which must be of one type, or whole numbers and strings. */
export function convertValues(values: readonly unknown[], context: ConversionContext, place: Place): Draft {
  const unique = [...new Set(values)];
  const type = commonType(unique);
  if (type === undefined) {
    refuse(
      context,
      place,
      `the values ${unique.map(describeValue).join(', ')} have no common type in JSON; use strings, numbers or booleans of one type (.nullable() for null)`,
    );
    return { type: 'string' };
  }
  const base: Draft =
    type === 'intOrString' ? { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true } : { type };
  return { ...base, enum: unique as Json[] };
}

function describeValue(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : value === undefined ? 'undefined' : JSON.stringify(value);
}

function commonType(values: readonly unknown[]): 'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => Number.isSafeInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number' && Number.isFinite(value))) return 'number';
  return values.every((value) => typeof value === 'string' || Number.isSafeInteger(value)) ? 'intOrString' : undefined;
}
