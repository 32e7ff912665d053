/**
 * IP addresses and networks as Go's `net` package reads them.
 *
 * `sloppy` tolerates leading zeros in IPv4 octets, as the API server does for data that is older than Go 1.17. Zones (`fe80::1%eth0`) are not addresses here:
 * a zone means nothing on another machine.
 */

/** The 4 or 16 bytes of an address; `undefined` if the text is not one. */
export function ipBytes(text: string, sloppy = false): readonly number[] | undefined {
  return text.includes(':') ? ipv6Bytes(text, sloppy) : ipv4Bytes(text, sloppy);
}

function ipv4Bytes(text: string, sloppy: boolean): readonly number[] | undefined {
  const octets = text.split('.');
  const isOctet = (octet: string): boolean =>
    /^[0-9]+$/.test(octet) && Number(octet) <= 255 && (sloppy || octet.length === 1 || !octet.startsWith('0'));
  return octets.length === 4 && octets.every(isOctet) ? octets.map(Number) : undefined;
}

function ipv6Bytes(text: string, sloppy: boolean): readonly number[] | undefined {
  const [head = '', tail, extra] = text.split('::');
  if (extra !== undefined) return undefined;
  const left = groupBytes(head, { mayEndInIPv4: tail === undefined, sloppy });
  const right = tail === undefined ? [] : groupBytes(tail, { mayEndInIPv4: true, sloppy });
  if (left === undefined || right === undefined) return undefined;
  const missing = 16 - left.length - right.length;
  // `::` stands for one group at least.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...left, ...Array.from({ length: missing }, () => 0), ...right];
}

interface GroupForm {
  readonly mayEndInIPv4: boolean;
  readonly sloppy: boolean;
}

/** The bytes of colon-separated groups; `undefined` if one is malformed. An IPv4 address at the very end counts for two groups. */
function groupBytes(half: string, { mayEndInIPv4, sloppy }: GroupForm): number[] | undefined {
  if (half === '') return [];
  const groups = half.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const isLast = index === groups.length - 1;
    const value = Number.parseInt(group, 16);
    const pair = /^[0-9a-fA-F]{1,4}$/.test(group) ? [value >> 8, value & 0xff] : undefined;
    const found = pair ?? (mayEndInIPv4 && isLast ? ipv4Bytes(group, sloppy) : undefined);
    if (found === undefined) return undefined;
    bytes.push(...found);
  }
  return bytes;
}

/** Canonical text of 4 or 16 bytes: for IPv6 the longest run of two or more zero groups becomes `::` (RFC 5952). */
export function ipText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16));
  let longest = { start: -1, length: 1 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === '0') length += 1;
    if (length > longest.length) longest = { start, length };
  }
  if (longest.start === -1) return groups.join(':');
  return `${groups.slice(0, longest.start).join(':')}::${groups.slice(longest.start + longest.length).join(':')}`;
}

/** Whether 16 bytes are an IPv4 address written as IPv6 (`::ffff:1.2.3.4`). */
export function isIPv4Mapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

export function isIPv6Text(text: string, sloppy = false): boolean {
  return ipv6Bytes(text, sloppy) !== undefined;
}

export function isIPText(text: string, sloppy = false): boolean {
  return ipBytes(text, sloppy) !== undefined;
}

export function isCidrText(text: string, sloppy = false): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  return isIPText(address, sloppy) && /^[0-9]+$/.test(length) && Number(length) <= (address.includes(':') ? 128 : 32);
}
