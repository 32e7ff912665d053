import { type LabelRequirements, matchesLabels } from '@keelson/kubernetes/apimachinery';
import type { AdmissionRequest, ClusterView, JsonObject, Resource, ResourceCatalog, ServedVersion } from '../../../contract/index.js';
import { isObject } from '../../../contract/index.js';
import { notFound, type StatusError } from '../../../status/index.js';

/** `admissionregistration.k8s.io` RuleWithOperations. */
export interface OperationRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** The match rules of a webhook, a policy or a binding. */
export interface Selectors {
  readonly namespaceSelector: LabelRequirements;
  readonly objectSelector: LabelRequirements;
}

const EXEMPT: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Webhooks and policies are not asked about themselves: a broken one could not be taken away. */
export function isExempt({ served: { resource } }: AdmissionRequest): boolean {
  return resource.group === 'admissionregistration.k8s.io' && EXEMPT.has(resource.kind);
}

/** Whether a request is in a chosen namespace; a refusal where the namespace whose labels count is missing. */
export function matchNamespace({ namespaceSelector }: Selectors, request: AdmissionRequest, cluster: ClusterView): boolean | StatusError {
  const { served, subresource, operation, namespace, object } = request;
  const isNamespace = served.resource.group === '' && served.resource.plural === 'namespaces';
  if (namespace === '' && !isNamespace) return true;
  if (namespaceSelector.length === 0) return true;
  if (isNamespace && subresource === '' && operation !== 'DELETE') return matchesLabels(namespaceSelector, labelsOf(object));
  const found = cluster.get({ group: '', plural: 'namespaces' }, { namespace: '', name: namespace });
  return found === undefined ? notFound({ group: '', plural: 'namespaces' }, namespace) : matchesLabels(namespaceSelector, labelsOf(found));
}

/** Whether the object, as it is or as it was, has the labels. */
export function matchesObject({ objectSelector }: Selectors, { object, oldObject }: AdmissionRequest): boolean {
  if (objectSelector.length === 0) return true;
  return [object, oldObject].some((one) => one !== undefined && matchesLabels(objectSelector, labelsOf(one)));
}

function labelsOf(object: JsonObject | undefined): Readonly<Record<string, string>> {
  const metadata = object?.['metadata'];
  const labels = isObject(metadata) ? metadata['labels'] : undefined;
  return (isObject(labels) ? labels : {}) as Readonly<Record<string, string>>;
}

/** A resource at one of its versions. */
export interface VersionedResource {
  readonly resource: Resource;
  readonly version: ServedVersion;
}

/** The other versions of the same objects, in other groups too (Events), that have the subresource. */
export function equivalentsOf({ served, subresource }: AdmissionRequest, catalog: ResourceCatalog): readonly VersionedResource[] {
  return catalog.resources
    .filter(({ storageKey }) => storageKey === served.resource.storageKey)
    .flatMap((resource) => resource.versions.map((version) => ({ resource, version })))
    .filter(({ resource, version }) => resource !== served.resource || version !== served.version)
    .filter(({ version }) => subresource === '' || version.subresources.some(({ name }) => name === subresource));
}

export function matchesRule(rule: OperationRule, request: AdmissionRequest, { resource, version }: VersionedResource): boolean {
  return (
    inScope(rule, request) &&
    has(rule.operations, request.operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, version.version) &&
    (rule.resources ?? []).some((wanted) => matchesResource(wanted, resource.plural, request.subresource))
  );
}

function inScope({ scope = '*' }: OperationRule, { served: { resource }, namespace }: AdmissionRequest): boolean {
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
