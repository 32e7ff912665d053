import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { ZodDef } from '../zod-internals.js';

/** The schema of a format of zod: all patterns must match. */
export interface FormatSchema {
  readonly format?: StructuralSchema['format'];
  readonly patterns?: readonly string[];
}

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const IPV4 = `(${OCTET}\\.){3}${OCTET}`;
const IPV6_PREFIX = '(12[0-8]|1[01][0-9]|[1-9]?[0-9])';

/**
 * zod's own formats.
 *
 * The API server's format of the same name takes other texts (it reads `01.2.3.4` as an IPv4 address and `a@b` as a mail address): a pattern says what zod means,
 * and the format stands beside it where it takes all of that. The patterns are ours: zod's change between releases, the CRD must not.
 */
export const FORMATS: Readonly<Record<string, (def: ZodDef) => FormatSchema>> = {
  email: () => ({
    format: 'email',
    patterns: ["^([A-Za-z0-9_'+-]+\\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$"],
  }),
  hostname: () => ({ patterns: [`^${LABEL}(\\.${LABEL})*\\.?$`, '^.{1,253}\\.?$'] }),
  ipv4: () => ({ format: 'ipv4', patterns: [`^${IPV4}$`] }),
  ipv6: () => ({ format: 'ipv6' }),
  cidrv4: () => ({ format: 'cidr', patterns: [`^${IPV4}/(3[0-2]|[12]?[0-9])$`] }),
  cidrv6: () => ({ format: 'cidr', patterns: [`^[0-9a-fA-F:]*:([0-9a-fA-F]*|${IPV4})/${IPV6_PREFIX}$`] }),
  mac: ({ delimiter = ':' }) => ({ format: 'mac', patterns: [macPattern(delimiter)] }),
  // The server's format refuses the empty text and takes line ends.
  base64: () => ({ patterns: ['^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'] }),
  date: () => ({ format: 'date' }),
  base64url: () => ({ patterns: ['^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$'] }),
  guid: () => ({ patterns: ['^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'] }),
  uuid: ({ version }) => uuidFormat(version),
  datetime: dateTimeFormat,
  starts_with: ({ prefix = '' }) => ({ patterns: [`^${escaped(prefix)}`] }),
  ends_with: ({ suffix = '' }) => ({ patterns: [`${escaped(suffix)}$`] }),
  includes: ({ includes = '', position = 0 }) => ({ patterns: [`${position > 0 ? `^[\\s\\S]{${position},}` : ''}${escaped(includes)}`] }),
};

const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, (sign) => (sign === '/' || sign === '-' ? sign : `\\${sign}`));
}

function macPattern(delimiter: string): string {
  const separator = delimiter === '.' ? '\\.' : delimiter;
  return `^([0-9A-F]{2}${separator}){5}[0-9A-F]{2}$|^([0-9a-f]{2}${separator}){5}[0-9a-f]{2}$`;
}

function uuidFormat(version: string | undefined): FormatSchema {
  const start = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-';
  const variant = '[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';
  if (version !== undefined) return { format: 'uuid', patterns: [`^${start}${version.slice(1)}${variant}$`] };
  // The server's own format also takes an uuid without dashes.
  const nilOrMax = ['0', 'f'].map((digit) => `${digit}{8}-${digit}{4}-${digit}{4}-${digit}{4}-${digit}{12}`).join('|');
  return { format: 'uuid', patterns: [`^(${start}[1-8]${variant}|${nilOrMax})$`] };
}

/** The server's format takes `t` and `z`, any sign before a fraction, and any offset of four digits; it knows the days of a month. */
function dateTimeFormat({ offset, precision }: ZodDef): FormatSchema {
  const fraction = typeof precision !== 'number' ? '(\\.[0-9]+)?' : precision === 0 ? '' : `\\.[0-9]{${precision}}`;
  const zone = offset === true ? '(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])' : 'Z';
  return { format: 'date-time', patterns: [`^[0-9-]+T[0-9:]+${fraction}${zone}$`] };
}

/** Formats of zod that no pattern of RE2 can express. */
export const REFUSED_FORMATS: Readonly<Record<string, (def: ZodDef) => string | undefined>> = {
  url: () =>
    'z.url() takes what a browser takes, blanks and fragments among it, the API server has no such format; write k.uri(), an absolute URI or path, or z.string() and .regex()',
  emoji: () => 'z.emoji() needs Unicode properties that RE2 lacks; write a .regex() of your own',
  jwt: () => 'z.jwt() runs code; write z.string() with a pattern',
  credit_card: () => "z.creditCard() runs code; write z.string().check(k.format('creditcard'))",
  iban: () => 'z.iban() runs code; write z.string() with a pattern',
  json_string: () => 'a JSON string is checked by code; write k.json() to carry the value itself',
  duration: () => 'z.iso.duration() has no RE2 pattern; write k.duration(), a duration as Go writes it',
  datetime: ({ local, precision }) => {
    if (local === true) return 'a local date-time (without offset) is not a date-time for the API server; write k.timestamp()';
    return typeof precision === 'number' && precision < 0
      ? 'a date-time without seconds is not one for the API server; leave precision out'
      : undefined;
  },
};

/** Formats whose pattern zod has changed between releases. */
export const CHANGING_FORMATS: ReadonlySet<string> = new Set(['nanoid', 'cuid', 'cuid2', 'ulid', 'xid', 'ksuid', 'e164']);
