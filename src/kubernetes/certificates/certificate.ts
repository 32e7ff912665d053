import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { addressBytes } from './address-bytes.js';
import * as der from './der.js';
import { CertificateError } from './errors.js';

/** One attribute of a distinguished name: `CN`, `O`, or a dotted object identifier, whose value is a string. */
export type NameAttribute = readonly [type: string, value: string];

/** The purposes of a certificate. */
export type Usage = 'authority' | 'server' | 'client' | 'server and client';

export interface CertificateContent {
  readonly subject: readonly NameAttribute[];
  readonly issuer: readonly NameAttribute[];
  readonly publicKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly usage: Usage;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const ATTRIBUTE_TYPES: Readonly<Record<string, string>> = { CN: '2.5.4.3', O: '2.5.4.10' };
const SERVER = '1.3.6.1.5.5.7.3.1';
const CLIENT = '1.3.6.1.5.5.7.3.2';
const EXTENDED_USAGES = { server: [SERVER], client: [CLIENT], 'server and client': [SERVER, CLIENT] } as const;
// Bits from the left: digitalSignature is 0, keyCertSign 5, cRLSign 6.
const SIGNS_CERTIFICATES = der.bitString(Buffer.of(0b0000_0110), 1);
const SIGNS_HANDSHAKES = der.bitString(Buffer.of(0b1000_0000), 7);

/** A certificate (RFC 5280), signed with a P-256 key by ECDSA and SHA-256, as DER. */
export function signedCertificate(content: CertificateContent, signingKey: KeyObject): Buffer {
  const algorithm = der.sequence(der.objectIdentifier(ECDSA_WITH_SHA256));
  const toBeSigned = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(serialNumber()),
    algorithm,
    distinguishedName(content.issuer),
    der.sequence(der.time(content.notBefore), der.time(content.notAfter)),
    distinguishedName(content.subject),
    content.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions(content))),
  );
  return der.sequence(toBeSigned, algorithm, der.bitString(sign('sha256', toBeSigned, signingKey)));
}

/** 127 random bits: positive, and no two alike. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

export function distinguishedName(attributes: readonly NameAttribute[]): Buffer {
  const oneEach = attributes.map(([type, value]) =>
    der.set(der.sequence(der.objectIdentifier(ATTRIBUTE_TYPES[type] ?? type), der.utf8String(value))),
  );
  return der.sequence(...oneEach);
}

function extensions(content: CertificateContent): Buffer[] {
  const { usage, publicKey, issuerPublicKey } = content;
  const isAuthority = usage === 'authority';
  const list = [
    extension('2.5.29.15', isAuthority ? SIGNS_CERTIFICATES : SIGNS_HANDSHAKES, { critical: true }),
    extension('2.5.29.19', isAuthority ? der.sequence(der.isTrue()) : der.sequence(), { critical: true }),
    subjectKeyIdentifier(publicKey),
    // Python's clients check strictly: every certificate must name its issuer's key.
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdentifier(issuerPublicKey)))),
  ];
  if (usage !== 'authority')
    list.push(extension('2.5.29.37', der.sequence(...EXTENDED_USAGES[usage].map((identifier) => der.objectIdentifier(identifier)))));
  const names = alternativeNames(content);
  if (names.length > 0) list.push(extension('2.5.29.17', der.sequence(...names)));
  return list;
}

function extension(identifier: string, value: Uint8Array, { critical = false } = {}): Buffer {
  return der.sequence(der.objectIdentifier(identifier), ...(critical ? [der.isTrue()] : []), der.octetString(value));
}

export function subjectKeyIdentifier(publicKey: KeyObject): Buffer {
  return extension('2.5.29.14', der.octetString(keyIdentifier(publicKey)));
}

/** RFC 7093, method 4 with SHA-256, cut to the usual 20 bytes. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function alternativeNames({ dnsNames, ipAddresses }: CertificateContent): Buffer[] {
  for (const name of dnsNames) {
    if (!/^[\x21-\x7e]+$/.test(name))
      throw new CertificateError(`dnsNames: ${JSON.stringify(name)} is not a host name; write an international name in its "xn--" form`);
  }
  return [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, 'latin1'))),
    ...ipAddresses.map((address) => der.implicit(7, addressBytes(address))),
  ];
}
