import { setTimeout as delay } from 'node:timers/promises';
import type { Pod, ServiceAccount } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';
import { plainError } from '../../../status/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { refused } from '../refusal.js';
import { checkEphemeralContainers, checkSecrets, referencesSecrets } from './secret-references.js';
import { withToken } from './token-volume.js';

export interface ServiceAccountSurroundings {
  readonly cluster: ClusterView;
  /** End of the name of a token's volume. */
  readonly suffixes: () => string;
}

type PodSpec = NonNullable<Pod['spec']>;

const SERVICE_ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const DEFAULT = 'default';
/** Pods that a kubelet runs from files, shown in the API. */
const MIRROR = 'kubernetes.io/config.mirror';

/**
 * ServiceAccount: a pod runs as a service account that exists, gets its token and its pull secrets, and (where the account says so) refers to its secrets
 * only. A namespace's `default` account is made by a controller: a pod that is faster waits for it.
 *
 * Source: kubernetes `plugin/pkg/admission/serviceaccount`.
 */
export function serviceAccount(surroundings: ServiceAccountSurroundings): AdmissionPlugin {
  const { cluster } = surroundings;
  return {
    name: 'ServiceAccount',
    mutate(request) {
      const { object } = request;
      if (object === undefined || !isNewPod(request)) return object;
      return admitted(request, object as unknown as Pod, surroundings);
    },
    validate(request) {
      if (isNewPod(request)) return checkPod(request, request.object as unknown as Pod, cluster);
      return isDebugging(request) ? checkDebugged(request, request.object as unknown as Pod, cluster) : undefined;
    },
  };
}

function isNewPod({ served: { resource }, subresource, operation }: AdmissionRequest): boolean {
  return resource.group === '' && resource.plural === 'pods' && subresource === '' && operation === 'CREATE';
}

function isDebugging({ served: { resource }, subresource, operation }: AdmissionRequest): boolean {
  return resource.group === '' && resource.plural === 'pods' && subresource === 'ephemeralcontainers' && operation === 'UPDATE';
}

async function admitted(request: AdmissionRequest, pod: Pod, { cluster, suffixes }: ServiceAccountSurroundings): Promise<JsonObject> {
  if (isMirror(pod)) {
    checkMirror(request, pod);
    return pod as unknown as JsonObject;
  }
  const spec = pod.spec ?? { containers: [] };
  const serviceAccountName = spec.serviceAccountName || DEFAULT;
  const account = await accountOf(request, serviceAccountName, cluster);
  // Two names of one field.
  const named: PodSpec = { ...spec, serviceAccountName, serviceAccount: serviceAccountName };
  const isMounted = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  const mounted = isMounted ? withToken(named, suffixes) : named;
  const complete = { ...pod, spec: { ...mounted, ...pullSecrets(spec, account) } };
  checkReferences(request, complete, account);
  return complete as unknown as JsonObject;
}

function pullSecrets({ imagePullSecrets: own = [] }: PodSpec, { imagePullSecrets = [] }: ServiceAccount): Partial<PodSpec> {
  if (own.length > 0 || imagePullSecrets.length === 0) return {};
  return { imagePullSecrets: imagePullSecrets.map(({ name }) => (name === undefined ? {} : { name })) };
}

async function checkPod(request: AdmissionRequest, pod: Pod, cluster: ClusterView): Promise<void> {
  if (isMirror(pod)) checkMirror(request, pod);
  else checkReferences(request, pod, await accountOf(request, accountNameOf(request, pod), cluster));
}

async function checkDebugged(request: AdmissionRequest, pod: Pod, cluster: ClusterView): Promise<void> {
  const account = await accountOf(request, accountNameOf(request, pod), cluster);
  const problem = isLimiting(account) ? checkEphemeralContainers(pod.spec?.ephemeralContainers ?? [], account) : undefined;
  // Upstream forgets to call it forbidden.
  if (problem !== undefined) throw plainError(problem);
}

function checkReferences(request: AdmissionRequest, pod: Pod, account: ServiceAccount): void {
  const problem = isLimiting(account) && pod.spec !== undefined ? checkSecrets(pod.spec, account) : undefined;
  if (problem !== undefined) throw refused(request, problem);
}

function accountNameOf(request: AdmissionRequest, { metadata, spec }: Pod): string {
  const { serviceAccountName = '' } = spec ?? {};
  if (serviceAccountName === '')
    throw refused(request, `no service account specified for pod ${request.namespace}/${metadata?.name ?? ''}`);
  return serviceAccountName;
}

function isMirror({ metadata }: Pod): boolean {
  return metadata?.annotations?.[MIRROR] !== undefined;
}

function checkMirror(request: AdmissionRequest, { spec }: Pod): void {
  const { serviceAccountName = '', volumes = [] } = spec ?? {};
  if (serviceAccountName !== '') throw refused(request, 'a mirror pod may not reference service accounts');
  if (spec !== undefined && referencesSecrets(spec)) throw refused(request, 'a mirror pod may not reference secrets');
  if (volumes.some(({ projected }) => projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken !== undefined))) {
    throw refused(request, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function isLimiting({ metadata }: ServiceAccount): boolean {
  // As Go's strconv.ParseBool.
  return /^(?:1|t|T|true|TRUE|True)$/.test(metadata?.annotations?.['kubernetes.io/enforce-mountable-secrets'] ?? '');
}

/** In real time, as all time limits of requests: the account comes as soon as the controller has its turn, whatever the server's clock says. */
const WAITS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 300, 500];

async function accountOf(request: AdmissionRequest, name: string, cluster: ClusterView): Promise<ServiceAccount> {
  const { namespace } = request;
  const find = (): JsonObject | undefined => cluster.get(SERVICE_ACCOUNTS, { namespace, name });
  let found = find();
  for (const wait of name === DEFAULT ? WAITS_MS : []) {
    if (found !== undefined) break;
    await delay(wait, undefined, { signal: request.context.signal });
    found = find();
  }
  if (found === undefined)
    throw refused(request, `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`);
  return found as unknown as ServiceAccount;
}
