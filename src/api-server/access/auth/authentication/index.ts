/** The user behind a request: client certificates, static tokens, service-account tokens, impersonation. */
export { type Authentication, Authenticator, type AuthenticatorOptions, type Credentials } from './authenticator.js';
export { Impersonator } from './impersonation.js';
export {
  type BoundObject,
  type FindObject,
  ServiceAccountTokens,
  type ServiceAccountTokensOptions,
  type TokenContent,
  type TokenVerdict,
} from './service-account-tokens.js';
export { SigningKeyError } from './signing-key.js';
export { requestToken, type TokenRequest, type TokenRequestContext } from './token-request.js';
