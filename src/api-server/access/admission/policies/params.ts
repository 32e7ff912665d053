import { groupVersionOf, labelRequirementsOf, matchesLabels } from '@keelson/kubernetes/apimachinery';
import type { ClusterView, JsonObject, Resource, ResourceCatalog } from '../../../contract/index.js';
import type { Binding, ParamRef, Policy } from './stored-policy.js';

/** The parameters that a binding evaluates its policy with: `[null]` where it has none, nothing where missing ones are allowed. */
export type Params = readonly (JsonObject | null)[];

/**
 * Source: apiserver `pkg/admission/plugin/policy/generic/policy_dispatcher.go`, CollectParams.
 *
 * @param namespace of the object
 * @returns a text where the binding cannot be evaluated
 */
export function paramsOf(
  { paramKind }: Policy,
  { paramRef }: Binding,
  { cluster, catalog, namespace }: { readonly cluster: ClusterView; readonly catalog: ResourceCatalog; readonly namespace: string },
): Params | string {
  if (paramKind === undefined || paramRef === undefined) return [null];
  const resource = resourceOf(paramKind, catalog);
  if (resource === undefined) return `paramKind kind \`${paramKind.apiVersion}, Kind=${paramKind.kind}\` not known`;
  const place = placeOf(resource, paramRef, namespace);
  if (typeof place !== 'object') return place;
  const found = lookUp(resource, paramRef, { cluster, namespace: place.namespace });
  if (typeof found === 'string' || found.length > 0) return found;
  return paramRef.parameterNotFoundAction === 'Deny' ? 'no params found for policy binding with `Deny` parameterNotFoundAction' : [];
}

function resourceOf(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  catalog: ResourceCatalog,
): Resource | undefined {
  const { group, version } = groupVersionOf(apiVersion);
  return catalog.ofKind(group, version, kind)?.resource;
}

function placeOf({ scope }: Resource, { namespace: asked = '' }: ParamRef, own: string): { readonly namespace: string } | string {
  if (scope === 'Cluster')
    return asked === '' ? { namespace: '' } : 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
  if (asked !== '') return { namespace: asked };
  return own === '' ? 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' : { namespace: own };
}

function lookUp(
  resource: Resource,
  { name = '', selector }: ParamRef,
  { cluster, namespace }: { readonly cluster: ClusterView; readonly namespace: string },
): readonly JsonObject[] | string {
  if (name !== '') {
    const found = cluster.get(resource, { namespace, name });
    return found === undefined ? [] : [found];
  }
  const parsed = labelRequirementsOf(selector ?? {});
  if ('problem' in parsed) return parsed.problem;
  const objects = resource.scope === 'Cluster' ? cluster.list(resource) : cluster.list(resource, namespace);
  return objects.filter((object) =>
    matchesLabels(parsed.requirements, (object['metadata'] as { readonly labels?: Record<string, string> }).labels),
  );
}
