import type { Pod } from '@keelson/kubernetes/kinds';
import type { ClusterName } from './cluster-names.js';

/** Limits of what a hosts file says of the cluster: programs read it as a whole for each name. */
export const MOST_NAMES = 10_000;
const MOST_BYTES = 1024 * 1024;
/** Most characters of one line: musl reads no more than 511. */
const MOST_OF_LINE = 500;
const DOMAIN = 'svc.cluster.local';

export interface HostsTextOf {
  readonly pod: Pod;
  readonly address: string;
  readonly names: readonly ClusterName[];
  /** The hosts file of this machine. */
  readonly machine: string;
}

export interface HostsText {
  readonly text: string;
  /** Names of the cluster that are beyond the limits. */
  readonly leftOut: number;
}

/**
 * The hosts file of a Pod: its own name, its `hostAliases`, the names of the cluster as a Pod of its namespace reads them, and what this machine has beside them.
 *
 * A name stands for one thing alone: resolvers give the addresses of all lines that have it. The first name here wins, and among the names of the cluster the
 * one that the search list of a Pod finds first: `web` and `db-0.db` in its own namespace, then `web.shop`, then `web.shop.svc`, then the whole name.
 *
 * Source: `managedHostsFileContent` in kubernetes `pkg/kubelet/kubelet_pods.go`.
 */
export function hostsText({ pod, address, names, machine }: HostsTextOf): HostsText {
  const own = ownNames(pod);
  const aliases = (pod.spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => ({ ip, hostnames }));
  const taken = new Set([...own, ...aliases.flatMap(({ hostnames }) => hostnames)]);
  const cluster = clusterLines(names, { namespace: pod.metadata.namespace ?? '', taken });
  const machineLines = machine.split('\n').flatMap((line) => withoutNames(line, taken));
  const text = [
    '# Written by the simulated kubelet; changed with the Services of the cluster.',
    ...(own.length === 0 ? [] : [lineOf(address, own)]),
    ...titled(
      '# hostAliases of the Pod',
      aliases.map(({ ip, hostnames }) => lineOf(ip, hostnames)),
    ),
    ...titled('# Names of the cluster', cluster.lines),
    ...(cluster.leftOut === 0 ? [] : [`# ${cluster.leftOut} more names are left out: at most ${MOST_NAMES} names and ${MOST_BYTES} bytes`]),
    ...titled('# Names of this machine', machineLines),
  ];
  return { text: `${text.join('\n').trimEnd()}\n`, leftOut: cluster.leftOut };
}

/** A Pod on the network of its Node has no address of its own, and so no name either. */
function ownNames({ metadata, spec }: Pod): readonly string[] {
  const { hostname = metadata.name, subdomain = '', hostNetwork = false } = spec;
  if (hostNetwork) return [];
  return subdomain === '' ? [hostname] : [`${hostname}.${subdomain}.${metadata.namespace}.${DOMAIN}`, hostname];
}

interface Reader {
  readonly namespace: string;
  /** Names that stand for something else; those of the cluster are added. */
  readonly taken: Set<string>;
}

function clusterLines(
  names: readonly ClusterName[],
  { namespace, taken }: Reader,
): { readonly lines: readonly string[]; readonly leftOut: number } {
  // Those that the Pod is most likely to ask for must not be beyond the limits.
  const sorted = [...names.filter((one) => one.namespace === namespace), ...names.filter((one) => one.namespace !== namespace)];
  const forms = sorted.map((name) => formsOf(name, namespace));
  const kept = sorted.map((): string[] => []);
  for (let form = 0; form < FORMS; form += 1)
    for (const [index, { [form]: text = '' }] of forms.entries()) {
      if (text === '' || text === LOCALHOST || taken.has(text)) continue;
      taken.add(text);
      // The whole name first: it is what an address is resolved to.
      kept[index]?.unshift(text);
    }
  const lines: string[] = [];
  let [count, bytes, leftOut] = [0, 0, 0];
  for (const [index, { addresses }] of sorted.entries()) {
    const own = kept[index] ?? [];
    const more = addresses.flatMap((address) => linesOf(address, own));
    const size = more.reduce((sum, line) => sum + line.length + 1, 0);
    if (leftOut > 0 || count + own.length > MOST_NAMES || bytes + size > MOST_BYTES) leftOut += own.length;
    else {
      lines.push(...more);
      count += own.length;
      bytes += size;
    }
  }
  return { lines, leftOut };
}

const FORMS = 4;
/** A Service of this name is reached by its longer forms alone: the short one is this machine in every Pod. */
const LOCALHOST = 'localhost';

/** In the order in which the search list of a Pod finds them. */
function formsOf({ namespace, service, hostname }: ClusterName, reader: string): readonly (string | undefined)[] {
  const first = hostname === undefined ? service : `${hostname}.${service}`;
  const second = `${first}.${namespace}`;
  return [namespace === reader ? first : undefined, second, `${second}.svc`, `${second}.${DOMAIN}`];
}

function linesOf(address: string, names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length >= MOST_OF_LINE) lines.push(lineOf(address, [name]));
    else lines[lines.length - 1] = `${last} ${name}`;
  }
  return lines;
}

const lineOf = (address: string, names: readonly string[]): string => `${address}\t${names.join(' ')}`;
const titled = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : [title, ...lines]);

/** A line of a hosts file without these names; nothing if no name is left. */
function withoutNames(line: string, taken: ReadonlySet<string>): readonly string[] {
  const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
  const left = names.filter((name) => !taken.has(name.toLowerCase()));
  return left.length === 0 ? [] : [lineOf(address, left)];
}
