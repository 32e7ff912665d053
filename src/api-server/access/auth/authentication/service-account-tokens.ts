import { randomUUID } from 'node:crypto';
import { goQuote, type ObjectMeta } from '@keelson/kubernetes/apimachinery';
import { CREDENTIAL_ID, serviceAccountGroups, serviceAccountUsername, type UserInfo } from '../user-info.js';
import {
  type Claims,
  claimsProblem,
  type ObjectClaim,
  type PrivateClaims,
  parseToken,
  signToken,
  type UncheckedToken,
} from './json-web-token.js';
import { SigningKey } from './signing-key.js';

/** A stored object, as far as tokens look at it. */
export interface BoundObject {
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
}

/** Finds what a token refers to. @param namespace '' of a node */
export type FindObject = (
  resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes',
  namespace: string,
  name: string,
) => BoundObject | undefined;

export interface ServiceAccountTokensOptions {
  readonly find: FindObject;
  /** The URL by which the server names itself. Default `https://kubernetes.default.svc.cluster.local`. */
  readonly issuer?: string;
  /** Audiences of tokens that name none. Default: the issuer alone. */
  readonly audiences?: readonly string[];
  /** PEM; see {@link SigningKey}. Default: a new key. */
  readonly signingKey?: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface TokenContent {
  readonly serviceAccount: BoundObject;
  /** The object that the token dies with, beside the service account. A Pod's node may stand beside the Pod. */
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Seconds after which the server counts the use of the token as late. */
  readonly warnAfterSeconds?: number;
}

/** `unknown`: this server has not issued the token; another authenticator may know it. */
export type TokenVerdict =
  | { readonly type: 'user'; readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly type: 'refused'; readonly error: string }
  | { readonly type: 'unknown' };

const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';
/** Tolerance for clocks that differ, and the time for which a deleted object still counts: go-jose's. */
const LEEWAY_S = 60;
const INVALIDATED = 'service account token has been invalidated';
const EXTRA_PREFIX = 'authentication.kubernetes.io/';

/**
 * Issues and checks tokens of service accounts.
 *
 * Guarantees: a token is good as long as it has not expired and its service account, and the Pod, Secret or Node that it is bound to, exist with the uids
 * that they had.
 *
 * Source: kubernetes `pkg/serviceaccount/{claims,jwt,openidmetadata}.go`. Not here: tokens in Secrets without an expiry (`LegacyClaims`).
 */
export class ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #key: SigningKey;
  readonly #find: FindObject;
  readonly #now: () => number;

  constructor({ find, issuer = DEFAULT_ISSUER, audiences, signingKey, now }: ServiceAccountTokensOptions) {
    this.issuer = issuer;
    this.audiences = audiences ?? [issuer];
    this.#key = new SigningKey(signingKey);
    this.#find = find;
    this.#now = now;
  }

