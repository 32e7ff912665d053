import { apiVersionOf, type KindInfo, type KubernetesObject, messageOf, nameInGroup } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, createClient, isApiError, isNotFound } from '@keelson/runtime/internal/client';
import { loadConnection } from '@keelson/runtime/internal/http';
import type { OperatorModel } from 'keelson/internal/definition';
import { RehearsalError } from '../errors.js';
import type { ManifestReading, UnreadManifest } from '../manifests/index.js';
import { readKinds } from '../rehearsal/index.js';

export interface ContextOptions {
  readonly context: string;
  /** Path of the kubeconfig. @defaultValue the variable KUBECONFIG, else ~/.kube/config */
  readonly kubeconfig: string | undefined;
  /** `undefined`: all. */
  readonly namespace: string | undefined;
}

export interface ContextReading {
  readonly objects: ManifestReading;
  /** The definitions of kinds of others. */
  readonly definitions: ManifestReading;
}

const DEFINITION: KindInfo<KubernetesObject, 'Cluster'> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  subresources: [],
};

/**
 * Reads the kinds that the operator reads, with the rights of the caller. Nothing is written.
 *
 * @throws ConnectionSettingsError for a context that does not exist
 * @throws RehearsalError for a server that cannot be reached, and for kinds that the caller may not read, with all their names: a plan on a part of the world would be wrong
 */
export async function readContext(operator: OperatorModel, { context, kubeconfig, namespace }: ContextOptions): Promise<ContextReading> {
  const client = createClient({ connection: await loadConnection({ kubeconfig, context }), fieldManager: 'keelson-plan' });
  try {
    const own = new Set(operator.customResources.map(({ plural, group }) => nameInGroup(plural, group)));
    const kinds = readKinds(operator);
    const readings: ManifestReading[] = [];
    const definitions: ManifestReading[] = [];
    for (const kind of kinds) {
      readings.push(await listed(client, kind, kind.scope === 'Cluster' ? undefined : namespace));
      if (!own.has(nameInGroup(kind.plural, kind.group)) && kind.group !== '') definitions.push(await definitionOf(client, kind));
    }
    const objects = joined(readings);
    const given = joined(definitions);
    refuseUnread(context, [...objects.unread, ...given.unread]);
    return { objects, definitions: given };
  } finally {
    client.close();
  }
}

async function listed(client: ApiClient, kind: KindInfo, namespace: string | undefined): Promise<ManifestReading> {
  const place = nameInGroup(kind.plural, kind.group);
  try {
    const { items } = await client.listAll(kind, namespace === undefined ? undefined : ({ namespace } as never));
    const { group, version } = kind;
    const type = { apiVersion: apiVersionOf({ group, version }), kind: kind.kind };
    // Items of a list of a built-in kind do not name their type.
    const objects = (items as readonly KubernetesObject[]).map((item) => ({ ...type, ...item }));
    return { found: objects.map((object) => ({ place, object, strictProblems: [] })), unread: [] };
  } catch (error) {
    // A kind that this release brings is not there yet.
    if (isNotFound(error)) return NOTHING;
    return { found: [], unread: [unreadable(place, error)] };
  }
}

async function definitionOf(client: ApiClient, kind: KindInfo): Promise<ManifestReading> {
  const name = nameInGroup(kind.plural, kind.group);
  try {
    const object = await client.get(DEFINITION, { name });
    return {
      found: [{ place: `CustomResourceDefinition ${name}`, object: { ...object, ...DEFINITION_TYPE }, strictProblems: [] }],
      unread: [],
    };
  } catch (error) {
    // A built-in kind has no definition. A missing definition is reported before the operator starts.
    if (isNotFound(error)) return NOTHING;
    return { found: [], unread: [unreadable(`CustomResourceDefinition ${name}`, error)] };
  }
}

/** @throws RehearsalError for what is not an answer of the server: the next request would fail as well */
function unreadable(place: string, error: unknown): UnreadManifest {
  if (!isApiError(error)) throw new RehearsalError(`the cluster cannot be read: ${messageOf(error)}`, { cause: error });
  return { place, problem: messageOf(error) };
}

function refuseUnread(context: string, unread: readonly UnreadManifest[]): void {
  if (unread.length === 0) return;
  const lines = unread.map(({ place, problem }) => `\n  ${place}: ${problem}`).join('');
  throw new RehearsalError(`of context ${context}, these kinds cannot be read, and the operator needs them:${lines}`);
}

const DEFINITION_TYPE = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const NOTHING: ManifestReading = { found: [], unread: [] };

const joined = (readings: readonly ManifestReading[]): ManifestReading => ({
  found: readings.flatMap(({ found }) => found),
  unread: readings.flatMap(({ unread }) => unread),
});
