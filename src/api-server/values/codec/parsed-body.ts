import type { Json } from '@keelson/kubernetes/apimachinery';

/** A body that could be read. The value is fresh: no other code holds it. */
export interface ParsedBody {
  readonly value: Json;
  /** The complaints of strict decoding: fields given twice (the last one counts). */
  readonly strictProblems: readonly string[];
}
