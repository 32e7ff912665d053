import type { RequestUser } from '../contract/index.js';

/** The credentials of a request. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values by turns, as they were sent: for headers that may be repeated (`Impersonate-Group`). */
  readonly rawHeaders: readonly string[];
  readonly clientCertificate?: {
    /** DER. */
    readonly raw: Uint8Array;
    /** Why it is not trusted; undefined: it is. */
    readonly problem?: string;
  };
  /** The token that a WebSocket request carries among its protocols, or what is wrong with it. */
  readonly protocolToken?: { readonly token: string } | { readonly problem: string };
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void;
}

/** The action that a user wants to take. */
export interface RequestAttributes {
  readonly isResourceRequest: boolean;
  /** For non-resource requests: the HTTP method in lower case. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** Authentication, impersonation and authorization. */
export interface Gatekeeper {
  /**
   * The user of a request; the impersonated one, if the sender asks for that and may.
   * @param attributes what the sender wants to do: a right to impersonate may be one to some actions only
   * @throws StatusError 400, 401, 403
   */
  authenticate(facts: RequestFacts, attributes: RequestAttributes): RequestUser | Promise<RequestUser>;
  /** @throws StatusError 403 */
  authorize(user: RequestUser, attributes: RequestAttributes): void;
}
