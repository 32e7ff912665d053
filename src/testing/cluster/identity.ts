import type { UserInfo } from '@keelson/api-server';
import { PRIVILEGED_GROUP, serviceAccountGroups, serviceAccountUsername } from '@keelson/api-server/internal/access';
import { type Access, type AccessSource, type Connection, type Impersonation, impersonationHeaders } from '@keelson/runtime/internal/http';
import { TestClusterError } from './errors.js';

/** A user by name, with groups, or a ServiceAccount as `namespace/name`. */
export type Identity =
  | string
  | {
      readonly user: string;
      readonly groups?: readonly string[];
      readonly uid?: string;
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly serviceAccount: string };

/** In whose name a test itself asks: nothing is refused to it. */
export const TEST_USER: UserInfo = Object.freeze({ username: 'keelson-test', groups: [PRIVILEGED_GROUP] });

/** The user that the API server sees. */
export function userInfoOf(identity: Identity): UserInfo {
  if (typeof identity === 'string') return { username: identity, groups: [] };
  if ('serviceAccount' in identity) {
    const { namespace, name } = serviceAccountKey(identity.serviceAccount);
    return { username: serviceAccountUsername(namespace, name), groups: serviceAccountGroups(namespace) };
  }
  const { user, groups = [], uid, extra } = identity;
  return { username: user, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

export function serviceAccountKey(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (namespace === '' || name === '' || rest.length > 0)
    throw new TestClusterError(`${JSON.stringify(text)} is not a ServiceAccount: write namespace/name`);
  return { namespace, name };
}

export function impersonationOf(identity: Identity): Impersonation {
  const { username, groups, uid, extra } = userInfoOf(identity);
  return { user: username, groups, uid, extra };
}

/** The connection, but with requests in the name of another user. */
export function impersonated(connection: Connection, identity: Identity): Connection {
  return Object.freeze({
    ...connection,
    access: new ImpersonatedAccess(connection.access, impersonationHeaders(impersonationOf(identity))),
  });
}

class ImpersonatedAccess implements AccessSource {
  readonly #source: AccessSource;
  readonly #headers: Access['headers'];
  #last: { readonly own: Access; readonly made: Access } | undefined;

  constructor(source: AccessSource, headers: Access['headers']) {
    this.#source = source;
    this.#headers = headers;
  }

  async current(): Promise<Access> {
    const own = await this.#source.current();
    if (own !== this.#last?.own) this.#last = { own, made: { ...own, headers: { ...own.headers, ...this.#headers } } };
    return this.#last.made;
  }

  refused(access: Access): boolean {
    return this.#last !== undefined && access === this.#last.made && this.#source.refused(this.#last.own);
  }
}
