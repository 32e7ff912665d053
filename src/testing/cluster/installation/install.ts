import type { CustomResourceModel, OperatorModel } from '../../../definition/index.js';
import type { KindInfo, KubernetesObject } from '../../../kubernetes/index.js';
import { isNotFound } from '../../../runtime/client/index.js';
import { TestClusterError } from '../errors.js';
import type { ContentOptions } from '../options.js';
import type { RunningCluster } from '../running-cluster.js';
import { objectsOf } from './manifest-source.js';
import { hasWebhookServer, operatorNames } from './operator-names.js';
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
}

/**
 * Fills a cluster before the test begins. Order: namespaces, definitions (awaited until they are established), the operator's parts, manifests.
 *
 * @throws TestClusterError for what cannot be installed so; ApiError for what the server refuses
 */
export async function install(cluster: RunningCluster, options: ContentOptions, surroundings: InstallSurroundings): Promise<void> {
  const { operator, resources = [], namespaces = [], operatorNamespace } = options;
  const names = operator === undefined ? undefined : operatorNames(operator, operatorNamespace ?? `${operator.name}-system`);
  const target = targetOf(options, surroundings);
  const manifests = (options.manifests ?? []).flatMap(objectsOf);
  const isDefinition = ({ kind }: KubernetesObject): boolean => kind === DEFINITION.kind;
  const isNamespace = ({ kind, apiVersion }: KubernetesObject): boolean => kind === 'Namespace' && apiVersion === 'v1';
  const own = manifests.filter(isNamespace);
  const wanted = new Set([cluster.namespace, ...namespaces, ...(names === undefined ? [] : [names.namespace])]);
  for (const { metadata } of own) wanted.delete(metadata.name ?? '');
  for (const name of wanted) await ensureNamespace(cluster, name);
  for (const namespace of own) await cluster.create(namespace);
  const webhook = names === undefined || target === undefined ? undefined : { names, target };
  const definitions = [
    ...definedResources(resources, operator).map((resource) => definitionOf(resource, webhook)),
    ...manifests.filter(isDefinition),
  ];
  for (const definition of definitions) await cluster.create(DEFINITION, definition);
  for (const definition of definitions) await established(cluster, definition);
  const rest = [
    ...(operator === undefined || names === undefined ? [] : operatorObjects(operator, names, target)),
    ...manifests.filter((object) => !isDefinition(object) && !isNamespace(object)),
  ];
  for (const object of rest) await createServed(cluster, object);
}

function definedResources(resources: readonly CustomResourceModel[], operator: OperatorModel | undefined): readonly CustomResourceModel[] {
  return [...new Set([...resources, ...(operator?.customResources ?? [])])];
}

/** @throws TestClusterError where webhooks are needed that the server could not reach */
function targetOf(
  { webhooks, operator, resources = [] }: ContentOptions,
  { reachesServices }: InstallSurroundings,
): WebhookTarget | undefined {
  if (webhooks === false) return undefined;
  const needy = operator !== undefined && hasWebhookServer(operator) ? `operator ${operator.name} has webhooks or conversions` : undefined;
  const converted = resources.find(({ conversions }) => conversions !== undefined);
  if (operator === undefined && converted !== undefined)
    throw new TestClusterError(
      `${converted.kind} has conversions, which its operator's webhook server does: give the operator too, or webhooks: false (objects are then converted as they are)`,
    );
  if (webhooks !== undefined) return { service: reachesServices, ...webhooks };
  if (needy !== undefined && !reachesServices)
    throw new TestClusterError(
      `${needy}, and a real API server reaches no Services here: say where they listen (webhooks: { port, authority }), or leave them out (webhooks: false)`,
    );
  return { service: true, port: undefined, authority: undefined };
}

async function ensureNamespace(cluster: RunningCluster, name: string): Promise<void> {
  if ((await cluster.find(NAMESPACE, name)) === undefined) await cluster.create(NAMESPACE, { metadata: { name } });
}

async function established(cluster: RunningCluster, { metadata: { name = '' } }: KubernetesObject): Promise<void> {
  await cluster.until(DEFINITION, name, (definition) => {
    const { status } = definition as unknown as { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } };
    return status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True') === true;
  });
}

const SERVED_WITHIN_MS = 10_000;

/** A definition that is established may not be served by every server of a cluster at once. */
async function createServed(cluster: RunningCluster, object: KubernetesObject): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await cluster.create(object);
      return;
    } catch (error) {
      if (!isUnserved(error) || performance.now() - start > SERVED_WITHIN_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The path is unknown: an object or namespace that is not found is named in the details. */
function isUnserved(error: unknown): boolean {
  return isNotFound(error) && (error.status.details?.name ?? '') === '';
}
