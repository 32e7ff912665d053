import type { ServedPort } from './served-ports.js';

/** A port of a Service at which this machine listens. */
export interface OpenPort {
  /** New clients go to these backends. */
  follow(served: ServedPort): void;
  /** No more clients are taken; connections that stand go on. @param onEnd called when the last one has ended */
  refuse(onEnd: () => void): void;
  /** Ends everything at once. */
  cut(): void;
}
