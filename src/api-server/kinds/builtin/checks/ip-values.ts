import { isIPText, isIPv4Text } from '../../../../kubernetes/index.js';

/** An address as a number. Addresses of IPv4 that are written as IPv6 (`::ffff:1.2.3.4`) count as IPv4, as in Go. */
export interface IpValue {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Written as IPv6. */
  readonly isMapped: boolean;
}

const MAPPED = 0xffffn;

/** Undefined for what is none. Leading zeros are tolerated, as in old data. */
export function parseIp(text: string): IpValue | undefined {
  if (!isIPText(text, true)) return undefined;
  if (!text.includes(':')) return { family: 4, value: valueOfIPv4(text), isMapped: false };
  const value = valueOfIPv6(text);
  return value >> 32n === MAPPED ? { family: 4, value: value & 0xffff_ffffn, isMapped: true } : { family: 6, value, isMapped: false };
}

function valueOfIPv4(text: string): bigint {
  return text.split('.').reduce((value, octet) => value * 256n + BigInt(Number.parseInt(octet, 10)), 0n);
}

function valueOfIPv6(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const gap = Array.from({ length: 8 - left.length - right.length }, () => 0n);
  return [...left, ...gap, ...right].reduce((value, group) => value * 65_536n + group, 0n);
}

function groupsOf(half: string): bigint[] {
  if (half === '') return [];
  return half.split(':').flatMap((group) => {
    if (!isIPv4Text(group, true)) return [BigInt(`0x${group}`)];
    const value = valueOfIPv4(group);
    return [value >> 16n, value & 0xffffn];
  });
}

/** Canonical spelling (RFC 5952). */
export function ipText({ family, value }: Pick<IpValue, 'family' | 'value'>): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16));
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let end = start;
    while (groups[end] === '0') end += 1;
    if (end - start > longest.length) longest = { start, length: end - start };
    start = Math.max(start, end);
  }
  return longest;
}

export interface Cidr {
  readonly family: 4 | 6;
  /** As it was written, with bits after the prefix. */
  readonly address: bigint;
  readonly first: bigint;
  readonly last: bigint;
  readonly prefixLength: number;
  /** IPv4, written as IPv6. */
  readonly isMapped: boolean;
}

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (ip === undefined || !/^[0-9]+$/.test(digits)) return undefined;
  const { family, value, isMapped } = ip;
  const bits = family === 4 ? 32 : 128;
  const prefixLength = isMapped ? Number(digits) - 96 : Number(digits);
  if (prefixLength > bits || prefixLength < 0) return undefined;
  const size = 1n << BigInt(bits - prefixLength);
  const first = value - (value % size);
  return { family, address: value, first, last: first + size - 1n, prefixLength, isMapped };
}

export function cidrText({ family, first, prefixLength }: Pick<Cidr, 'family' | 'first' | 'prefixLength'>): string {
  return `${ipText({ family, value: first })}/${prefixLength}`;
}

export function isIn({ family, first, last }: Cidr, ip: Pick<IpValue, 'family' | 'value'>): boolean {
  return ip.family === family && ip.value >= first && ip.value <= last;
}
