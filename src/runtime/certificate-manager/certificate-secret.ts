import type { X509Certificate } from 'node:crypto';
import { isIPText } from '@keelson/kubernetes/apimachinery';
import { CertificateAuthority } from '@keelson/kubernetes/certificates';
import type { Secret } from '@keelson/kubernetes/kinds';
import { RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { NamespacedKey, StoredOf } from '../client/index.js';
import { joined, unexpired, vouchesFor } from './bundle.js';
import { missingNames, namesOf, type ServingCertificate, servingCertificateOf } from './serving-certificate.js';

export type StoredSecret = StoredOf<typeof Secret>;

/** The content of a Secret that is ours. */
export interface Held {
  /** Authorities that clients must trust, the newest first. */
  readonly bundle: readonly X509Certificate[];
  readonly serving: ServingCertificate;
}

export interface IssueOptions {
  readonly dnsNames: readonly string[];
  readonly nowMs: number;
  readonly lifeMs: number;
}

const FILES = RUNTIME_CONTRACT.certificateFiles;
/** Clocks of two machines differ. */
const BACKDATED_MS = 5 * 60_000;

/** When a certificate of {@link issued} was made, by the clock of its maker. */
export function issuedAtMs({ notBefore }: ServingCertificate): number {
  return notBefore.getTime() + BACKDATED_MS;
}

/** Reads the Secret. @returns why a new certificate is needed, as a text */
export function heldIn(secret: StoredSecret, { dnsNames, nowMs }: Pick<IssueOptions, 'dnsNames' | 'nowMs'>): Held | string {
  const serving = servingCertificateOf({ certificate: textIn(secret, FILES.certificate), privateKey: textIn(secret, FILES.key) });
  if (typeof serving === 'string') return serving;
  if (serving.notAfter.getTime() <= nowMs) return `the certificate has ended at ${serving.notAfter.toISOString()}`;
  const bundle = unexpired(textIn(secret, FILES.authority), nowMs);
  if (!vouchesFor(bundle, serving.leaf)) return `no authority of ${FILES.authority} has signed the certificate`;
  const missing = missingNames(serving.leaf, dnsNames);
  if (missing.length > 0) return `the certificate is not for ${missing.join(', ')}`;
  return { bundle, serving };
}

/**
 * A new authority and a certificate of it; the authority's key is thrown away, since nothing will be signed by it again.
 *
 * The bundle keeps the authorities of `before` that have not ended: other replicas still show what they have signed.
 */
export function issued(before: StoredSecret | undefined, { dnsNames, nowMs, lifeMs }: IssueOptions): Record<string, string> {
  const validity = { notBefore: new Date(nowMs - BACKDATED_MS), notAfter: new Date(nowMs + lifeMs) };
  const authority = CertificateAuthority.create({ commonName: `keelson ${new Date(nowMs).toISOString()}`, ...validity });
  const names = namesFor(before, dnsNames);
  const [ipAddresses, hosts] = [names.filter((name) => isIPText(name)), names.filter((name) => !isIPText(name))];
  const { certificate, privateKey } = authority.issueServing({ dnsNames: hosts, ipAddresses, ...validity });
  const bundle = joined(unexpired(authority.certificate, nowMs), unexpired(textIn(before, FILES.authority), nowMs));
  const texts = { [FILES.certificate]: certificate, [FILES.key]: privateKey, [FILES.authority]: bundle };
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, Buffer.from(text).toString('base64')]));
}

/**
 * During an update two versions of an operator may want different names: a certificate for both ends their quarrel. The next one by age is for our names alone.
 */
function namesFor(before: StoredSecret | undefined, dnsNames: readonly string[]): readonly string[] {
  const serving = servingCertificateOf({ certificate: textIn(before, FILES.certificate), privateKey: textIn(before, FILES.key) });
  if (typeof serving === 'string' || missingNames(serving.leaf, dnsNames).length === 0) return dnsNames;
  return [...new Set([...dnsNames, ...namesOf(serving.leaf)])];
}

export function newSecret(key: NamespacedKey, data: Record<string, string>): Omit<Secret, 'apiVersion' | 'kind'> {
  const labels = { 'app.kubernetes.io/managed-by': 'keelson' };
  return { metadata: { ...key, labels }, type: 'kubernetes.io/tls', data };
}

function textIn(secret: StoredSecret | undefined, file: string): string {
  return Buffer.from(secret?.data?.[file] ?? '', 'base64').toString('utf8');
}
