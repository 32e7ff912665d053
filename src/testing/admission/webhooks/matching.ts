import { matchesLabels } from '../../../kubernetes/index.js';
import type { AdmissionRequest, ClusterView, JsonObject, Resource, ResourceCatalog, ServedVersion } from '../../resources/index.js';
import { isObject } from '../../resources/index.js';
import { forbidden, notFound, type StatusError } from '../../status/index.js';
import type { Webhook, WebhookRule } from './configuration.js';
import { conditionVariables } from './review.js';

/** Which resource a webhook is told about: that of the request, or the same objects at a version that the webhook asked for. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly resource: Resource;
  readonly version: ServedVersion;
}

/** Objects at the version that a webhook wants. */
export type ObjectsAt = (invocation: Invocation) => Promise<Pick<AdmissionRequest, 'object' | 'oldObject'>>;

export interface MatchSurroundings {
  readonly cluster: ClusterView;
  readonly catalog: ResourceCatalog;
}

const EXEMPT: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Webhooks are not asked about themselves: a broken one could not be taken away. */
export function isExempt({ served: { resource } }: AdmissionRequest): boolean {
  return resource.group === 'admissionregistration.k8s.io' && EXEMPT.has(resource.kind);
}

/**
 * Whether a webhook is to be called for a request, and at which version.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/generic/webhook.go`, ShouldCallHook.
 * @throws StatusError 404 where the namespace is missing whose labels count, 403 where a match condition fails to run.
 */
export async function invocationOf(
  webhook: Webhook,
  request: AdmissionRequest,
  { objectsAt, ...surroundings }: MatchSurroundings & { readonly objectsAt: ObjectsAt },
): Promise<Invocation | undefined> {
  const namespaceMatch = matchNamespace(webhook, request, surroundings.cluster);
  if (namespaceMatch === false || !matchesObject(webhook, request)) return undefined;
  const invocation = ruleMatch(webhook, request, surroundings.catalog);
  if (invocation === undefined) return undefined;
  // A missing namespace is the fault of the request only where a webhook would have been called.
  if (namespaceMatch !== true) throw namespaceMatch;
  if (webhook.conditions === undefined) return invocation;
  const { object, oldObject } = await objectsAt(invocation);
  return meetsConditions(invocation, { ...request, ...(object ? { object } : {}), ...(oldObject ? { oldObject } : {}) })
    ? invocation
    : undefined;
}

function matchNamespace({ namespaceSelector }: Webhook, request: AdmissionRequest, cluster: ClusterView): boolean | StatusError {
  const { served, subresource, operation, namespace, object } = request;
  const isNamespace = served.resource.group === '' && served.resource.plural === 'namespaces';
  if (namespace === '' && !isNamespace) return true;
  if (namespaceSelector.length === 0) return true;
  if (isNamespace && subresource === '' && operation !== 'DELETE') return matchesLabels(namespaceSelector, labelsOf(object));
  const found = cluster.get({ group: '', plural: 'namespaces' }, { namespace: '', name: namespace });
  return found === undefined ? notFound({ group: '', plural: 'namespaces' }, namespace) : matchesLabels(namespaceSelector, labelsOf(found));
}

function matchesObject({ objectSelector }: Webhook, { object, oldObject }: AdmissionRequest): boolean {
  if (objectSelector.length === 0) return true;
  return [object, oldObject].some((one) => one !== undefined && matchesLabels(objectSelector, labelsOf(one)));
}

function labelsOf(object: JsonObject | undefined): Readonly<Record<string, string>> {
  const metadata = object?.['metadata'];
  const labels = isObject(metadata) ? metadata['labels'] : undefined;
  return (isObject(labels) ? labels : {}) as Readonly<Record<string, string>>;
}

function ruleMatch(webhook: Webhook, request: AdmissionRequest, catalog: ResourceCatalog): Invocation | undefined {
  const { resource, version } = request.served;
  const rules = webhook.rules ?? [];
  if (rules.some((rule) => matchesRule(rule, request, { resource, version }))) return { webhook, resource, version };
  if (webhook.matchPolicy === 'Exact') return undefined;
  const equivalents = equivalentsOf(request, catalog);
  for (const rule of rules) {
    const found = equivalents.find((equivalent) => matchesRule(rule, request, equivalent));
    if (found !== undefined) return { webhook, ...found };
  }
  return undefined;
}

interface VersionedResource {
  readonly resource: Resource;
  readonly version: ServedVersion;
}

/** The other versions of the same objects, in other groups too (Events), that have the subresource. */
function equivalentsOf({ served, subresource }: AdmissionRequest, catalog: ResourceCatalog): readonly VersionedResource[] {
  return catalog.resources
    .filter(({ storageKey }) => storageKey === served.resource.storageKey)
    .flatMap((resource) => resource.versions.map((version) => ({ resource, version })))
    .filter(({ resource, version }) => resource !== served.resource || version !== served.version)
    .filter(({ version }) => subresource === '' || version.subresources.some(({ name }) => name === subresource));
}

function matchesRule(rule: WebhookRule, request: AdmissionRequest, { resource, version }: VersionedResource): boolean {
  return (
    inScope(rule, request) &&
    has(rule.operations, request.operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, version.version) &&
    (rule.resources ?? []).some((wanted) => matchesResource(wanted, resource.plural, request.subresource))
  );
}

function inScope({ scope = '*' }: WebhookRule, { served: { resource }, namespace }: AdmissionRequest): boolean {
  if (scope === '*') return true;
  // A Namespace carries its own name as the namespace of the request.
  const isCluster = namespace === '' || (resource.group === '' && resource.plural === 'namespaces');
  return isCluster === (scope === 'Cluster');
}

function has(wanted: readonly string[] = [], value: string): boolean {
  return wanted.includes('*') || wanted.includes(value);
}

function matchesResource(wanted: string, plural: string, subresource: string): boolean {
  const slash = wanted.indexOf('/');
  const [resource, sub] = slash < 0 ? [wanted, ''] : [wanted.slice(0, slash), wanted.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

function meetsConditions(invocation: Invocation, request: AdmissionRequest): boolean {
  const { webhook } = invocation;
  const outcome = webhook.conditions?.evaluate(conditionVariables(request)) ?? { matches: true };
  if ('matches' in outcome) return outcome.matches;
  if (webhook.failurePolicy === 'Ignore') return false;
  const [first = ''] = outcome.errors;
  throw forbidden(request.served.resource, request.name, outcome.errors.length === 1 ? first : `[${outcome.errors.join(', ')}]`);
}
