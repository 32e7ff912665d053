import { createPrivateKey, X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../../access/index.js';

/**
 * The problem of a certificate and its key, both PEM, as Go's TLS would say it. All that is malformed inside a certificate or key gets one message.
 *
 * Source: Go `crypto/tls` (`X509KeyPair`).
 */
export function keyPairProblem(certificates: string, key: string): string | undefined {
  const found = pemBlocks(certificates);
  const [certificate] = found.filter(({ type }) => type === 'CERTIFICATE');
  if (certificate === undefined) return missingCertificate(found.map(({ type }) => type));
  const keys = pemBlocks(key);
  const privateKey = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (privateKey === undefined) return missingKey(keys.map(({ type }) => type));
  return mismatch(certificate.text, privateKey.text);
}

function missingCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in certificate input';
  const [first = ''] = skipped;
  if (skipped.length === 1 && first.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function missingKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function mismatch(certificate: string, key: string): string | undefined {
  const parsed = attempt(() => new X509Certificate(certificate));
  if (parsed === undefined) return 'x509: malformed certificate';
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  return parsed.checkPrivateKey(privateKey) ? undefined : 'tls: private key does not match public key';
}

/** Undefined for what OpenSSL cannot read: a warning, and no more, comes of it. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
