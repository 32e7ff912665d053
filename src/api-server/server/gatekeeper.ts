import {
  type Attributes,
  type Authenticator,
  type ClientIdentity,
  clientIdentity,
  forbiddenError,
  Impersonator,
  type RbacAuthorizer,
} from '../access/index.js';
import type { RequestUser } from '../contract/index.js';
import type { Gatekeeper, RequestAttributes, RequestFacts } from '../http/index.js';
import { unauthorized } from '../status/index.js';

/** Certificates that are remembered: reading one costs more than all else about a request's sender. */
const REMEMBERED_CERTIFICATES = 1000;

/** Lets in, in whose name, and to what: certificates, tokens, impersonation and RBAC, as a request meets them. */
export class ServerGatekeeper implements Gatekeeper {
  readonly #authenticator: Authenticator;
  readonly #authorizer: RbacAuthorizer;
  readonly #impersonator: Impersonator;
  readonly #identities = new Map<string, ClientIdentity>();

  constructor({ authenticator, authorizer }: { readonly authenticator: Authenticator; readonly authorizer: RbacAuthorizer }) {
    this.#authenticator = authenticator;
    this.#authorizer = authorizer;
    this.#impersonator = new Impersonator(authorizer);
  }

  authenticate(facts: RequestFacts, attributes: RequestAttributes): RequestUser {
    const authorization = facts.headers['authorization'];
    const { clientCertificate: certificate, protocolToken } = facts;
    const outcome = this.#authenticator.authenticate({
      ...(typeof authorization === 'string' ? { authorization } : {}),
      ...(certificate && {
        clientCertificate: {
          identity: this.#identityOf(certificate.raw),
          ...(certificate.problem === undefined ? {} : { problem: certificate.problem }),
        },
      }),
      ...(protocolToken && { protocolToken }),
    });
    for (const warning of outcome.warnings) facts.warn(warning);
    if (outcome.type === 'refused') throw unauthorized();
    return this.#impersonated(attributesOf(outcome.user, attributes), facts);
  }

  authorize(user: RequestUser, attributes: RequestAttributes): void {
    const asked = attributesOf(user, attributes);
    const { allowed, reason } = this.#authorizer.authorize(asked);
    if (!allowed) throw forbiddenError(asked, reason);
  }

  #impersonated(asked: Attributes, { rawHeaders }: RequestFacts): RequestUser {
    if (!rawHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase().startsWith('impersonate-'))) return asked.user;
    return this.#impersonator.impersonate(asked, pairs(rawHeaders));
  }

  #identityOf(raw: Uint8Array): ClientIdentity {
    const key = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
    const known = this.#identities.get(key);
    if (known !== undefined) return known;
    const identity = clientIdentity(raw);
    if (this.#identities.size >= REMEMBERED_CERTIFICATES) this.#identities.clear();
    this.#identities.set(key, identity);
    return identity;
  }
}

function attributesOf(
  user: RequestUser,
  { isResourceRequest, verb, group, resource, subresource, namespace, name, path }: RequestAttributes,
): Attributes {
  if (!isResourceRequest) return { type: 'path', user, verb, path };
  return { type: 'resource', user, verb, apiGroup: group, resource, subresource, namespace, name };
}

function* pairs(rawHeaders: readonly string[]): Iterable<readonly [string, string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) yield [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
}
