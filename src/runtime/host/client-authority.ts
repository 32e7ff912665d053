import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { StartOptionsError } from './errors.js';

/** The kubelet brings a changed ConfigMap or Secret into the pod within about a minute. */
const INTERVAL_MS = 60_000;

export interface ClientAuthorityOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Follows the file with the certificates of the webhooks' clients. A file that cannot be used is logged, and the last good certificates stay in use. */
export class ClientAuthority {
  readonly #options: ClientAuthorityOptions;
  #cancel: () => void = () => undefined;
  #current = '';
  #isStopped = false;

  constructor(options: ClientAuthorityOptions) {
    this.#options = options;
  }

  /** @throws StartOptionsError when the file cannot be read, or holds no certificate: without it every client would be answered */
  async read(): Promise<string> {
    const { file } = this.#options;
    const wanted = 'give a file with certificates in PEM';
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      throw new StartOptionsError(`the client authority of the webhooks cannot be read: ${messageOf(error)}; ${wanted}`, { cause: error });
    }
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (certificates.length === 0) throw new StartOptionsError(`${file}: holds no certificate; ${wanted}`);
    try {
      for (const certificate of certificates) new X509Certificate(certificate);
    } catch (error) {
      throw new StartOptionsError(`${file}: a certificate cannot be read: ${messageOf(error)}; ${wanted}`, { cause: error });
    }
    this.#current = certificates.join('\n');
    return this.#current;
  }

  follow(changed: (authority: string) => void): void {
    if (this.#isStopped) return;
    const { clock, log } = this.#options;
    this.#cancel = clock.schedule(INTERVAL_MS, () => {
      const last = this.#current;
      this.read()
        .then((authority) => {
          if (authority !== last) changed(authority);
        })
        .catch((error: unknown) => log.error('the client authority of the webhooks cannot be used; the last one stays in use', { error }))
        .finally(() => this.follow(changed));
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }
}
