import { forbidden, groupVersionOf } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, RequestContext } from '../../../contract/index.js';
import type { Surroundings } from '../behaviour.js';
import type { Errors } from '../checks/index.js';
import { semanticEqual } from '../semantic-equal.js';

/** They may do everything. */
const ADMINISTRATORS = 'system:masters';

interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/** As far as a policy has parameters. */
interface PolicyWithParams {
  readonly spec?: { readonly paramKind?: ParamKind | undefined } | undefined;
}

interface BindingWithParams {
  readonly spec?:
    | {
        readonly policyName?: string | undefined;
        readonly paramRef?: { readonly name?: string | undefined; readonly namespace?: string | undefined } | undefined;
      }
    | undefined;
}

/** The resource that has to be readable, as far as it is known. */
interface Readable {
  readonly apiGroup: string;
  readonly resource: string;
  /** The problem that keeps the server from knowing it. */
  readonly problem?: string;
}

const EVERYTHING = { apiGroup: '*', resource: '*' };

/**
 * The author of a policy has to be allowed to read its parameters: the messages of the policy could reveal them.
 *
 * Source: kubernetes `pkg/registry/admissionregistration/validatingadmissionpolicy/authz.go`.
 */
export function policyParamErrors(
  { spec = {} }: PolicyWithParams,
  old: PolicyWithParams | undefined,
  { surroundings, user }: { readonly surroundings: Surroundings; readonly user: RequestContext['user'] },
): Errors {
  const { paramKind } = spec;
  if (paramKind === undefined || (old !== undefined && semanticEqual(paramKind, old.spec?.paramKind))) return [];
  const { apiGroup, resource } = readableOf(paramKind, surroundings);
  if (mayRead(surroundings, user, { verb: 'get', apiGroup, resource, name: '*', namespace: '*' })) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  const text = `must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  return [forbidden('spec.paramKind', `user ${printed(user)} ${text}`)];
}

/** As {@link policyParamErrors}, of the parameters that a binding names. Source: `validatingadmissionpolicybinding/authz.go`. */
export function bindingParamErrors(
  { spec = {} }: BindingWithParams,
  policies: 'mutatingadmissionpolicies' | 'validatingadmissionpolicies',
  { surroundings, user }: { readonly surroundings: Surroundings; readonly user: RequestContext['user'] },
): Errors {
  const { paramRef, policyName = '' } = spec;
  if (paramRef === undefined) return [];
  const { name = '', namespace = '' } = paramRef;
  const { apiGroup, resource, problem } = readableOfPolicy(
    { group: 'admissionregistration.k8s.io', plural: policies },
    policyName,
    surroundings,
  );
  const verb = name === '' ? 'list' : 'get';
  if (mayRead(surroundings, user, { verb, apiGroup, resource, name, namespace })) return [];
  const none = `does not have "${verb}" permission`;
  const text =
    problem === undefined
      ? `user ${printed(user)} ${none} on the object referenced by paramRef`
      : `unable to ${problem} to determine minimum required permissions and user ${printed(user)} ${none} for all groups, versions and resources`;
  return [forbidden('spec.paramRef', text)];
}

function readableOfPolicy(place: Parameters<Surroundings['cluster']['get']>[0], name: string, surroundings: Surroundings): Readable {
  const policy = surroundings.cluster.get(place, { namespace: '', name });
  if (policy === undefined) return { ...EVERYTHING, problem: `get policy ${name}` };
  const { paramKind } = ((policy['spec'] as JsonObject | undefined) ?? {}) as { readonly paramKind?: ParamKind };
  return paramKind === undefined ? EVERYTHING : readableOf(paramKind, surroundings);
}

function readableOf({ apiVersion = '', kind = '' }: ParamKind, { catalog }: Surroundings): Readable {
  const { group, version } = groupVersionOf(apiVersion);
  const found = catalog?.ofKind(group, version, kind);
  if (found !== undefined) return { apiGroup: group, resource: found.resource.plural };
  return { apiGroup: group, resource: '*', problem: `resolve paramKind &{${apiVersion} ${kind}}` };
}

interface Reading extends Omit<Readable, 'problem'> {
  readonly verb: string;
  readonly name: string;
  readonly namespace: string;
}

function mayRead({ authorizer }: Surroundings, user: RequestContext['user'], reading: Reading): boolean {
  if (authorizer === undefined || user.groups.includes(ADMINISTRATORS)) return true;
  return authorizer.authorize({ type: 'resource', user, ...reading }).allowed;
}

/** `%v` of the struct that Go has it in. */
function printed({ username, uid = '', groups, extra = {} }: RequestContext['user']): string {
  const entries = Object.entries(extra).sort(([left], [right]) => (left < right ? -1 : 1));
  return `&{${username} ${uid} [${groups.join(' ')}] map[${entries.map(([key, values]) => `${key}:[${values.join(' ')}]`).join(' ')}]}`;
}
