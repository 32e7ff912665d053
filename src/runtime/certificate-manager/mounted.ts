import { type FSWatcher, watch } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { type Logger, type MountedCertificateSettings, RUNTIME_CONTRACT } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { CertificateManagerError } from './errors.js';
import type { Keeper, Shelf } from './keeper.js';
import { servingCertificateOf } from './serving-certificate.js';

export interface MountedOptions {
  readonly settings: MountedCertificateSettings;
  readonly clock: Clock;
  readonly log: Logger;
}

const FILES = RUNTIME_CONTRACT.certificateFiles;
/** The kubelet writes a new folder and then swaps this link: what is read behind it belongs together. */
const KUBELET_LINK = '..data';

/**
 * Follows files that another tool keeps fresh, as controller-runtime's certwatcher does: by the file system's word, and by looking now and then, since
 * not every file system gives it.
 *
 * Guarantees: files that are missing, damaged, half-replaced or past their end leave the last good certificate in use, and are logged.
 */
export class MountedKeeper implements Keeper {
  readonly #options: MountedOptions;
  readonly #shelf: Shelf;
  #watcher: FSWatcher | undefined;
  #hint: (() => void) | undefined;

  constructor(options: MountedOptions, shelf: Shelf) {
    this.#options = options;
    this.#shelf = shelf;
  }

  async look(): Promise<undefined> {
    this.#arm();
    const { settings, clock } = this.#options;
    const found = servingCertificateOf(await this.#read());
    if (typeof found === 'string') throw new CertificateManagerError(`${settings.directory}: ${found}`);
    if (found.notAfter.getTime() <= clock.wallMs())
      throw new CertificateManagerError(
        `${settings.directory}: the certificate has ended at ${found.notAfter.toISOString()}; its issuer has not renewed it`,
      );
    this.#shelf.use(found);
  }

  hint(look: () => void): () => void {
    this.#hint = look;
    this.#arm();
    return () => {
      this.#hint = undefined;
      this.#disarm();
    };
  }

  async #read(): Promise<{ readonly certificate: string; readonly privateKey: string }> {
    const { directory } = this.#options.settings;
    try {
      const folder = await realpath(join(directory, KUBELET_LINK)).catch(() => directory);
      const [certificate, privateKey] = await Promise.all(
        [FILES.certificate, FILES.key].map((file) => readFile(join(folder, file), 'utf8')),
      );
      return { certificate: certificate ?? '', privateKey: privateKey ?? '' };
    } catch (error) {
      throw new CertificateManagerError(`the certificate cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  /** A folder that is not there yet, or has been replaced, is watched from the next look on. */
  #arm(): void {
    if (this.#watcher !== undefined || this.#hint === undefined) return;
    try {
      const watcher = watch(this.#options.settings.directory, { persistent: false }, () => this.#hint?.());
      watcher.on('error', (error) => {
        this.#options.log.debug('the folder of the certificate cannot be watched; it is looked at now and then', { error: error.message });
        this.#disarm();
      });
      this.#watcher = watcher;
    } catch (error) {
      this.#options.log.debug('the folder of the certificate cannot be watched; it is looked at now and then', { error: messageOf(error) });
    }
  }

  #disarm(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
