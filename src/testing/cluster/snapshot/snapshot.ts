import { type KindInfo, type KubernetesObject, nameInGroup } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, metadataOf } from '@keelson/runtime/internal/client';
import { stringify } from 'yaml';
import { listableKinds } from './listable-kinds.js';
import { type MaskOptions, masked } from './mask.js';

export interface SnapshotOptions extends MaskOptions {
  /** Kinds whose objects are shown. Default: all but Events. */
  readonly resources?: readonly KindInfo[];
  /** Namespaces whose objects are shown; with them no cluster-scoped ones. Default: all. */
  readonly namespaces?: readonly string[];
}

/** Objects that are not shown, by uid: they were there before the test began. */
export type Baseline = ReadonlySet<string>;

/** Kinds that record events, not state. */
const EVENTS: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);
/** Objects that a control plane puts into every namespace. */
const IN_EVERY_NAMESPACE: ReadonlySet<string> = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);

/** The objects that exist now. */
export async function baselineOf(client: ApiClient): Promise<Baseline> {
  const uids = new Set<string>();
  for (const kind of await listableKinds(client)) {
    if (EVENTS.has(nameOf(kind))) continue;
    for (const { metadata } of (await client.listAll(metadataOf(kind))).items) uids.add(metadata.uid);
  }
  return uids;
}

/** Objects as YAML, each a document, in a fixed order and without what is other in each run. */
export async function snapshotText(client: ApiClient, baseline: Baseline, options: SnapshotOptions = {}): Promise<string> {
  const kinds = options.resources ?? (await listableKinds(client)).filter((kind) => !EVENTS.has(nameOf(kind)));
  const objects: KubernetesObject[] = [];
  for (const kind of kinds) objects.push(...(await objectsOf(client, kind, options)));
  const shown = objects.filter(
    ({ kind, metadata: { uid = '', name } }) => !baseline.has(uid) && !IN_EVERY_NAMESPACE.has(`${kind} ${name}`),
  );
  return ordered(masked(shown, options))
    .map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}

async function objectsOf(client: ApiClient, kind: KindInfo, { namespaces }: SnapshotOptions): Promise<readonly KubernetesObject[]> {
  if (namespaces === undefined) return (await client.listAll(kind)).items as readonly KubernetesObject[];
  if (kind.scope === 'Cluster') return [];
  const lists: KubernetesObject[] = [];
  for (const namespace of namespaces) lists.push(...((await client.listAll(kind, { namespace })).items as readonly KubernetesObject[]));
  return lists;
}

function ordered(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const key = ({ apiVersion, kind, metadata: { namespace = '', name = '' } }: KubernetesObject): string =>
    [apiVersion, kind, namespace, name].join('\u0000');
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function nameOf(kind: KindInfo): string {
  return nameInGroup(kind.plural, kind.group);
}
