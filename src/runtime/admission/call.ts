import type { Json, JsonObject } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';

/** The context of one review. */
export interface Call {
  /** Aborted when the caller does not wait for the answer any more. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Takes more of the memory for reviews, in bytes. @throws NoReview if there is not enough */
  readonly claim: (bytes: number) => void;
  /**
   * An author's function threw, or answered what is not an answer.
   *
   * @param isKnown it is in the log already
   */
  panicked(error: unknown, fields: Readonly<Record<string, unknown>>, isKnown?: boolean): void;
}

/** The handler at one path. */
export interface Route {
  readonly path: string;
  /** Why the webhook cannot answer yet; shown to callers that time out. */
  readonly problem?: string | undefined;
  /** @returns the review with its response. @throws NoReview */
  answer(document: Json, call: Call): Promise<JsonObject>;
}
