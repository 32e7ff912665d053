import { generateKeyPairSync, sign } from 'node:crypto';

/** PEM of a key and of the certificate that it has signed itself: the certificate is its own CA bundle. */
export interface ServingCertificate {
  readonly key: string;
  readonly certificate: string;
}

/**
 * A certificate for these DNS names, valid from an hour ago for a day.
 *
 * Written by hand because neither Node nor a dependency of the project writes X.509, and a suite must not need openssl. Source: RFC 5280, section 4.1.
 */
export function servingCertificate(dnsNames: readonly string[]): ServingCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tlv(SET, sequence(objectId(COMMON_NAME), tlv(UTF8_STRING, Buffer.from('keelson cluster test')))));
  const hour = 3_600_000;
  const validity = sequence(utcTime(Date.now() - hour), utcTime(Date.now() + 24 * hour));
  const alternativeNames = sequence(...dnsNames.map((dnsName) => tlv(DNS_NAME, Buffer.from(dnsName))));
  const extensions = sequence(sequence(objectId(SUBJECT_ALT_NAME), tlv(OCTET_STRING, alternativeNames)));
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const signed = sequence(
    tlv(EXPLICIT_0, tlv(INTEGER, Buffer.from([2]))), // version 3
    tlv(INTEGER, Buffer.from([1])), // serial number
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(EXPLICIT_3, extensions),
  );
  const signature = tlv(BIT_STRING, Buffer.from([0]), sign('sha256', signed, privateKey));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate: pem(sequence(signed, algorithm, signature)) };
}

const [INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8_STRING, UTC_TIME] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17] as const;
const [SEQUENCE, SET, DNS_NAME, EXPLICIT_0, EXPLICIT_3] = [0x30, 0x31, 0x82, 0xa0, 0xa3] as const;
/** 2.5.4.3 */
const COMMON_NAME = '550403';
/** 2.5.29.17 */
const SUBJECT_ALT_NAME = '551d11';
/** 1.2.840.10045.4.3.2 */
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(SEQUENCE, ...parts);
const objectId = (hex: string): Buffer => tlv(OBJECT_ID, Buffer.from(hex, 'hex'));

/** `yyMMddHHmmssZ`; the two digits of the year mean 1950 to 2049. */
function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, '').slice(2, 14);
  return tlv(UTC_TIME, Buffer.from(`${digits}Z`));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
