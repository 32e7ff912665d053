import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority, CertificateError, type KeyPair } from '@keelson/kubernetes/certificates';
import { ApiServerError } from '../errors.js';
import { accessing, closing, openNew } from './folder-access.js';

const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000;
/** A certificate that ends sooner is issued anew. */
const MIN_LIFE_MS = 30 * 24 * 3_600_000;

/**
 * The keys of a server in a folder: its authority (`ca.crt`, `ca.key`), the key that signs tokens of service accounts (`sa.key`), and the administrator's
 * certificate (`admin.crt`, `admin.key`). Made when they are first asked for; a client that keeps its kubeconfig over a restart is let in again.
 */
export class KeptKeys {
  readonly authority: CertificateAuthority;
  /** PEM. */
  readonly tokenKey: string;
  readonly #folder: string;

  /** @throws ApiServerError for files that do not belong together, or were not made by keelson */
  constructor(folder: string) {
    accessing(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    this.#folder = folder;
    this.authority = this.#authority();
    this.tokenKey = this.#read('sa.key') ?? this.#write('sa.key', newTokenKey());
  }

  /** The administrator's certificate. @param issue makes one, if it is missing or ends soon */
  admin(issue: () => KeyPair): KeyPair {
    const known = this.#pair('admin');
    if (known !== undefined && isGood(known.certificate, this.authority.certificate)) return known;
    return this.#keep('admin', issue());
  }

  #authority(): CertificateAuthority {
    const known = this.#pair('ca');
    if (known === undefined) {
      const notAfter = new Date(Date.now() + TEN_YEARS_MS);
      const made = CertificateAuthority.create({ commonName: 'keelson-test-server', notAfter });
      this.#keep('ca', made.toKeyPair());
      return made;
    }
    try {
      return CertificateAuthority.load(known);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      throw new ApiServerError(`${join(this.#folder, 'ca.crt')}: ${error.message}`, { cause: error });
    }
  }

  #pair(name: string): KeyPair | undefined {
    const [certificate, privateKey] = [this.#read(`${name}.crt`), this.#read(`${name}.key`)];
    return certificate === undefined || privateKey === undefined ? undefined : { certificate, privateKey };
  }

  /** The key first: a certificate without its key would be taken for none. */
  #keep(name: string, pair: KeyPair): KeyPair {
    this.#write(`${name}.key`, pair.privateKey);
    this.#write(`${name}.crt`, pair.certificate);
    return pair;
  }

  #read(name: string): string | undefined {
    const path = join(this.#folder, name);
    return existsSync(path) ? accessing(path, () => readFileSync(path, 'utf8')) : undefined;
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name);
    accessing(path, () => {
      const file = openNew(`${path}.new`);
      closing(file, () => writeFileSync(file, text));
      renameSync(`${path}.new`, path);
    });
    return text;
  }
}

function newTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function isGood(certificate: string, authority: string): boolean {
  const read = new X509Certificate(certificate);
  return read.verify(new X509Certificate(authority).publicKey) && Date.parse(read.validTo) > Date.now() + MIN_LIFE_MS;
}
