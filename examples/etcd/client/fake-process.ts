import { parseArgs } from 'node:util';

/** The flags of etcd that a fake heeds, and those of `etcdutl snapshot restore`. Others are taken and mean nothing. */
export interface EtcdFlags {
  readonly name: string;
  readonly dataDir: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  /** Peer URLs by name. */
  readonly initialCluster: ReadonlyMap<string, string>;
  readonly isNew: boolean;
  readonly token: string;
  readonly forceNewCluster: boolean;
}

/** @throws Error for a command line that etcd would not start with */
export function flagsOf(args: readonly string[]): EtcdFlags {
  const { values } = parseArgs({ args: [...args], strict: false, allowPositionals: true });
  const text = (flag: string, otherwise: string): string => (typeof values[flag] === 'string' ? values[flag] : otherwise);
  const name = text('name', 'default');
  const peers = text('initial-advertise-peer-urls', 'http://localhost:2380');
  return {
    name,
    dataDir: text('data-dir', `${name}.etcd`),
    peerUrls: peers.split(','),
    clientUrls: text('advertise-client-urls', 'http://localhost:2379').split(','),
    initialCluster: new Map(text('initial-cluster', `${name}=${peers}`).split(',').map(pairOf)),
    isNew: text('initial-cluster-state', 'new') === 'new',
    token: text('initial-cluster-token', 'etcd-cluster'),
    forceNewCluster: values['force-new-cluster'] === true || values['force-new-cluster'] === 'true',
  };
}

function pairOf(text: string): [string, string] {
  const [name = '', url = ''] = text.split('=');
  if (name === '' || url === '') throw new Error(`--initial-cluster: '${text}' must be name=url`);
  return [name, url];
}

/** A process of etcd that a test has started. */
export interface FakeProcess {
  /** Absent while it runs. `kill` gives 137. */
  readonly exitCode: number | undefined;
  /** The last line that it wrote before it ended by itself. */
  readonly problem: string | undefined;
  /** It answers nothing, while its connections stay open. */
  hang(): void;
  goOn(): void;
  /** The data stay. */
  kill(): void;
}
