import { groupVersionOf, type KindInfo, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import { isForbidden, isNotFound } from '@keelson/runtime/internal/client';
import type { CustomResourceModel, OperatorModel } from 'keelson/internal/definition';
import { hasWebhookServer } from 'keelson/internal/definition';
import { TestClusterError } from '../errors.js';
import { installedOperator } from '../installed-operator.js';
import { keyText } from '../object-key.js';
import type { ContentOptions } from '../options.js';
import type { RunningCluster } from '../running-cluster.js';
import { type Manifest, manifestsOf } from './manifest-source.js';
import { definitionOf, operatorObjects } from './operator-objects.js';
import type { WebhookTarget } from './operator-webhooks.js';

const DEFINITION: KindInfo<KubernetesObject, 'Cluster'> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
  subresources: ['status'],
};
const NAMESPACE: KindInfo<KubernetesObject, 'Cluster'> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  subresources: ['status'],
};

/** Whether the API server reaches Services of webhooks. */
export interface InstallSurroundings {
  readonly reachesServices: boolean;
  /** A port of this machine: where an operator that is run here answers, for a server that does not reach Services. */
  readonly webhookPort?: number | undefined;
}

/**
 * Fills a cluster before the test begins. Order: namespaces, definitions (awaited until they are established), the operator's parts, manifests.
 *
 * @throws TestClusterError for what cannot be installed so, and naming the manifest that the server refuses (with its ApiError as `cause`)
 */
export async function install(cluster: RunningCluster, options: ContentOptions, surroundings: InstallSurroundings): Promise<void> {
  const target = targetOf(options, surroundings);
  const manifests = manifestsOf(options.manifests ?? []);
  const names = installedOperator(options)?.names;
  const namespaces = manifests.filter(isNamespace);
  const wanted = new Set([cluster.namespace, ...(options.namespaces ?? []), ...(names === undefined ? [] : [names.namespace])]);
  // Roles stand in the namespaces that declarations name.
  for (const { object } of operatorParts(options, target))
    if (object.metadata.namespace !== undefined) wanted.add(object.metadata.namespace);
  for (const { object } of namespaces) wanted.delete(object.metadata.name ?? '');
  for (const name of wanted) await ensureNamespace(cluster, name);
  const attempt = attemptsOf(options.onRefused);
  for (const namespace of namespaces) await attempt(() => create(cluster, namespace, NAMESPACE));
  const definitions = [...ownDefinitions(options, target), ...manifests.filter(isDefinition)];
  const created: Manifest[] = [];
  for (const definition of definitions)
    await attempt(async () => {
      await create(cluster, definition, DEFINITION);
      created.push(definition);
    });
  for (const definition of created) await established(cluster, definition);
  const groups = new Set(created.map(({ object }) => groupDefinedBy(object)));
  const rest = manifests.filter((manifest) => !isDefinition(manifest) && !isNamespace(manifest));
  for (const manifest of [...operatorParts(options, target), ...rest]) await attempt(() => createServed(cluster, manifest, groups));
}

/** Creates one manifest, and reports a refusal instead of throwing it, if `onRefused` is given. */
function attemptsOf(onRefused: ContentOptions['onRefused']): (create: () => Promise<void>) => Promise<void> {
  return async (create) => {
    try {
      await create();
    } catch (error) {
      if (onRefused === undefined || !(error instanceof TestClusterError)) throw error;
      onRefused(error);
    }
  };
}

function isDefinition({ object }: Manifest): boolean {
  return object.kind === DEFINITION.kind && object.apiVersion === 'apiextensions.k8s.io/v1';
}

function isNamespace({ object }: Manifest): boolean {
  return object.kind === 'Namespace' && object.apiVersion === 'v1';
}

function ownDefinitions(options: ContentOptions, target: WebhookTarget | undefined): readonly Manifest[] {
  const { resources = [], operator } = options;
  const names = installedOperator(options)?.names;
  const webhook = names === undefined || target === undefined ? undefined : { names, target };
  return definedResources(resources, operator).map((resource) => ({
    object: definitionOf(resource, webhook),
    place: `the definition of ${resource.kind}`,
  }));
}

