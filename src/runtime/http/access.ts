/** Our part of TLS, in the words of Node's `tls.connect`. */
export interface TlsMaterial {
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  readonly pfx?: string | Buffer | undefined;
  readonly passphrase?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

/** The credentials of a request. */
export interface Access {
  /** `authorization` and, if wanted, `impersonate-…`; names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The same object as long as nothing in it has changed: another one means new connections. */
  readonly tls: TlsMaterial;
}

/** Gives credentials, renewed where they age. */
export interface AccessSource {
  /**
   * Asked before each attempt, so it is quick unless something must be renewed.
   * @throws CredentialsError if credentials are missing
   */
  current(): Promise<Access>;
  /** The same without waiting; `undefined` if {@link current} has to be asked, as when something must be renewed. */
  atHand?(): Access | undefined;
  /** The server answered 401 to `access`. True: others may be had, ask again. */
  refused(access: Access): boolean;
}

/** In whose name requests are made. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Source of the names: Kubernetes' "User impersonation"; keys of `extra` are percent-encoded because a header's name takes few characters. */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { 'impersonate-user': user };
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    const name = key.toLowerCase().replace(/[^a-z0-9!#$&'*+.^_`|~-]/g, (character) => encodeURIComponent(character).toLowerCase());
    headers[`impersonate-extra-${name}`] = [...values];
  }
  return headers;
}
