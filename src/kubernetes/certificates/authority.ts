import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
// Loaded before `toLegacyObject` is called: in Node 20 to 24 the other order leaves node:tls without createSecureContext.
import 'node:tls';
import { messageOf } from '../apimachinery/index.js';
import { distinguishedName, type NameAttribute, signedCertificate, subjectKeyIdentifier } from './certificate.js';
import { CertificateError } from './errors.js';

/**
 * A certificate and its private key, as files and Secrets hold them.
 *
 * @public
 */
export interface KeyPair {
  /** PEM. */
  readonly certificate: string;
  /** PEM: PKCS #8, or for an RSA key PKCS #1. Its holder can speak in the certificate's name. */
  readonly privateKey: string;
}

/**
 * When a certificate holds.
 *
 * @public
 */
export interface Validity {
  /** From when on the certificate holds. Default: five minutes ago, since clocks of two machines differ. */
  readonly notBefore?: Date;
  /** Last moment. Default: a year from now. */
  readonly notAfter?: Date;
}

/**
 * A new authority.
 *
 * @public
 */
export interface AuthorityOptions extends Validity {
  /** How the authority calls itself. Two authorities that may meet in one bundle should differ. */
  readonly commonName: string;
}

/**
 * A certificate for a server.
 *
 * @public
 */
export interface ServingOptions extends Validity {
  /** Default: the first DNS name or address. Clients look at the alternative names alone. */
  readonly commonName?: string;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  /**
   * Whether the holder may show it as a client as well: servers that call each other, as the members of etcd do.
   * @defaultValue false
   */
  readonly isAlsoClient?: boolean;
}

/**
 * A certificate for a client.
 *
 * @public
 */
export interface ClientOptions extends Validity {
  /** The holder as the certificate names it. Kubernetes reads CN as the user and each O as a group. */
  readonly subject: readonly NameAttribute[];
  /** Default `ec`: P-256. `rsa` has 2048 bits and takes some 200 ms to make; clients exist that read no other form than its PKCS #1. */
  readonly keyType?: KeyType;
}

/** @public */
export type KeyType = 'ec' | 'rsa';

const BACKDATED_MS = 5 * 60_000;
const DEFAULT_LIFE_MS = 365 * 24 * 3_600_000;

/**
 * Signs certificates with a P-256 key. Neither reads nor writes files; `toKeyPair` and `load` carry it over a restart.
 *
 * @example
 * ```ts
 * const authority = CertificateAuthority.create({ commonName: 'cache' });
 * const { certificate, privateKey } = authority.issueServing({ dnsNames: ['cache.shop.svc'] });
 * const data = { 'tls.crt': certificate, 'tls.key': privateKey, 'ca.crt': authority.certificate };
 * ```
 *
 * Errors: {@link CertificateError}.
 *
 * @public
 */
export class CertificateAuthority {
  readonly certificate: string;
  readonly #name: readonly NameAttribute[];
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  private constructor(certificate: string, name: readonly NameAttribute[], privateKey: KeyObject) {
    this.certificate = certificate;
    this.#name = name;
    this.#privateKey = privateKey;
    this.#publicKey = createPublicKey(privateKey);
  }

  /** A new authority, which has signed itself. */
  static create({ commonName, ...validity }: AuthorityOptions): CertificateAuthority {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const subject: NameAttribute[] = [['CN', commonName]];
    const content = { subject, issuer: subject, publicKey, issuerPublicKey: publicKey, usage: 'authority', ...NO_NAMES } as const;
    const certificate = pem(signedCertificate({ ...content, ...datesOf(validity) }, privateKey));
    return new CertificateAuthority(certificate, subject, privateKey);
  }

  /** Takes up an authority that {@link create} has made. Others may name their key differently, and what we signed would not chain up to them. */
  static load(pair: KeyPair): CertificateAuthority {
    const certificate = parsed('the certificate of the authority', () => new X509Certificate(pair.certificate));
    const privateKey = parsed('the private key of the authority', () => createPrivateKey(pair.privateKey));
    if (!certificate.ca)
      throw new CertificateError(`the certificate of ${certificate.subject} is not an authority's: it must not sign others`);
    if (!certificate.checkPrivateKey(privateKey))
      throw new CertificateError(`the private key does not belong to the certificate of ${certificate.subject}; store both together`);
    const name: NameAttribute[] = [['CN', [certificate.toLegacyObject().subject.CN ?? ''].flat().at(-1) ?? '']];
    const isOurs = [distinguishedName(name), subjectKeyIdentifier(certificate.publicKey)].every((part) => certificate.raw.includes(part));
    if (!isOurs) throw new CertificateError(`the authority ${certificate.subject} was not made by keelson; create a new one`);
    return new CertificateAuthority(pair.certificate, name, privateKey);
  }

  /** For {@link load}. */
  toKeyPair(): KeyPair {
    return { certificate: this.certificate, privateKey: keyPem(this.#privateKey) };
  }

  /** A certificate and its key for a server. @throws CertificateError without a name, since no client would take it */
  issueServing({ commonName, dnsNames = [], ipAddresses = [], isAlsoClient = false, ...validity }: ServingOptions): KeyPair {
    const name = commonName ?? dnsNames[0] ?? ipAddresses[0];
    if (dnsNames.length + ipAddresses.length === 0 || name === undefined)
      throw new CertificateError('a serving certificate without dnsNames and ipAddresses: no client would take it');
    return this.#issue({ subject: [['CN', name]], usage: isAlsoClient ? 'server and client' : 'server', dnsNames, ipAddresses }, validity);
  }

  /** A certificate and its key for a client. */
  issueClient({ subject, keyType, ...validity }: ClientOptions): KeyPair {
    return this.#issue({ subject, usage: 'client', ...NO_NAMES }, validity, keyType);
  }

  #issue(
    what: Pick<Parameters<typeof signedCertificate>[0], 'subject' | 'usage' | 'dnsNames' | 'ipAddresses'>,
    validity: Validity,
    keyType: KeyType = 'ec',
  ): KeyPair {
    const { privateKey, publicKey } =
      keyType === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = { ...what, issuer: this.#name, publicKey, issuerPublicKey: this.#publicKey, ...datesOf(validity) };
    return { certificate: pem(signedCertificate(content, this.#privateKey)), privateKey: keyPem(privateKey) };
  }
}

const NO_NAMES: { readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] } = { dnsNames: [], ipAddresses: [] };

function datesOf({ notBefore, notAfter }: Validity): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  const dates = { notBefore: notBefore ?? new Date(now - BACKDATED_MS), notAfter: notAfter ?? new Date(now + DEFAULT_LIFE_MS) };
  if (dates.notAfter <= dates.notBefore)
    throw new CertificateError(`notAfter ${dates.notAfter.toISOString()} is not later than notBefore ${dates.notBefore.toISOString()}`);
  return dates;
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function keyPem(key: KeyObject): string {
  return key.export({ type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'pkcs8', format: 'pem' }).toString();
}

function parsed<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new CertificateError(`${what} is not PEM that node:crypto reads: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
