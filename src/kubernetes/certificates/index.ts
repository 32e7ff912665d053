/**
 * `keelson/certificates`: certificates for programs that have to make them, as an operator whose programs talk over TLS. The runtime makes those of webhooks
 * with it, and the in-process API server its own. Values in, values out; where they are kept and when they are renewed is the caller's to decide.
 *
 * Guarantees: ECDSA on P-256 with SHA-256; what is issued verifies against the authority in OpenSSL, Go and Python (strict mode included).
 */
export {
  type AuthorityOptions,
  CertificateAuthority,
  type ClientOptions,
  type KeyPair,
  type KeyType,
  type ServingOptions,
  type Validity,
} from './authority.js';
export type { NameAttribute } from './certificate.js';
export { CertificateError } from './errors.js';
