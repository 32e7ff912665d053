import type { AdmissionRequest, ClusterView, JsonObject } from '../../contract/index.js';
import { isObject } from '../../contract/index.js';
import { forbidden, notFound } from '../../status/index.js';
import type { AdmissionPlugin } from './plugin.js';
import { refused } from './refusal.js';

const NAMESPACES = { group: '', plural: 'namespaces' };
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system']);

/** Objects are created only in namespaces that exist and are not being deleted. Source: apiserver `pkg/admission/plugin/namespace/lifecycle`. */
export function namespaceLifecycle(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    mutate(request) {
      checkNamespace(request, cluster);
      return request.object;
    },
  };
}

function checkNamespace(request: AdmissionRequest, cluster: ClusterView): void {
  const { operation, served, namespace, name } = request;
  const { resource } = served;
  const isNamespace = resource.group === '' && resource.plural === 'namespaces';
  if (isNamespace && operation === 'DELETE' && IMMORTAL.has(name)) throw forbidden(resource, name, 'this namespace may not be deleted');
  if (isNamespace || namespace === '' || operation === 'DELETE' || operation === 'CONNECT') return;
  // A word about the problem of the namespace would reveal that it exists.
  if (resource.plural === 'localsubjectaccessreviews') return;
  const found = cluster.get(NAMESPACES, { namespace: '', name: namespace });
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  if (operation === 'CREATE' && phaseOf(found) === 'Terminating') {
    throw refused(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
      { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
    ]);
  }
}

function phaseOf(namespace: JsonObject): unknown {
  const { status } = namespace;
  return isObject(status) ? status['phase'] : undefined;
}
