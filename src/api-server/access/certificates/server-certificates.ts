import { CertificateAuthority, type ClientOptions, type KeyPair, type Validity } from '@keelson/kubernetes/certificates';
import { UID_ATTRIBUTE } from './client-identity.js';

export interface ServerCertificateOptions extends Validity {
  /** Default: a new one. */
  readonly authority?: CertificateAuthority;
  /** In addition to `localhost` and the names under which Pods know the API server. */
  readonly dnsNames?: readonly string[];
  /** In addition to the loopback addresses and the first address of the service network, 10.0.0.1. */
  readonly ipAddresses?: readonly string[];
}

const DNS_NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
const IP_ADDRESSES = ['127.0.0.1', '::1', '10.0.0.1'];

/** The user in whose name a client certificate speaks. */
export interface CertificateUser {
  readonly username: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
}

/** All certificates of one in-process API server. Made in a few milliseconds, gone with the process. */
export class ServerCertificates {
  readonly serving: KeyPair;
  readonly #authority: CertificateAuthority;

  constructor({ authority, dnsNames = [], ipAddresses = [], ...validity }: ServerCertificateOptions = {}) {
    this.#authority = authority ?? CertificateAuthority.create({ commonName: 'keelson-test-server', ...validity });
    const names = { dnsNames: [...new Set([...DNS_NAMES, ...dnsNames])], ipAddresses: [...new Set([...IP_ADDRESSES, ...ipAddresses])] };
    this.serving = this.#authority.issueServing({ commonName: 'kube-apiserver', ...names, ...validity });
  }

  /** PEM of the authority: what clients trust, and what the server takes client certificates from. */
  get authority(): string {
    return this.#authority.certificate;
  }

  /** A certificate with which a client speaks as `user`. */
  issueClient({ username, groups = [], uid }: CertificateUser, options: Omit<ClientOptions, 'subject'> = {}): KeyPair {
    const organizations = groups.map((group) => ['O', group] as const);
    const uidAttribute = uid === undefined ? [] : [[UID_ATTRIBUTE, uid] as const];
    return this.#authority.issueClient({ subject: [...organizations, ['CN', username], ...uidAttribute], ...options });
  }
}
