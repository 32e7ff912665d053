import { X509Certificate } from 'node:crypto';
// Loaded before `toLegacyObject` is called: in Node 20 to 24 the other order leaves node:tls without createSecureContext.
import 'node:tls';

/** The identity in a client certificate. Source: apiserver `pkg/authentication/request/x509/x509.go`. */
export interface ClientIdentity {
  /** The user's name; the last, if there are several. */
  readonly commonName: string;
  /** The user's groups. */
  readonly organizations: readonly string[];
  /** Each value of the attribute {@link UID_ATTRIBUTE}. */
  readonly uids: readonly string[];
  /** SHA-256 of the certificate, in lower case without colons. */
  readonly fingerprint: string;
}

/** The user's uid in a distinguished name, which CNCF has registered. */
export const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';

/** Reads the certificate of a TLS peer. Whether it is to be trusted is the TLS layer's to say (`socket.authorized`). */
export function clientIdentity(certificate: X509Certificate | Uint8Array): ClientIdentity {
  const parsed = certificate instanceof X509Certificate ? certificate : new X509Certificate(certificate);
  const subject = parsed.toLegacyObject().subject as unknown as Readonly<Record<string, string | readonly string[] | undefined>>;
  return {
    commonName: valuesOf(subject['CN']).at(-1) ?? '',
    organizations: valuesOf(subject['O']),
    uids: valuesOf(subject[UID_ATTRIBUTE]),
    fingerprint: parsed.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
