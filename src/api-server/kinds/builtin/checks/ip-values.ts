import { ipText as addressText, ipBytes, isIPv4Mapped } from '@keelson/kubernetes/apimachinery';

/** An address as a number. Addresses of IPv4 that are written as IPv6 (`::ffff:1.2.3.4`) count as IPv4, as in Go. */
export interface IpValue {
  readonly family: 4 | 6;
  readonly value: bigint;
  /** Written as IPv6. */
  readonly isMapped: boolean;
}

/** `undefined` if the text is not an address. Leading zeros are tolerated, as in old data. */
export function parseIp(text: string): IpValue | undefined {
  const bytes = ipBytes(text, true);
  if (bytes === undefined) return undefined;
  const isMapped = isIPv4Mapped(bytes);
  const significant = isMapped ? bytes.slice(12) : bytes;
  const value = significant.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return { family: significant.length === 4 ? 4 : 6, value, isMapped };
}

/** Canonical spelling (RFC 5952). */
export function ipText({ family, value }: Pick<IpValue, 'family' | 'value'>): string {
  const length = family === 4 ? 4 : 16;
  return addressText(Array.from({ length }, (_, index) => Number((value >> BigInt(8 * (length - 1 - index))) & 0xffn)));
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
