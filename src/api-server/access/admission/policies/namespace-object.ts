import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';

/** The Namespace that the object of a request is in; undefined: it is missing, or the object is in none. */
export function namespaceObjectOf({ namespace, served }: AdmissionRequest, cluster: ClusterView): JsonObject | undefined {
  if (namespace === '' || (served.resource.group === '' && served.resource.plural === 'namespaces')) return undefined;
  return cluster.get({ group: '', plural: 'namespaces' }, { namespace: '', name: namespace });
}
