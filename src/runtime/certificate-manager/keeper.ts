import type { ServingCertificate } from './serving-certificate.js';

/** How one mode comes by its certificate. */
export interface Keeper {
  /**
   * One look at the source: takes what is new into use, and sees to what else is to be done.
   *
   * @returns after how many milliseconds to look again; as usual when there is no reason for a time of its own
   * @throws any error; the look is then repeated
   */
  look(signal: AbortSignal): Promise<number | undefined>;
  /** Calls when a look is worth its while before the time. @returns what ends it */
  hint?(look: () => void): () => void;
}

/** Where a keeper puts what it has found. */
export interface Shelf {
  readonly inUse: ServingCertificate | undefined;
  use(certificate: ServingCertificate): void;
}
