import { eventually } from '../../eventually.js';
import type { Cluster } from './cluster.js';

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
  };
}

interface List {
  readonly items: readonly Pick<Found, 'metadata'>[] | null;
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
const DEFINITIONS = 'customresourcedefinitions';
/** They stand in the way of the deletion of others, so they go first. */
const JUDGES = /^(validating|mutating)(webhookconfigurations|admissionpolicies|admissionpolicybindings)$|^apiservices$/;
/** The API server makes and deletes them with other objects: events are listed in two groups. */
const FOLLOWERS: ReadonlySet<string> = new Set(['events.k8s.io/events', 'networking.k8s.io/ipaddresses']);

/** What a cluster holds: paths of objects, and of the versions of groups that discovery shows. */
export async function inventoryOf(cluster: Cluster): Promise<readonly string[]> {
  const { kinds, versions } = await discovered(cluster);
  return [...versions, ...(await objectsOf(cluster, kinds)).found.map(({ path }) => path)];
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
  await eventually(isSwept, () => `a suite has left what cannot be deleted:\n${left.join('\n')}`);
}

/** @returns what was there when it began */
async function sweepOnce(cluster: Cluster, known: ReadonlySet<string>): Promise<readonly string[]> {
  const { kinds, versions } = await discovered(cluster);
  const { found, unreadable } = await objectsOf(cluster, kinds);
  const left = found.filter((one) => !known.has(one.path) && !isOwn(one));
  const isOf = (resource: string) => (found: Found) => found.kind.resource === resource;
  const [definitions, namespaces] = [left.filter(isOf(DEFINITIONS)), left.filter(isOf('namespaces'))];
  const rest = left.filter(({ kind, metadata }) => ![DEFINITIONS, 'namespaces'].includes(kind.resource) && !isAutomatic(metadata));
  const isJudge = ({ kind }: Found): boolean => JUDGES.test(kind.resource);
  await each(rest.filter(isJudge), (found) => remove(cluster, found));
  // Objects in another version than the stored one could not be read: nobody answers for the conversion any more.
  await each(definitions, ({ path }) => merge(cluster, path, { spec: { conversion: { strategy: 'None', webhook: null } } }));
  await each(namespaces, (found) => remove(cluster, found));
  await each(
    rest.filter((found) => !isJudge(found)),
    (found) => remove(cluster, found),
  );
  // Objects that cannot be read may be anywhere, and in a namespace that is gone no finalizer can be taken away.
  const inhabited = new Set(rest.map(({ metadata }) => metadata.namespace));
  const empty = unreadable.length > 0 ? [] : namespaces.filter(({ metadata }) => !inhabited.has(metadata.name));
  await each(empty, (found) => finalize(cluster, found));
  // A definition that goes while there are objects of it looks for them once in five seconds.
  if (rest.length + unreadable.length === 0) await each(definitions, (found) => remove(cluster, found));
  return [...left.map(({ path }) => path), ...unreadable, ...versions.filter((version) => !known.has(version))];
}

async function each(objects: readonly Found[], act: (found: Found) => Promise<void>): Promise<void> {
  await Promise.all(objects.map(act));
}

/** The controller manager makes an account for each of its controllers when it wants. */
function isOwn({ kind, metadata }: Found): boolean {
  return kind.resource === 'serviceaccounts' && metadata.namespace === 'kube-system';
}

/** An APIService that is there as long as a definition of its group. */
function isAutomatic({ labels }: Found['metadata']): boolean {
  return labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined;
}

/** At once, also what waits for its node. Whatever the answers are: the next round sees what is there. */
async function remove(cluster: Cluster, { path, kind, metadata }: Found): Promise<void> {
  if (metadata.finalizers !== undefined && kind.resource !== DEFINITIONS) await merge(cluster, path, { metadata: { finalizers: null } });
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', gracePeriodSeconds: 0 };
  await cluster.request('DELETE', path, options);
}

async function merge(cluster: Cluster, path: string, patch: object): Promise<void> {
  await cluster.request('PATCH', path, patch, { contentType: 'application/merge-patch+json' });
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

interface Listed {
  readonly found: readonly Found[];
  /** Paths of kinds. */
  readonly unreadable: readonly string[];
}

async function objectsOf(cluster: Cluster, kinds: readonly Kind[]): Promise<Listed> {
  const lists = await Promise.all(kinds.map((kind) => listed(cluster, kind)));
  return { found: lists.flatMap(({ found }) => found), unreadable: lists.flatMap(({ unreadable }) => unreadable) };
}

async function listed(cluster: Cluster, kind: Kind): Promise<Listed> {
  const path = `${kind.root}/${kind.resource}`;
  const { status, body } = await cluster.request<List>('GET', path, undefined, { accept: METADATA });
  // Its definition has gone since discovery was read.
  if (status === 404) return { found: [], unreadable: [] };
  if (status !== 200) return { found: [], unreadable: [path] };
  const found = (body.items ?? []).map(({ metadata }) => {
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    return { kind, metadata, path: `${kind.root}${place}/${kind.resource}/${metadata.name}` };
  });
  return { found, unreadable: [] };
}
