import type { Random } from '../values/apply/differential/random.js';

/** What has broken readers of texts before: ends of ranges, names of prototypes, halves of characters, openings without an end. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u0000',
  '\\u0000',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\u2028',
  'é',
  '日本',
  '😀',
  '\t',
  '\r\n',
  '\n---\n',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'length',
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$deleteFromPrimitiveList/finalizers',
  'null',
  'true',
  'nan',
  'Infinity',
  '-Infinity',
  '-0',
  '0',
  '-1',
  '1e999',
  '1e-999',
  '1.5',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '0x10',
  '0o17',
  '1_000',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '\\u',
  '\\x',
  ',',
  ':',
  ';',
  '=',
  '==',
  '!=',
  '!',
  '(',
  ')',
  '%',
  '%00',
  '%2f',
  '%zz',
  '/',
  '//',
  '..',
  '../..',
  '.',
  '~',
  '~0',
  '~1',
  '~2',
  '-',
  '--',
  '#',
  '&',
  '&a',
  '*a',
  '<<',
  '!!binary',
  '!!int',
  '!a',
  '|',
  '|+2',
  '>',
  '? ',
  '- ',
  '%YAML 9.9',
  '*',
  '**',
  '@',
  '`',
  '$',
  '${',
  '{{',
  'a'.repeat(64),
  'a'.repeat(254),
  'x'.repeat(5000),
  '['.repeat(300),
  '{"a":'.repeat(200),
  '('.repeat(300),
];

/** The text with some things in it changed. */
export function mangledText(random: Random, text: string): string {
  let result = text;
  for (let round = 1 + random.below(3); round > 0; round -= 1) result = mangledOnce(random, result);
  return result;
}

function mangledOnce(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(12));
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, at) + text.slice(at, end).repeat(1 + random.below(4)) + text.slice(at);
    case 2:
      return text.slice(0, at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.below(random.chance(0.9) ? 128 : 65_536)) + text.slice(at + 1);
    case 4:
      return text.slice(0, at) + random.one(ODD_TEXTS) + text.slice(end);
    case 5:
      return text.replace(/-?\d+(?:\.\d+)?/, random.one(ODD_TEXTS));
    default: {
      const from = random.below(text.length + 1);
      return text.slice(0, at) + text.slice(from, from + random.below(40)) + text.slice(at);
    }
  }
}

/** The bytes with some of them changed. */
export function mangledBytes(random: Random, bytes: Uint8Array): Buffer {
  let result = Buffer.from(bytes);
  for (let round = 1 + random.below(4); round > 0; round -= 1) {
    const at = random.below(result.length + 1);
    const end = Math.min(result.length, at + random.below(8));
    switch (random.below(4)) {
      case 0:
        if (at < result.length) result[at] = random.below(256);
        break;
      case 1:
        result = Buffer.concat([result.subarray(0, at), result.subarray(end)]);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, at), randomBytes(random, random.below(12)), result.subarray(at)]);
        break;
      default:
        if (at < result.length) result[at] = (result[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  return result;
}

export function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
