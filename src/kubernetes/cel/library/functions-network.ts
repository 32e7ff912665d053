import { ipBytes, ipText, isIPv4Mapped } from '../../apimachinery/index.js';
import type { Implementation } from '../values/index.js';
import { type CelMap, type CelOpaque, type CelValue, celError, kindOf, listValue, mapValue, opaqueValue } from '../values/index.js';

/** An address as its bytes: 4 or 16. */
interface Address {
  readonly bytes: readonly number[];
  readonly zone: string;
}

const QUOTED = (text: string): string => JSON.stringify(text);

function parseAddress(text: string): Address | undefined {
  const percent = text.indexOf('%');
  const bare = percent === -1 ? text : text.slice(0, percent);
  // Only IPv6 has zones.
  const bytes = percent === -1 || bare.includes(':') ? ipBytes(bare) : undefined;
  return bytes === undefined || percent === text.length - 1 ? undefined : { bytes, zone: percent === -1 ? '' : text.slice(percent + 1) };
}

/** IP of the library: prints as its canonical text. */
class IP {
  readonly bytes: readonly number[];
  constructor(bytes: readonly number[]) {
    this.bytes = bytes;
  }
  toString(): string {
    return ipText(this.bytes);
  }
  get equalityKey(): string {
    return this.toString();
  }
}

class CIDR {
  readonly bytes: readonly number[];
  readonly prefix: number;
  constructor(bytes: readonly number[], prefix: number) {
    this.bytes = bytes;
    this.prefix = prefix;
  }
  toString(): string {
    return `${ipText(this.bytes)}/${this.prefix}`;
  }
  get equalityKey(): string {
    return this.toString();
  }
  masked(): CIDR {
    const bytes = this.bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, this.prefix - 8 * index))) & 0xff);
    return new CIDR(bytes, this.prefix);
  }
  contains(bytes: readonly number[]): boolean {
    return bytes.length === this.bytes.length && new CIDR(bytes, this.prefix).masked().toString() === this.masked().toString();
  }
}

function parseIP(text: string): CelValue {
  const address = parseAddress(text);
  if (address === undefined)
    return celError(`IP Address ${QUOTED(text)} parse error during conversion from string: ${addressProblem(text)}`);
  if (address.zone !== '') return celError(`IP address ${QUOTED(text)} with zone value is not allowed`);
  if (isIPv4Mapped(address.bytes)) return celError(`IPv4-mapped IPv6 address ${QUOTED(text)} is not allowed`);
  return opaqueValue('net.IP', new IP(address.bytes));
}

/** The error of Go's `netip.ParseAddr` for a text that is not an address; for IPv6 the common mistakes are worded exactly. */
function addressProblem(text: string): string {
  const reason = (what: string): string => `ParseAddr(${QUOTED(text)}): ${what}`;
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === undefined) return reason('unable to parse IP');
  if (mark === '%') return reason('missing IPv6 address');
  if (mark === ':') {
    const again = /::.*?(:(?=:).*)$/s.exec(text)?.[1];
    return again === undefined ? reason('unexpected character') : reason(`multiple :: in address (at ${QUOTED(again.slice(1))})`);
  }
  const unexpected = /[^0-9.].*$/s.exec(text)?.[0];
  if (unexpected !== undefined) return reason(`unexpected character (at ${QUOTED(unexpected)})`);
  const fields = text.split('.');
  const empty = fields.indexOf('');
  if (empty !== -1) return reason(`IPv4 field must have at least one digit (at ${QUOTED(fields.slice(empty).join('.'))})`);
  if (fields.some((field) => field.length > 1 && field.startsWith('0'))) return reason('IPv4 field has octet with leading zero');
  if (fields.some((field) => Number(field) > 255)) return reason('IPv4 field has value >255');
  return reason(fields.length < 4 ? 'IPv4 address too short' : 'IPv4 address too long');
}

