import { dns1123SubdomainProblems, goQuote } from '@keelson/kubernetes/apimachinery';
import { StatusError } from '../../../status/index.js';
import { type Attributes, type Authorizer, forbiddenError, type ResourceAttributes } from '../attributes.js';
import {
  ANONYMOUS,
  AUTHENTICATED_GROUP,
  NODE_NAME,
  PRIVILEGED_GROUP,
  parseServiceAccountUsername,
  serviceAccountGroups,
  UNAUTHENTICATED_GROUP,
  type UserInfo,
} from '../user-info.js';
import { type ImpersonatedUser, wantedUser } from './impersonation-headers.js';

const AUTHENTICATION_GROUP = 'authentication.k8s.io';
const NODE_PREFIX = 'system:node:';
/** From this number on, one right to all groups or all extra values is asked for first. */
const MANY_CHECKS = 4;
/** Users whose last mode is remembered. */
const REMEMBERED_USERS = 10_000;

/** One kind of users that may be impersonated, with rights of its own (`impersonate:MODE`, and `impersonate-on:MODE:VERB` for each request). */
interface Mode {
  readonly name: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';
  readonly supports: (wanted: ImpersonatedUser, requestor: UserInfo) => boolean;
}

const MODES: readonly Mode[] = [
  { name: 'associated-node', supports: (wanted, requestor) => isOnlyName(wanted) && isAssociated(requestor, nodeNameOf(wanted.username)) },
  { name: 'arbitrary-node', supports: (wanted) => isOnlyName(wanted) && nodeNameOf(wanted.username) !== undefined },
  { name: 'serviceaccount', supports: (wanted) => isOnlyName(wanted) && parseServiceAccountUsername(wanted.username) !== undefined },
  {
    name: 'user-info',
    supports: ({ username }) => nodeNameOf(username) === undefined && parseServiceAccountUsername(username) === undefined,
  },
  { name: 'legacy', supports: () => true },
];

/**
 * Lets a user act as another one, as the headers `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*` ask.
 *
 * Source: apiserver `pkg/endpoints/filters/impersonation/{mode,constrained_impersonation}.go`, without its caches of ten seconds.
 */