  issue(content: TokenContent): string {
    const now = Math.floor(this.#now() / 1000);
    const claims: Claims = {
      iss: this.issuer,
      sub: serviceAccountUsername(content.serviceAccount.metadata.namespace ?? '', content.serviceAccount.metadata.name ?? ''),
      aud: content.audiences,
      exp: now + content.expirationSeconds,
      iat: now,
      nbf: now,
      jti: randomUUID(),
      'kubernetes.io': privateClaims(content, now),
    };
    return signToken(claims, this.#key);
  }

  /** @param audiences to whom the token is shown; default: the server */
  authenticate(token: string, audiences: readonly string[] = this.audiences): TokenVerdict {
    const parsed = parseToken(token);
    if (parsed === undefined || parsed.claims.iss !== this.issuer) return { type: 'unknown' };
    const error = this.#signatureProblem(parsed) ?? this.#audienceProblem(parsed.claims, audiences) ?? this.#claimsProblem(parsed.claims);
    if (error !== undefined) return { type: 'refused', error };
    const meant = parsed.claims.aud ?? this.audiences;
    return { type: 'user', user: userOf(parsed.claims), audiences: audiences.filter((audience) => meant.includes(audience)) };
  }

  /** The document at `/openid/v1/jwks`. */
  jwks(): Record<string, unknown> {
    return { keys: [this.#key.toJwk()] };
  }

  /** The document at `/.well-known/openid-configuration`. @param jwksUri where clients find {@link jwks} */
  openIdConfiguration(jwksUri: string): Record<string, unknown> {
    return {
      issuer: this.issuer,
      jwks_uri: jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.#key.algorithm],
    };
  }

  #signatureProblem({ keyId, algorithm, signed, signature }: UncheckedToken): string | undefined {
    if (keyId !== '' && keyId !== this.#key.id) return 'invalid signature, no keys found';
    if (algorithm !== this.#key.algorithm || !this.#key.verifies(signed, signature))
      return 'go-jose/go-jose: error in cryptographic primitive';
    return undefined;
  }

  #audienceProblem(claims: Claims, audiences: readonly string[]): string | undefined {
    const problem = claimsProblem(claims);
    if (problem !== undefined) return problem;
    const meant = claims.aud?.length ? claims.aud : this.audiences;
    if (meant.some((audience) => audiences.includes(audience))) return undefined;
    const [has, wanted] = [meant, audiences].map((list) => `[${list.map(goQuote).join(' ')}]`);
    return `token audiences ${has} is invalid for the target audiences ${wanted}`;
  }

  #claimsProblem({ nbf, exp, iat, 'kubernetes.io': own = {} }: Claims): string | undefined {
    const now = this.#now() / 1000;
    if (nbf !== undefined && now + LEEWAY_S < nbf) return 'service account token is not valid yet';
    if (exp !== undefined && now - LEEWAY_S > exp) return 'service account token has expired';
    if (iat !== undefined && now + LEEWAY_S < iat) return 'service account token is issued in the future';
    const { namespace = '', serviceaccount: { name = '', uid = '' } = {} } = own;
    const account = this.#find('serviceaccounts', namespace, name);
    if (account === undefined) return `serviceaccounts ${goQuote(name)} not found`;
    if (account.metadata.uid !== uid) return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
    if (this.#isGone(account)) return `service account ${namespace}/${name} has been deleted`;
    return this.#boundProblem(own, namespace);
  }

  #boundProblem({ secret, pod, node }: PrivateClaims, namespace: string): string | undefined {
    const problem =
      this.#objectProblem(secret, { resource: 'secrets', namespace, called: 'secret' }) ??
      this.#objectProblem(pod, { resource: 'pods', namespace, called: 'pod' });
    // The node of a Pod's token is for information only.
    if (problem !== undefined || pod !== undefined) return problem;
    return this.#objectProblem(node, { resource: 'nodes', namespace: '', called: 'node' });
  }

  #objectProblem(
    claim: ObjectClaim | undefined,
    { resource, namespace, called }: { resource: 'pods' | 'secrets' | 'nodes'; namespace: string; called: string },
  ): string | undefined {
    if (claim === undefined) return undefined;
    const object = this.#find(resource, namespace, claim.name ?? '');
    if (object === undefined) return INVALIDATED;
    const { uid } = object.metadata;
    if (uid !== claim.uid) return `${called} UID (${uid}) does not match service account ${called} ref claim (${claim.uid})`;
    return this.#isGone(object) ? INVALIDATED : undefined;
  }

  #isGone({ metadata: { deletionTimestamp } }: BoundObject): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < this.#now() - LEEWAY_S * 1000;
  }
}

function privateClaims({ serviceAccount, pod, secret, node, warnAfterSeconds }: TokenContent, now: number): PrivateClaims {
  return {
    namespace: serviceAccount.metadata.namespace ?? '',
    ...(node === undefined ? {} : { node: claimOf(node) }),
    ...(pod === undefined ? {} : { pod: claimOf(pod) }),
    ...(secret === undefined ? {} : { secret: claimOf(secret) }),
    serviceaccount: claimOf(serviceAccount),
    ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
  };
}

/** The uid of a Pod's node may be unknown. */
function claimOf({ metadata: { name = '', uid } }: BoundObject): ObjectClaim {
  return { name, ...(uid === undefined ? {} : { uid }) };
}

function userOf({ jti, 'kubernetes.io': own = {} }: Claims): UserInfo {
  const { namespace = '', serviceaccount: { name = '', uid = '' } = {}, pod, node } = own;
  const extra = {
    ...(pod?.name && pod.uid ? { [`${EXTRA_PREFIX}pod-name`]: [pod.name], [`${EXTRA_PREFIX}pod-uid`]: [pod.uid] } : {}),
    ...(jti ? { [CREDENTIAL_ID]: [`JTI=${jti}`] } : {}),
    ...(node?.name ? { [`${EXTRA_PREFIX}node-name`]: [node.name] } : {}),
    ...(node?.name && node.uid ? { [`${EXTRA_PREFIX}node-uid`]: [node.uid] } : {}),
  };
  const user = { username: serviceAccountUsername(namespace, name), uid, groups: serviceAccountGroups(namespace) };
  return Object.keys(extra).length === 0 ? user : { ...user, extra };
}
