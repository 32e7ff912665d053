import type { ClientIdentity } from '../../certificates/index.js';
import { errorListText } from '../error-list.js';
import { ANONYMOUS, CREDENTIAL_ID, UNAUTHENTICATED_GROUP, type UserInfo, withAuthenticatedGroup } from '../user-info.js';
import type { ServiceAccountTokens, TokenVerdict } from './service-account-tokens.js';

/** The credentials that a request shows. */
export interface Credentials {
  /** The certificate of the TLS peer, and why it is not trusted, if so (`socket.authorizationError`). */
  readonly clientCertificate?: { readonly identity: ClientIdentity; readonly problem?: string };
  /** The header `Authorization`. */
  readonly authorization?: string;
  /** The token that a WebSocket request carries among its protocols, or what is wrong with it. */
  readonly protocolToken?: { readonly token: string } | { readonly problem: string };
}

export type Authentication =
  | {
      readonly type: 'user';
      readonly user: UserInfo;
      /** Whom the credential is meant for, of those that were asked about; none of a certificate. */
      readonly audiences: readonly string[];
      /** Texts for the header `Warning`. */
      readonly warnings: readonly string[];
    }
  /** Answered with 401 `Unauthorized`, which keeps `error` to itself. */
  | { readonly type: 'refused'; readonly error: string; readonly warnings: readonly string[] };

export interface AuthenticatorOptions {
  readonly serviceAccountTokens: ServiceAccountTokens;
  /** Bearer tokens that are good for ever, with their users. A live map: what is added counts at once. Default none. */
  readonly staticTokens?: ReadonlyMap<string, UserInfo>;
  /** Whether a request without credentials is let through as `system:anonymous`. Default true, as of kube-apiserver. */
  readonly anonymous?: boolean;
}

const INVALID_TOKEN = 'invalid bearer token';
const SPACE_WARNING = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/**
 * Tells who sends a request: by client certificate, then by bearer token (static, then of a service account), else anonymous.
 *
 * Guarantees: credentials that are wrong are refused, never taken for none.
 *
 * Source: kubernetes `pkg/kubeapiserver/authenticator/config.go` and what it puts together. A real server remembers a good token for 10 seconds;
 * here a revoked token is refused at once.
 */
export class Authenticator {
  readonly #serviceAccountTokens: ServiceAccountTokens;
  readonly #staticTokens: ReadonlyMap<string, UserInfo>;
  readonly #anonymous: boolean;

  constructor({ serviceAccountTokens, staticTokens = new Map<string, UserInfo>(), anonymous = true }: AuthenticatorOptions) {
    this.#serviceAccountTokens = serviceAccountTokens;
    this.#staticTokens = staticTokens;
    this.#anonymous = anonymous;
  }

  /** Whom a token must be meant for to be good for this server. */
  get audiences(): readonly string[] {
    return this.#serviceAccountTokens.audiences;
  }

  /** @param audiences other than the server, for which a TokenReview asks */
  authenticate(
    { clientCertificate, authorization = '', protocolToken }: Credentials,
    audiences: readonly string[] = this.audiences,
  ): Authentication {
    const { token, warnings } = bearerToken(authorization);
    // The first to look at a token is the one that knows the server's own client: to it, every other token is invalid.
    const errors = token === undefined ? [] : [INVALID_TOKEN];
    const attempts = [
      () => (clientCertificate === undefined ? UNKNOWN : certificateVerdict(clientCertificate)),
      () => (token === undefined ? UNKNOWN : this.#tokenVerdict(token, audiences)),
      () => (protocolToken === undefined ? UNKNOWN : this.#protocolVerdict(protocolToken, audiences)),
    ];
    for (const attempt of attempts) {
      const verdict = attempt();
      if (verdict.type === 'user') return { ...verdict, user: withAuthenticatedGroup(verdict.user), warnings };
      if (verdict.type === 'refused') errors.push(verdict.error);
    }
    if (errors.length > 0) return { type: 'refused', error: errorListText(errors), warnings };
    if (!this.#anonymous) return { type: 'refused', error: 'the request shows no credentials', warnings };
    return { type: 'user', user: { username: ANONYMOUS, groups: [UNAUTHENTICATED_GROUP] }, audiences, warnings };
  }

  #protocolVerdict(found: NonNullable<Credentials['protocolToken']>, audiences: readonly string[]): TokenVerdict {
    if ('problem' in found) return { type: 'refused', error: found.problem };
    return found.token === '' ? UNKNOWN : this.#tokenVerdict(found.token, audiences);
  }

  #tokenVerdict(token: string, audiences: readonly string[]): TokenVerdict {
    const user = this.#staticTokens.get(token);
    const own = this.audiences.filter((audience) => audiences.includes(audience));
    if (user !== undefined && own.length > 0) return { type: 'user', user, audiences: own };
    const verdict = this.#serviceAccountTokens.authenticate(token, audiences);
    return verdict.type === 'unknown' ? { type: 'refused', error: INVALID_TOKEN } : verdict;
  }
}

const UNKNOWN: TokenVerdict = { type: 'unknown' };

function certificateVerdict({ identity, problem }: NonNullable<Credentials['clientCertificate']>): TokenVerdict {
  const { commonName, organizations, uids, fingerprint } = identity;
  if (problem !== undefined) return { type: 'refused', error: `verifying certificate X509SHA256=${fingerprint} failed: ${problem}` };
  if (commonName === '') return UNKNOWN;
  if (uids.length > 1) return { type: 'refused', error: `expected 1 UID, but found multiple: [${uids.join(' ')}]` };
  if (uids[0] === '') return { type: 'refused', error: 'UID cannot be an empty string' };
  const extra = { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] };
  const uid = uids[0] === undefined ? {} : { uid: uids[0] };
  return { type: 'user', user: { username: commonName, ...uid, groups: organizations, extra }, audiences: [] };
}

/** The server knows the scheme `Bearer` alone: a request with another one is anonymous. */
function bearerToken(authorization: string): { readonly token?: string; readonly warnings: readonly string[] } {
  const [scheme = '', token, ...rest] = authorization.trim().split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === undefined) return { warnings: [] };
  if (token === '') return { warnings: rest.length > 0 ? [SPACE_WARNING] : [] };
  return { token, warnings: [] };
}
