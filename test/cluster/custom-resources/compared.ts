import type { JsonObject } from '../../../src/api-server/contract/index.js';
import { isStatus } from '../harness/index.js';

/** What of an answer must be equal; what differs from run to run is masked. */
export interface Compared {
  readonly refused: boolean;
  readonly code?: number;
  readonly reason?: string | undefined;
  readonly causes?: readonly string[];
  readonly message?: string | undefined;
  readonly object?: unknown;
  readonly warnings: readonly string[];
}

const MASKED = /"(uid|resourceVersion|time|creationTimestamp|lastTransitionTime|deletionTimestamp)":"[^"]*"/g;

/** Names that a server has made of a generateName. */
const GENERATED = /\b(things-)[a-z0-9]{5}\b/g;

export function compared(body: unknown, warnings: readonly string[]): Compared {
  const sortedWarnings = [...warnings].sort();
  if (!isStatus(body) || body.status === 'Success') {
    const text = JSON.stringify(body).replace(MASKED, '"$1":"…"');
    return { refused: false, object: JSON.parse(text, withoutOrder) as JsonObject, warnings: sortedWarnings };
  }
  const causes = (body.details?.causes ?? [])
    .map(({ reason, field, message = '' }) => `${reason} ${field}: ${message.replace(GENERATED, '$1…')}`)
    .sort();
  // Go walks its maps in an order of its own: the text of several causes is theirs in another order.
  const message = causes.length > 1 ? undefined : body.message;
  return { refused: true, code: body.code, reason: body.reason, causes, message, warnings: sortedWarnings };
}

/** Entries of one second are ordered by manager and version, and the two servers may write at two sides of a second. */
function withoutOrder(field: string, value: unknown): unknown {
  if (field !== 'managedFields' || !Array.isArray(value)) return value;
  return value.map((entry) => JSON.stringify(entry)).sort();
}
