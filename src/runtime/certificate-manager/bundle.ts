import { X509Certificate } from 'node:crypto';

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
/** A bundle is in every configuration: whatever goes wrong with rotation, it does not grow. */
const MOST = 8;

/** The certificates of a PEM bundle that are worth keeping at `nowMs`: they can be read, and have not ended. */
export function unexpired(pem: string, nowMs: number): readonly X509Certificate[] {
  return (pem.match(BLOCK) ?? []).flatMap((block) => {
    try {
      const certificate = new X509Certificate(block);
      return new Date(certificate.validTo).getTime() > nowMs ? [certificate] : [];
    } catch {
      // A placeholder, or damage: nothing could be verified by it.
      return [];
    }
  });
}

/** One PEM text of what is in either, each once; `first` first. */
export function joined(first: readonly X509Certificate[], second: readonly X509Certificate[]): string {
  const byPrint = new Map([...first, ...second].map((certificate) => [certificate.fingerprint256, certificate]));
  return [...byPrint.values()].slice(0, MOST).map(String).join('');
}

export function hasAll(bundle: readonly X509Certificate[], wanted: readonly X509Certificate[]): boolean {
  return wanted.every(({ fingerprint256 }) => bundle.some((certificate) => certificate.fingerprint256 === fingerprint256));
}

/** Whether a client that trusts the bundle trusts the leaf. */
export function vouchesFor(bundle: readonly X509Certificate[], leaf: X509Certificate): boolean {
  return bundle.some((authority) => leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
}
