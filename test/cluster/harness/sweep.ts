import type { Cluster } from './cluster.js';
import { pollUntil } from './poll.js';

interface Kind {
  readonly resource: string;
  /** Of the version. */
  readonly root: string;
  readonly isNamespaced: boolean;
}

interface Found {
  readonly path: string;
  readonly kind: Kind;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
}

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly { readonly resource: string; readonly scope: string; readonly verbs: readonly string[] }[];
    }[];
  }[];
}

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const METADATA = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadataList';
/** Against hangs. A round takes a fifth of a second. */
const WITHIN_MS = 120_000;

/** They stand in the way of the deletion of others, so they go first. */
const JUDGES = /^(validating|mutating)(webhookconfigurations|admissionpolicies|admissionpolicybindings)$|^apiservices$/;
/** The API server makes and deletes them with other objects: events are listed in two groups. */
const FOLLOWERS: ReadonlySet<string> = new Set(['events.k8s.io/events', 'networking.k8s.io/ipaddresses']);

/** What a cluster holds: paths of objects, and of the versions of groups that discovery shows. */
export async function inventoryOf(cluster: Cluster): Promise<readonly string[]> {
  const { kinds, versions } = await discovered(cluster);
  return [...versions, ...(await objectsOf(cluster, kinds)).map(({ path }) => path)];
}

/**
 * Deletes every object that the inventory lacks, whatever made it, and waits until the cluster is as it was. Nobody is left who would take a finalizer away, so
 * it takes them away itself; without a controller manager it also ends namespaces.
 *
 * @throws Error naming what is still there
 */
export async function sweep(cluster: Cluster, before: readonly string[]): Promise<void> {
  const known = new Set(before);
  let left: readonly string[] = [];
  const isSwept = async (): Promise<boolean> => {
    left = await sweepOnce(cluster, known);
    return left.length === 0;
  };
  // What another client deletes meanwhile makes no difference: the next round sees what is there.
  if (!(await pollUntil(isSwept, WITHIN_MS))) throw new Error(`a suite has left what cannot be deleted:\n${left.join('\n')}`);
}

/** @returns what was there when it began, or could not be listed */
async function sweepOnce(cluster: Cluster, known: ReadonlySet<string>): Promise<readonly string[]> {
  const { kinds, versions } = await discovered(cluster);
  const left = (await objectsOf(cluster, kinds)).filter(({ path, kind, metadata }) => !known.has(path) && !isOwn(kind, metadata));
  const isJudge = ({ kind }: Found): boolean => JUDGES.test(kind.resource);
  const phases = [
    left.filter(isJudge),
    left.filter((found) => !isJudge(found) && !found.kind.isNamespaced),
    left.filter(({ kind }) => kind.isNamespaced),
  ];
  for (const phase of phases) await Promise.all(phase.map((found) => remove(cluster, found)));
  const inhabited = new Set(left.map(({ metadata }) => metadata.namespace));
  const empty = left.filter(({ kind, metadata }) => kind.resource === 'namespaces' && !inhabited.has(metadata.name));
  await Promise.all(empty.map((found) => finalize(cluster, found)));
  return [...left.map(({ path }) => path), ...versions.filter((version) => !known.has(version))];
}

/** The controller manager makes an account for each of its controllers when it wants, and the aggregator an APIService for each definition as long as that exists. */
function isOwn({ resource }: Kind, { namespace }: Found['metadata']): boolean {
  return resource === 'serviceaccounts' && namespace === 'kube-system';
}

async function remove(cluster: Cluster, { path, kind, metadata }: Found): Promise<void> {
  if (metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined) return;
  const merge = (body: object): Promise<unknown> => cluster.request('PATCH', path, body, { contentType: 'application/merge-patch+json' });
  // Objects in another version than the stored one could not be read: nobody answers for the conversion any more.
  if (kind.resource === 'customresourcedefinitions') await merge({ spec: { conversion: { strategy: 'None', webhook: null } } });
  else if (metadata.finalizers !== undefined) await merge({ metadata: { finalizers: null } });
  if (metadata.deletionTimestamp !== undefined) return;
  await cluster.request('DELETE', path, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Background',
    gracePeriodSeconds: 0,
  });
}

async function finalize(cluster: Cluster, { path, metadata: { name } }: Found): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } };
  await cluster.request('PUT', `${path}/finalize`, body);
}

/** The kinds whose objects can be listed and deleted, each in the version that the server prefers. */
async function discovered(cluster: Cluster): Promise<{ readonly kinds: readonly Kind[]; readonly versions: readonly string[] }> {
  const kinds = new Map<string, Kind>();
  const versions: string[] = [];
  for (const start of ['/api', '/apis']) {
    const { items } = await cluster.must<Discovery>('GET', start, undefined, { accept: DISCOVERY });
    for (const { metadata, versions: served } of items)
      for (const { version, resources = [] } of served) {
        const root = [start, metadata.name, version].filter((part) => part !== undefined).join('/');
        versions.push(root);
        for (const { resource, scope, verbs } of resources) {
          const id = `${metadata.name ?? ''}/${resource}`;
          if (kinds.has(id) || FOLLOWERS.has(id) || !verbs.includes('list') || !verbs.includes('delete')) continue;
          kinds.set(id, { resource, root, isNamespaced: scope === 'Namespaced' });
        }
      }
  }
  return { kinds: [...kinds.values()], versions };
}

async function objectsOf(cluster: Cluster, kinds: readonly Kind[]): Promise<readonly Found[]> {
  const lists = await Promise.all(kinds.map((kind) => listed(cluster, kind)));
  return lists.flat();
}

/** A kind that is going, or cannot be read yet, shows in discovery: the next round looks again. */
async function listed(cluster: Cluster, kind: Kind): Promise<readonly Found[]> {
  const { root, resource } = kind;
  const { status, body } = await cluster.request<{ readonly items: readonly Pick<Found, 'metadata'>[] | null }>(
    'GET',
    `${root}/${resource}`,
    undefined,
    { accept: METADATA },
  );
  if (status !== 200) return [];
  return (body.items ?? []).map(({ metadata }) => {
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    return { kind, metadata, path: `${root}${place}/${resource}/${metadata.name}` };
  });
}
