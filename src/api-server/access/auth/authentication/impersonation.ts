import { goQuote } from '../../../../kubernetes/index.js';
import type { StatusError } from '../../../status/index.js';
import { type Authorizer, escapeHtml, forbiddenError, type ResourceAttributes } from '../attributes.js';
import {
  ANONYMOUS,
  AUTHENTICATED_GROUP,
  parseServiceAccountUsername,
  serviceAccountGroups,
  UNAUTHENTICATED_GROUP,
  type UserInfo,
} from '../user-info.js';

/** `internal-error`: answered with 500 and plain text, see {@link internalErrorText}. */
export type Impersonation =
  | { readonly type: 'user'; readonly user: UserInfo }
  | { readonly type: 'forbidden'; readonly error: StatusError }
  | { readonly type: 'internal-error'; readonly message: string };

/** One thing that a user asks to be taken for; each needs a right. */
interface Wish {
  readonly kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID';
  readonly name: string;
  readonly namespace?: string;
  /** The key of a UserExtra. */
  readonly key?: string;
}

const EXTRA_HEADER = 'impersonate-extra-';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

/**
 * Lets a user act as another one, as the headers `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*` ask.
 *
 * Source: apiserver `pkg/endpoints/filters/impersonation.go`, 1.34.
 *
 * @param headers names and values as they were sent, in order, a repeated header several times; values as Node gives them, one character per byte
 */
export function impersonate(user: UserInfo, headers: Iterable<readonly [string, string]>, authorizer: Authorizer): Impersonation {
  const wishes = wishesOf(headers);
  if (wishes.length === 0) return { type: 'user', user };
  if (!wishes.some(({ kind }) => kind === 'User' || kind === 'ServiceAccount')) {
    return { type: 'internal-error', message: `requested [${wishes.map(wishText).join(' ')}] without impersonating a user` };
  }
  for (const wish of wishes) {
    const attributes = attributesOf(user, wish);
    const { allowed, reason } = authorizer.authorize(attributes);
    if (!allowed) return { type: 'forbidden', error: forbiddenError(attributes, reason) };
  }
  return { type: 'user', user: impersonatedUser(wishes) };
}

/** Body of a 500 that is not a Status. */
export function internalErrorText(requestUri: string, message: string): string {
  return escapeHtml(`Internal Server Error: ${goQuote(requestUri)}: ${message}`);
}

function wishesOf(headers: Iterable<readonly [string, string]>): Wish[] {
  const groups: Wish[] = [];
  const extras: Wish[] = [];
  let username = '';
  let uid = '';
  for (const [header, value] of headers) {
    const lower = header.toLowerCase();
    const name = Buffer.from(value, 'latin1').toString('utf8');
    // The first value of a header that counts once.
    if (lower === 'impersonate-user') username ||= name;
    else if (lower === 'impersonate-uid') uid ||= name;
    else if (lower === 'impersonate-group') groups.push({ kind: 'Group', name });
    else if (lower.startsWith(EXTRA_HEADER)) extras.push({ kind: 'UserExtra', name, key: unescaped(lower.slice(EXTRA_HEADER.length)) });
  }
  const account = parseServiceAccountUsername(username);
  const asUser: Wish = account === undefined ? { kind: 'User', name: username } : { kind: 'ServiceAccount', ...account };
  return [...(username === '' ? [] : [asUser]), ...groups, ...extras, ...(uid === '' ? [] : [{ kind: 'UID', name: uid } as const])];
}

/** A badly escaped text stands for itself. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}

const RESOURCES = { ServiceAccount: 'serviceaccounts', User: 'users', Group: 'groups', UserExtra: 'userextras', UID: 'uids' } as const;

function attributesOf(user: UserInfo, { kind, name, namespace, key }: Wish): ResourceAttributes {
  return {
    type: 'resource',
    user,
    verb: 'impersonate',
    apiGroup: kind === 'UserExtra' || kind === 'UID' ? AUTHENTICATION_GROUP : '',
    resource: RESOURCES[kind],
    ...(key === undefined ? {} : { subresource: key }),
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
}

/** The groups that are asked for are all the groups there are, but for the one that says whether a client has shown a credential. */
function impersonatedUser(wishes: readonly Wish[]): UserInfo {
  const account = wishes.find(({ kind }) => kind === 'ServiceAccount');
  const username = account === undefined ? nameOf(wishes, 'User') : `system:serviceaccount:${account.namespace}:${account.name}`;
  const asked = wishes.filter(({ kind }) => kind === 'Group').map(({ name }) => name);
  const groups = asked.length === 0 && account !== undefined ? [...serviceAccountGroups(account.namespace ?? '')] : asked;
  if (username === ANONYMOUS) {
    if (!groups.includes(UNAUTHENTICATED_GROUP)) groups.push(UNAUTHENTICATED_GROUP);
  } else if (!groups.includes(AUTHENTICATED_GROUP) && !groups.includes(UNAUTHENTICATED_GROUP)) groups.push(AUTHENTICATED_GROUP);
  const extra = new Map<string, string[]>();
  for (const { kind, key = '', name } of wishes) if (kind === 'UserExtra') extra.set(key, [...(extra.get(key) ?? []), name]);
  const uid = nameOf(wishes, 'UID');
  return { username, ...(uid === '' ? {} : { uid }), groups, ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }) };
}

function nameOf(wishes: readonly Wish[], kind: Wish['kind']): string {
  return wishes.find((wish) => wish.kind === kind)?.name ?? '';
}

/** A Go struct `ObjectReference` under `%v`: kind, namespace, name, uid, version, resource version, field path. */
function wishText({ kind, name, namespace = '', key = '' }: Wish): string {
  const version = kind === 'UserExtra' || kind === 'UID' ? `${AUTHENTICATION_GROUP}/v1` : '';
  return `{${kind} ${namespace} ${name}  ${version}  ${key}}`;
}
