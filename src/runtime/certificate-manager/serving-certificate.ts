import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPText, messageOf } from '@keelson/kubernetes/apimachinery';
import type { KeyPair } from '@keelson/kubernetes/certificates';

/** A certificate and key that belong together, and what is to be known of them. */
export interface ServingCertificate {
  readonly pair: KeyPair;
  readonly leaf: X509Certificate;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Reads a pair. @returns the pair, or a text with the reason why it is not one */
export function servingCertificateOf(pair: KeyPair): ServingCertificate | string {
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(pair.certificate);
  } catch (error) {
    return `the certificate is not PEM: ${messageOf(error)}`;
  }
  try {
    if (!leaf.checkPrivateKey(createPrivateKey(pair.privateKey))) return 'the key does not belong to the certificate';
  } catch (error) {
    return `the key is not PEM: ${messageOf(error)}`;
  }
  return { pair, leaf, notBefore: new Date(leaf.validFrom), notAfter: new Date(leaf.validTo) };
}

/** Which of these names, DNS names and IP addresses, a client would not take the certificate for. */
export function missingNames(leaf: X509Certificate, names: readonly string[]): readonly string[] {
  return names.filter((name) =>
    isIPText(name) ? leaf.checkIP(name) === undefined : leaf.checkHost(name, { wildcards: false, subject: 'never' }) === undefined,
  );
}

/** The DNS names and IP addresses that a certificate is for. */
export function namesOf(leaf: X509Certificate): readonly string[] {
  return [...(leaf.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].map(([, name = '']) => name);
}