function parseCIDR(text: string): CelValue {
  const slash = text.lastIndexOf('/');
  const address = slash === -1 ? undefined : parseAddress(text.slice(0, slash));
  const bitsText = text.slice(slash + 1);
  const wellFormed = /^(?:0|[1-9][0-9]{0,2})$/.test(bitsText);
  const bits = wellFormed ? Number(bitsText) : Number.POSITIVE_INFINITY;
  const prefix = 'network address parse error during conversion from string: ';
  if (slash === -1) return celError(`${prefix}${prefix}netip.ParsePrefix(${QUOTED(text)}): no '/'`);
  const problem = (reason: string): CelValue => celError(`${prefix}${prefix}netip.ParsePrefix(${QUOTED(text)}): ${reason}`);
  if (address === undefined) return problem(addressProblem(text.slice(0, slash)));
  if (address.zone !== '') return problem('IPv6 zones cannot be present in a prefix');
  if (!wellFormed) return problem(`bad bits after slash: ${QUOTED(bitsText)}`);
  if (bits > address.bytes.length * 8) return problem('prefix length out of range');
  if (isIPv4Mapped(address.bytes)) return celError(`${prefix}IPv4-mapped IPv6 address ${QUOTED(text)} is not allowed`);
  return opaqueValue('net.CIDR', new CIDR(address.bytes, bits));
}

function ofText(run: (text: string) => CelValue): Implementation {
  return ([text]) => (typeof text === 'string' ? run(text) : undefined);
}

const isOpaque = (value: CelValue | undefined, typeName: string): value is CelOpaque =>
  value !== undefined && kindOf(value) === 'opaque' && (value as CelOpaque).typeName === typeName;
const isValid = (value: CelValue): boolean => kindOf(value) !== 'error';

function ofIP(run: (bytes: readonly number[]) => CelValue): Implementation {
  return ([ip]) => (isOpaque(ip, 'net.IP') ? run((ip.data as IP).bytes) : undefined);
}

function ofCIDR(run: (cidr: CIDR, other: CelValue | undefined) => CelValue | undefined): Implementation {
  return ([cidr, other]) => (isOpaque(cidr, 'net.CIDR') ? run(cidr.data as CIDR, other) : undefined);
}

function containsIP(cidr: CIDR, other: CelValue | undefined): CelValue | undefined {
  const ip = typeof other === 'string' ? parseIP(other) : other;
  if (ip !== undefined && kindOf(ip) === 'error') return ip;
  return isOpaque(ip, 'net.IP') ? cidr.contains((ip.data as IP).bytes) : undefined;
}

function containsCIDR(cidr: CIDR, other: CelValue | undefined): CelValue | undefined {
  const inner = typeof other === 'string' ? parseCIDR(other) : other;
  if (inner !== undefined && kindOf(inner) === 'error') return inner;
  if (!isOpaque(inner, 'net.CIDR')) return undefined;
  const { bytes, prefix } = inner.data as CIDR;
  return cidr.prefix <= prefix && cidr.contains(bytes);
}

const all = (bytes: readonly number[], value: number): boolean => bytes.every((byte) => byte === value);
const unspecified = (bytes: readonly number[]): boolean => all(bytes, 0);
const loopback = (bytes: readonly number[]): boolean =>
  bytes.length === 4 ? bytes[0] === 127 : all(bytes.slice(0, 15), 0) && bytes[15] === 1;
const multicast = (bytes: readonly number[]): boolean => (bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff);
const linkLocalMulticast = (bytes: readonly number[]): boolean =>
  bytes.length === 4 ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
const linkLocal = (bytes: readonly number[]): boolean =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
const globalUnicast = (bytes: readonly number[]): boolean =>
  !(unspecified(bytes) || loopback(bytes) || multicast(bytes) || linkLocal(bytes) || (bytes.length === 4 && all(bytes, 255)));

/** A URL as Go's `url.ParseRequestURI` accepts it: absolute, or an absolute path. */
interface ParsedURL {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly equalityKey: string;
}