export class Impersonator {
  readonly #authorizer: Authorizer;
  /** The mode that last allowed a user to impersonate is tried first: its refusal is the one that the client sees. */
  readonly #lastModes = new Map<string, Mode>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /**
   * @param asked what the sender wants to do as the other user
   * @param headers as {@link wantedUser} takes them
   * @throws StatusError 400, or the 403 of the first mode that fits and was refused
   */
  impersonate(asked: Attributes, headers: Iterable<readonly [string, string]>): UserInfo {
    const requestor = asked.user;
    const wanted = wantedUser(headers);
    if (wanted === undefined) return requestor;
    const last = this.#lastModes.get(requestor.username);
    const modes = last === undefined ? MODES : [last, ...MODES.filter((mode) => mode !== last)];
    let refusal: StatusError | undefined;
    for (const mode of modes) {
      if (!mode.supports(wanted, requestor)) continue;
      try {
        const user = new ModeCheck(mode, this.#authorizer, requestor).check(wanted, asked);
        if (this.#lastModes.size >= REMEMBERED_USERS) this.#lastModes.clear();
        this.#lastModes.set(requestor.username, mode);
        return user;
      } catch (error) {
        if (!StatusError.isStatusError(error)) throw error;
        refusal ??= error;
      }
    }
    throw refusal as StatusError;
  }
}

/** The questions of one mode to the authorizer. Each throws the 403. */
class ModeCheck {
  readonly #mode: Mode['name'];
  readonly #isConstrained: boolean;
  readonly #authorizer: Authorizer;
  readonly #requestor: UserInfo;

  constructor({ name }: Mode, authorizer: Authorizer, requestor: UserInfo) {
    this.#mode = name;
    this.#isConstrained = name !== 'legacy';
    this.#authorizer = authorizer;
    this.#requestor = requestor;
  }

  check(wanted: ImpersonatedUser, asked: Attributes): UserInfo {
    if (this.#isConstrained) this.#require({ ...asked, verb: `impersonate-on:${this.#mode}:${asked.verb}` });
    const groups = [...this.#username(wanted)];
    if (wanted.uid !== '') this.#require(this.#attributes('uids', { name: wanted.uid, apiGroup: AUTHENTICATION_GROUP }));
    this.#groups(wanted.groups);
    this.#extra(wanted.extra);
    addStandardGroup(wanted.username, groups);
    const { username, uid, extra } = wanted;
    return { username, ...(uid === '' ? {} : { uid }), groups, ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }) };
  }

  /** @returns the groups that the user has with this name */
  #username({ username, groups }: ImpersonatedUser): readonly string[] {
    const account = parseServiceAccountUsername(username);
    const node = this.#isConstrained ? nodeNameOf(username) : undefined;
    if (account !== undefined) {
      this.#require(this.#attributes('serviceaccounts', account));
      return groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
    }
    if (node === undefined) {
      this.#require(this.#attributes('users', { name: username }));
      return groups;
    }
    // A service account may run on any node: its right must be one to all of them.
    this.#require(this.#attributes('nodes', { name: this.#mode === 'associated-node' ? '*' : node }));
    return ['system:nodes'];
  }

  #groups(groups: readonly string[]): void {
    const attributes = (name: string): ResourceAttributes => this.#attributes('groups', { name });
    if (this.#isConstrained) {
      if (groups.includes('')) throw forbiddenError(attributes(''), 'impersonating the empty string group is not allowed');
      if (groups.includes(PRIVILEGED_GROUP))
        throw forbiddenError(attributes(PRIVILEGED_GROUP), 'impersonating the system:masters group is not allowed');
      if (groups.length >= MANY_CHECKS && this.#isAllowed(attributes('*'))) return;
    }
    for (const group of groups) this.#require(attributes(group));
  }

  #extra(extra: ImpersonatedUser['extra']): void {
    const attributes = (subresource: string, name: string): ResourceAttributes =>
      this.#attributes('userextras', { subresource, name, apiGroup: AUTHENTICATION_GROUP });
    const pairs = [...extra].flatMap(([key, values]) => values.map((value) => [key, value] as const));
    if (this.#isConstrained) {
      const problem = pairs.map(([key, value]) => extraProblem(key, value)).find((found) => found !== undefined);
      if (problem !== undefined) throw forbiddenError(attributes('', ''), problem);
      if (pairs.length >= MANY_CHECKS && this.#isAllowed(attributes('*', '*'))) return;
    }
    for (const [key, value] of pairs) this.#require(attributes(key, value));
  }

  #attributes(resource: string, named: Partial<ResourceAttributes> & { readonly name: string }): ResourceAttributes {
    const verb = this.#isConstrained ? `impersonate:${this.#mode}` : 'impersonate';
    // The older rights name users and groups as if they were of the core group.
    const apiGroup = this.#isConstrained ? AUTHENTICATION_GROUP : '';
    return { type: 'resource', user: this.#requestor, verb, apiGroup, resource, ...named };
  }

  #isAllowed(attributes: Attributes): boolean {
    return this.#authorizer.authorize(attributes).allowed;
  }

  #require(attributes: Attributes): void {
    const { allowed, reason } = this.#authorizer.authorize(attributes);
    if (!allowed) throw forbiddenError(attributes, reason);
  }
}

/** The group that says whether a client has shown a credential. */
function addStandardGroup(username: string, groups: string[]): void {
  if (username === ANONYMOUS) {
    if (!groups.includes(UNAUTHENTICATED_GROUP)) groups.push(UNAUTHENTICATED_GROUP);
  } else if (!groups.includes(AUTHENTICATED_GROUP) && !groups.includes(UNAUTHENTICATED_GROUP)) groups.push(AUTHENTICATED_GROUP);
}

function isOnlyName({ uid, groups, extra }: ImpersonatedUser): boolean {
  return uid === '' && groups.length === 0 && extra.size === 0;
}

/** `undefined` for a name that is not a node's. */
function nodeNameOf(username: string): string | undefined {
  if (!username.startsWith(NODE_PREFIX)) return undefined;
  const name = username.slice(NODE_PREFIX.length);
  return dns1123SubdomainProblems(name).length === 0 ? name : undefined;
}

/** Whether the sender is a service account whose token is bound to a Pod on this node. */
function isAssociated({ username, extra }: UserInfo, node: string | undefined): boolean {
  const bound = extra?.[NODE_NAME] ?? [];
  return node !== undefined && parseServiceAccountUsername(username) !== undefined && bound.length === 1 && bound[0] === node;
}

/** Refuses extra keys and values that only the older mode allows. */
function extraProblem(key: string, value: string): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed';
  if (!isDomainPrefixedPath(key))
    return `impersonating an invalid key in extra is not allowed: ${goQuote(key)} must be a domain-prefixed path (such as "acme.io/foo")`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
  return value === '' ? 'impersonating the empty string value in extra is not allowed' : undefined;
}

/** `example.com/path`. */
function isDomainPrefixedPath(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 1 || dns1123SubdomainProblems(text.slice(0, slash)).length > 0) return false;
  return /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(text.slice(slash + 1));
}
