import { BlockList, isIP } from 'node:net';
import { ConnectionSettingsError } from './errors.js';
import { withoutPassword } from './without-password.js';

type Environment = Readonly<Record<string, string | undefined>>;

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/**
 * The address of a proxy, checked.
 *
 * @param where where it was given, for messages
 * @throws ConnectionSettingsError for an address that cannot be used; a password in it is not shown
 */
export function proxyUrlOf(given: string, where: string): string {
  const url = /^[a-z0-9+.-]+:\/\//i.test(given) ? given : `http://${given}`;
  const refuse = (problem: string): never => {
    throw new ConnectionSettingsError(`${where}: the proxy ${JSON.stringify(withoutPassword(given))} ${problem}`);
  };
  if (!URL.canParse(url)) return refuse('is no URL; write for example http://10.0.0.1:3128');
  const { protocol, hostname } = new URL(url);
  if (!PROTOCOLS.has(protocol)) refuse(`has the protocol ${protocol.slice(0, -1)}; http, https and socks5 are supported`);
  if (hostname === '') refuse('names no host');
  return url;
}

/**
 * The proxy that the environment names for a server: `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` excludes the server. Names in lower case count too. A
 * server on this machine is never reached through a proxy.
 *
 * Source: Go's `golang.org/x/net/http/httpproxy`, which client-go asks.
 *
 * @throws ConnectionSettingsError for a proxy that cannot be used
 */
export function proxyFromEnvironment(server: string, environment: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = variableOf(environment, name);
  if (proxy === '') return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isLocal = host === 'localhost' || LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  const target = { host, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port };
  if (
    isLocal ||
    variableOf(environment, 'NO_PROXY')
      .split(',')
      .some((rule) => excludes(rule.trim().toLowerCase(), target))
  )
    return undefined;
  return proxyUrlOf(proxy, `variable ${name}`);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function variableOf(environment: Environment, name: string): string {
  return environment[name] || environment[name.toLowerCase()] || '';
}

interface Target {
  readonly host: string;
  readonly port: string;
}

/** Whether one rule of `NO_PROXY` excludes a server: `*`, a range, an address or a domain; the last two with a port or without. */
function excludes(rule: string, { host, port }: Target): boolean {
  if (rule === '') return false;
  if (rule === '*') return true;
  if (rule.includes('/')) return isInRange(host, rule);
  const [, name = '', rulePort] = /^(.*?)(?::(\d+))?$/.exec(isIP(rule) === 6 ? `[${rule}]` : rule) ?? [];
  if (rulePort !== undefined && rulePort !== port) return false;
  const bare = name.replace(/^\[(.*)\]$/, '$1').replace(/^\*(?=\.)/, '');
  if (isIP(host) !== 0) return bare === host;
  return bare.startsWith('.') ? host.endsWith(bare) : host === bare || host.endsWith(`.${bare}`);
}

function isInRange(host: string, rule: string): boolean {
  const [network = '', bits = ''] = rule.split('/');
  const family = isIP(network);
  const length = Number(bits);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || length > (family === 6 ? 128 : 32)) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(network, length, type);
  return range.check(host, type);
}
