import type { Logger } from '../../definition/index.js';
import type { Json, JsonObject } from '../../kubernetes/index.js';

/** What surrounds one review. */
export interface Call {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Takes more of the memory for reviews, in bytes. @throws NoReview if there is not enough */
  readonly claim: (bytes: number) => void;
  /** An author's function threw, or answered what is not an answer. */
  panicked(error: unknown, fields: Readonly<Record<string, unknown>>): void;
}

/** What is served at one path. */
export interface Route {
  readonly path: string;
  /** What keeps it from answering now, for the message of who has waited in vain. */
  readonly problem?: string | undefined;
  /** @returns the review with its response. @throws NoReview */
  answer(document: Json, call: Call): Promise<JsonObject>;
}
