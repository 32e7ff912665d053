import type { KeyPair } from '@keelson/kubernetes/certificates';

/** Where the server's certificate comes from; it may change at any time. */
export interface ServingSource {
  readonly current: KeyPair | undefined;
  /** @returns what ends it */
  onChange(listener: (pair: KeyPair) => void): () => void;
}
