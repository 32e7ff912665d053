import { bootstrapPolicy, PRIVILEGED_GROUP } from '../auth/index.js';
import type { Clock } from '../clock/index.js';
import type { Api, RequestContext, ResourceCatalog } from '../resources/index.js';

/** Who the server is to itself. */
const SERVER = { username: 'system:apiserver', groups: [PRIVILEGED_GROUP, 'system:authenticated'] };

export interface BootstrapSurroundings {
  readonly api: Api;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
}

/** The first address of the service range: the API server's own. */
export function apiServiceAddress(serviceRange: string): string {
  const [network = ''] = serviceRange.split('/');
  const parts = network.split('.').map(Number);
  return [...parts.slice(0, 3), (parts[3] ?? 0) + 1].join('.');
}

/** What a kube-apiserver makes for itself when it starts: namespaces, its own Service, priority classes, roles. */
export async function bootstrap(surroundings: BootstrapSurroundings, serviceRange: string): Promise<void> {
  for (const object of [...namespaces(), ownService(serviceRange), ...priorityClasses(), ...policyObjects()])
    await create(surroundings, object);
}

/** A server's own request, which nobody has to allow. */
export function ownContext(clock: Clock): RequestContext {
  return {
    user: SERVER,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Strict',
    isDryRun: false,
    now: () => clock.now(),
    // Nobody reads its warnings.
    warn: () => undefined,
    signal: new AbortController().signal,
    authorize: () => undefined,
  };
}

interface BootstrapObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

async function create({ api, catalog, clock }: BootstrapSurroundings, object: BootstrapObject): Promise<void> {
  const [group, version] = object.apiVersion.includes('/')
    ? (object.apiVersion.split('/', 2) as [string, string])
    : ['', object.apiVersion];
  const served = catalog.ofKind(group, version, object.kind);
  if (served === undefined) throw new RangeError(`${object.kind} is always served`);
  const target = { served, namespace: object.metadata.namespace ?? '', name: '', subresource: '' };
  await api.create(target, { value: object as never, strictProblems: [] }, ownContext(clock));
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
