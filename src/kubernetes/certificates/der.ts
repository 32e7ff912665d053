/**
 * The part of DER (ITU-T X.690) that a certificate is written in. It writes only: what others have written is read by node:crypto.
 */

function length(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.of(0x80 | bytes.length, ...bytes);
}

function encoded(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => encoded(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => encoded(0x31, ...items);
export const octetString = (content: Uint8Array): Buffer => encoded(0x04, content);
export const utf8String = (text: string): Buffer => encoded(0x0c, Buffer.from(text, 'utf8'));
export const isTrue = (): Buffer => encoded(0x01, Buffer.of(0xff));

/** `[number]` around other values. */
export const explicit = (number: number, content: Uint8Array): Buffer => encoded(0xa0 | number, content);

/** `[number]` in place of a primitive value's own tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => encoded(0x80 | number, content);

/** @param bytes the shortest that hold it. The first bit is the sign: 0. */
export const integer = (bytes: Uint8Array): Buffer => encoded(0x02, bytes);

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return encoded(0x03, Buffer.of(unusedBits), content);
}

/** @param text `1.2.840.10045.4.3.2` */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return encoded(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}

/** To the second. RFC 5280 §4.1.2.5: two digits for the year until 2049, four from 2050. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]|\.\d+Z$/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? encoded(0x17, Buffer.from(text.slice(2))) : encoded(0x18, Buffer.from(text));
}
