import { groupVersionOf } from '@keelson/kubernetes/apimachinery';
import { bootstrapPolicy, PRIVILEGED_GROUP } from '../access/index.js';
import type { Clock } from '../clock/index.js';
import type { Api, JsonObject, RequestContext, ResourceCatalog, Target } from '../contract/index.js';
import type { Store, StoreKey } from '../store/index.js';
import { type BootstrapObject, PolicyShapes } from './policy-shapes.js';

/** The user of the server's own requests. */
const SERVER = { username: 'system:apiserver', groups: [PRIVILEGED_GROUP, 'system:authenticated'] };

export interface BootstrapSurroundings {
  readonly api: Api;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly store: Store;
  readonly uids: () => string;
}

/** The first address of the service range: the API server's own. */
function apiServiceAddress(serviceRange: string): string {
  const [network = ''] = serviceRange.split('/');
  const parts = network.split('.').map(Number);
  return [...parts.slice(0, 3), (parts[3] ?? 0) + 1].join('.');
}

/** Creates the objects of a kube-apiserver's start: namespaces, its own Service, priority classes, roles. Existing objects are left as they are. */
export async function bootstrap(surroundings: BootstrapSurroundings, serviceRange: string): Promise<void> {
  const isMissing = (object: BootstrapObject): boolean => surroundings.store.get(keyOf(surroundings.catalog, object)) === undefined;
  for (const object of [...namespaces(), ownService(serviceRange), ...priorityClasses()].filter(isMissing))
    await create(surroundings, object);
  const shapes = new PolicyShapes();
  for (const object of policyObjects().filter(isMissing)) await createAlike(surroundings, object, shapes);
}

/** The context of the server's own requests, which need no rights. */
export function ownContext(clock: Clock): RequestContext {
  return {
    user: SERVER,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Strict',
    isDryRun: false,
    now: () => clock.now(),
    // Its warnings have no reader.
    warn: () => undefined,
    signal: new AbortController().signal,
    authorize: () => undefined,
  };
}

async function create({ api, catalog, clock }: BootstrapSurroundings, object: BootstrapObject): Promise<JsonObject> {
  return api.create(targetOf(catalog, object), { value: object as never, strictProblems: [] }, ownContext(clock));
}

/**
 * Only one of each shape of the 150 roles and bindings goes through all the steps of a create, the others are stored as it was: the steps are two thirds of the time
 * that a server takes to start.
 */
async function createAlike(surroundings: BootstrapSurroundings, object: BootstrapObject, shapes: PolicyShapes): Promise<void> {
  const { store, uids, catalog } = surroundings;
  const alike = shapes.storedForm(object, uids);
  if (alike === undefined) {
    shapes.add(object, await create(surroundings, object));
    return;
  }
  const outcome = store.create(keyOf(catalog, object), alike);
  if (!outcome.ok) throw new RangeError(`an object that is there is not made again: ${outcome.problem.message}`);
}

function keyOf(catalog: ResourceCatalog, object: BootstrapObject): StoreKey {
  const { served, namespace } = targetOf(catalog, object);
  return { resource: served.resource.storageKey, namespace, name: object.metadata.name ?? '' };
}

function targetOf(catalog: ResourceCatalog, { apiVersion, kind, metadata }: BootstrapObject): Target {
  const { group, version } = groupVersionOf(apiVersion);
  const served = catalog.ofKind(group, version, kind);
  if (served === undefined) throw new RangeError(`${kind} is always served`);
  return { served, namespace: metadata.namespace ?? '', name: '', subresource: '' };
}

function namespaces(): readonly BootstrapObject[] {
  return ['default', 'kube-node-lease', 'kube-public', 'kube-system'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
}

function ownService(serviceRange: string): BootstrapObject {
  const spec = {
    clusterIP: apiServiceAddress(serviceRange),
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 443 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  };
  const labels = { component: 'apiserver', provider: 'kubernetes' };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'kubernetes', namespace: 'default', labels }, spec } as BootstrapObject;
}

function priorityClasses(): readonly BootstrapObject[] {
  const values = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };
  return Object.entries(values).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
    preemptionPolicy: 'PreemptLowerPriority',
  }));
}

function policyObjects(): readonly BootstrapObject[] {
  const { clusterRoles, clusterRoleBindings, roles, roleBindings } = bootstrapPolicy();
  return [...clusterRoles, ...clusterRoleBindings, ...roles, ...roleBindings] as readonly BootstrapObject[];
}