function operatorParts(options: ContentOptions, target: WebhookTarget | undefined): readonly Manifest[] {
  const { operator } = options;
  const names = installedOperator(options)?.names;
  if (operator === undefined || names === undefined) return [];
  return operatorObjects(operator, names, target).map((object) => ({ object, place: `operator ${operator.name}` }));
}

function definedResources(resources: readonly CustomResourceModel[], operator: OperatorModel | undefined): readonly CustomResourceModel[] {
  return [...new Set([...resources, ...(operator?.customResources ?? [])])];
}

/** @throws TestClusterError where webhooks are needed that the server could not reach */
function targetOf(
  { webhooks, operator, resources = [] }: ContentOptions,
  { reachesServices, webhookPort }: InstallSurroundings,
): WebhookTarget | undefined {
  if (webhooks === false) return undefined;
  const needy = operator !== undefined && hasWebhookServer(operator) ? `operator ${operator.name} has webhooks or conversions` : undefined;
  const converted = resources.find(({ conversions }) => conversions !== undefined);
  if (operator === undefined && converted !== undefined)
    throw new TestClusterError(
      `${converted.kind} has conversions, which its operator's webhook server does: give the operator too, or webhooks: false (objects are then converted as they are)`,
    );
  if (webhooks !== undefined) return { service: reachesServices, ...webhooks };
  if (needy !== undefined && webhookPort !== undefined) return { service: false, port: webhookPort, authority: undefined };
  if (needy !== undefined && !reachesServices)
    throw new TestClusterError(
      `${needy}, and an API server reaches no Services here: say where they listen (webhooks: { port, authority }), or leave them out (webhooks: false)`,
    );
  return { service: true, port: undefined, authority: undefined };
}

async function ensureNamespace(cluster: RunningCluster, name: string): Promise<void> {
  const isThere = await cluster.find(NAMESPACE, name).then(
    (namespace) => namespace !== undefined,
    (error: unknown) => {
      // A user who may work in a namespace of an existing cluster need not be allowed to see it. If it is not there, the first write says so.
      if (isForbidden(error)) return true;
      throw error;
    },
  );
  if (!isThere) await cluster.create(NAMESPACE, { metadata: { name } });
}

async function established(cluster: RunningCluster, { object, place }: Manifest): Promise<void> {
  const { name = '' } = object.metadata;
  await cluster
    .until(DEFINITION, name, (definition) => {
      const { status } = definition as unknown as {
        readonly status?: { readonly conditions?: readonly { type: string; status: string }[] };
      };
      return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
    })
    .catch((error: unknown) => {
      throw refusal(object, place, error);
    });
}

const SERVED_WITHIN_MS = 10_000;

/** A definition that is established may not be served by every server of a cluster at once. */
async function createServed(cluster: RunningCluster, manifest: Manifest, groups: ReadonlySet<string>): Promise<void> {
  const start = performance.now();
  const mayCome = groups.has(groupVersionOf(manifest.object.apiVersion).group);
  for (;;) {
    try {
      await cluster.create(manifest.object);
      return;
    } catch (error) {
      if (!mayCome || !isUnserved(error) || performance.now() - start > SERVED_WITHIN_MS)
        throw refusal(manifest.object, manifest.place, error);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function create(cluster: RunningCluster, { object, place }: Manifest, kind: KindInfo<KubernetesObject, 'Cluster'>): Promise<void> {
  try {
    await cluster.create(kind, object);
  } catch (error) {
    throw refusal(object, place, error);
  }
}

function refusal(
  { apiVersion, kind, metadata: { namespace, name = '' } }: KubernetesObject,
  place: string,
  error: unknown,
): TestClusterError {
  const key = keyText(namespace === undefined ? { name } : { namespace, name });
  const why = messageOf(error);
  const unknown = isUnserved(error)
    ? `: the server does not serve ${apiVersion}; is it spelled right, and its CustomResourceDefinition among resources or manifests?`
    : '';
  return new TestClusterError(`${place}: ${kind} ${key} cannot be created: ${why}${unknown}`, { cause: error });
}

function groupDefinedBy(definition: KubernetesObject): string {
  return String((definition as { readonly spec?: { readonly group?: unknown } }).spec?.group ?? '');
}

/** The path is unknown: an object or namespace that is not found is named in the details. */
function isUnserved(error: unknown): boolean {
  return isNotFound(error) && (error.status.details?.name ?? '') === '';
}
