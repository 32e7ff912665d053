import { dns1123LabelProblems, dns1123SubdomainProblems } from '@keelson/kubernetes/apimachinery';

/** The user of a request. Source: apiserver `pkg/authentication/user/user.go`. */
export interface UserInfo {
  readonly username: string;
  /** Tells two users apart who have the name one after the other. */
  readonly uid?: string;
  readonly groups: readonly string[];
  /** Further facts from the authenticator, by lower-case key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const ANONYMOUS = 'system:anonymous';
export const UNAUTHENTICATED_GROUP = 'system:unauthenticated';
export const AUTHENTICATED_GROUP = 'system:authenticated';
/** Its members may do everything, whatever RBAC says. */
export const PRIVILEGED_GROUP = 'system:masters';
/** Key in a user's `extra`: which credential was shown. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** Key in the `extra` of a service account: the node of the Pod that its token is bound to. */
export const NODE_NAME = 'authentication.kubernetes.io/node-name';

const SERVICE_ACCOUNT_PREFIX = 'system:serviceaccount:';

export function serviceAccountUsername(namespace: string, name: string): string {
  return `${SERVICE_ACCOUNT_PREFIX}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Undefined for a name that is not a service account's. */
export function parseServiceAccountUsername(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(SERVICE_ACCOUNT_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = username.slice(SERVICE_ACCOUNT_PREFIX.length).split(':');
  const isValid = more.length === 0 && dns1123LabelProblems(namespace).length === 0 && dns1123SubdomainProblems(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

/** Every user who has shown a credential is in this group, unless the credential itself says otherwise. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const isTold = user.groups.includes(AUTHENTICATED_GROUP) || user.groups.includes(UNAUTHENTICATED_GROUP);
  if (user.username === ANONYMOUS || isTold) return user;
  return { ...user, groups: [...user.groups, AUTHENTICATED_GROUP] };
}

/** `UserInfo` as the reviews of `authentication.k8s.io/v1` show it: without what is empty. */
export function userInfoFields({ username, uid, groups, extra }: UserInfo): Record<string, unknown> {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid ? { uid } : {}),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