function parseURL(text: string): ParsedURL | string {
  const problem = (reason: string): string => `parse ${QUOTED(text)}: ${reason}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text)) return problem('net/url: invalid control character in URL');
  if (text === '') return problem('empty url');
  if (text.startsWith(':')) return problem('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  if (scheme === '' && /^[^/?#]*:/.test(text)) return problem('first path segment in URL cannot contain colon');
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  if (!rest.startsWith('/')) {
    // `mailto:a@b`: all after the scheme is opaque.
    return scheme === ''
      ? problem('invalid URI for request')
      : { scheme: scheme.toLowerCase(), host: '', path: '', query: /\?(.*)/s.exec(rest)?.[1] ?? '', equalityKey: text };
  }
  const mark = rest.indexOf('?');
  const hierarchy = mark === -1 ? rest : rest.slice(0, mark);
  const authority = /^\/\/([^/]*)/.exec(hierarchy)?.[1];
  const host =
    authority === undefined || (scheme === '' && hierarchy.startsWith('///')) ? '' : authority.slice(authority.lastIndexOf('@') + 1);
  const path = authority === undefined ? hierarchy : hierarchy.slice(authority.length + 2);
  const badEscape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(path + host)?.[0];
  if (badEscape !== undefined) return problem(`invalid URL escape ${QUOTED(badEscape)}`);
  if (host.startsWith('[') && !host.includes(']')) return problem("missing ']' in host");
  const badHost = /[\s"<>\\^`{|}]/.exec(host)?.[0];
  if (badHost !== undefined) return problem(`invalid character ${QUOTED(badHost)} in host name`);
  const port = /:([^\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^[0-9]*$/.test(port)) return problem(`invalid port ${QUOTED(`:${port}`)} after host`);
  return { scheme: scheme.toLowerCase(), host, path, query: mark === -1 ? '' : rest.slice(mark + 1), equalityKey: text };
}

function ofURL(run: (url: ParsedURL) => CelValue): Implementation {
  return ([url]) => (isOpaque(url, 'kubernetes.URL') ? run(url.data as ParsedURL) : undefined);
}

function toURL(text: string): CelValue {
  const parsed = parseURL(text);
  if (typeof parsed === 'string') return celError(`URL parse error during conversion from string: ${parsed}`);
  const hash = parsed.path.indexOf('#');
  // A request URI has no fragment; the second parse, whose result is kept, cuts one off.
  return opaqueValue(
    'kubernetes.URL',
    hash === -1 ? { ...parsed, query: parsed.query.replace(/#.*$/s, '') } : { ...parsed, path: parsed.path.slice(0, hash) },
  );
}

function queryOf(url: ParsedURL): CelMap {
  const entries = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(url.query)) entries.set(key, [...(entries.get(key) ?? []), value]);
  return mapValue(new Map([...entries].map(([key, values]) => [`s${key}`, [key, listValue(values)] as const])));
}

function escapedPath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

export const NETWORK_FUNCTIONS: Readonly<Record<string, Implementation>> = {
  ip: (args) => (typeof args[0] === 'string' ? parseIP(args[0]) : ofCIDR((cidr) => opaqueValue('net.IP', new IP(cidr.bytes)))(args)),
  isIP: ofText((text) => isValid(parseIP(text))),
  'ip.isCanonical': ofText((text) => {
    const ip = parseIP(text);
    return isOpaque(ip, 'net.IP') ? String(ip.data) === text : ip;
  }),
  family: ofIP((bytes) => (bytes.length === 4 ? 4n : 6n)),
  isUnspecified: ofIP(unspecified),
  isLoopback: ofIP(loopback),
  isLinkLocalMulticast: ofIP(linkLocalMulticast),
  isLinkLocalUnicast: ofIP(linkLocal),
  isGlobalUnicast: ofIP(globalUnicast),
  cidr: ofText(parseCIDR),
  isCIDR: ofText((text) => isValid(parseCIDR(text))),
  containsIP: ofCIDR(containsIP),
  containsCIDR: ofCIDR(containsCIDR),
  prefixLength: ofCIDR((cidr) => BigInt(cidr.prefix)),
  masked: ofCIDR((cidr) => opaqueValue('net.CIDR', cidr.masked())),
  url: ofText(toURL),
  isURL: ofText((text) => typeof parseURL(text) !== 'string'),
  getScheme: ofURL((url) => url.scheme),
  getHost: ofURL((url) => url.host),
  getHostname: ofURL((url) => url.host.replace(/:[0-9]*$/, '').replace(/^\[(.*)\]$/, '$1')),
  getPort: ofURL((url) => /:([0-9]*)$/.exec(url.host)?.[1] ?? ''),
  getEscapedPath: ofURL((url) => escapedPath(url.path)),
  getQuery: ofURL(queryOf),
};

/** Whether a text is a URI as `format.uri()` wants it; a string is what is wrong. */
export function uriProblem(text: string): string | undefined {
  const parsed = parseURL(text);
  return typeof parsed === 'string' ? parsed : undefined;
}
