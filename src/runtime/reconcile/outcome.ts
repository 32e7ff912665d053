import type { ConditionInput } from '../../definition/index.js';
import { isRecord, millisecondsOf } from '../../kubernetes/index.js';
import type { StatusFields } from '../status/index.js';
import { OutcomeError } from './errors.js';

/** What a reconciler wants, checked. */
export interface ReconcileOutcome {
  readonly owned?: readonly object[] | undefined;
  readonly status?: StatusFields | undefined;
  readonly conditions?: readonly ConditionInput[] | undefined;
  readonly requeueAfterMs?: number | undefined;
}

const BRAND = 'return done({...})';

/** The `done` of a context. */
export function done(outcome: object = {}): { readonly '~done': typeof BRAND; readonly outcome: object } {
  return { '~done': BRAND, outcome };
}

/** What `finalize` tells, checked. */
export type FinalizeOutcome = Omit<ReconcileOutcome, 'owned'>;

/** @throws OutcomeError for what `done` did not make, and for what it was given by a caller without types */
export function outcomeOf(returned: unknown): ReconcileOutcome {
  if (!isRecord(returned) || returned['~done'] !== BRAND || !isRecord(returned['outcome'])) {
    throw new OutcomeError(
      `reconcile returned ${shown(returned)}; end it with return done({ ... }), or done() when there is nothing to write`,
    );
  }
  const { owned } = returned['outcome'];
  if (owned !== undefined && !Array.isArray(owned)) throw wrong('owned', owned, 'a list of objects');
  return { owned, ...toldBy(returned['outcome']) };
}

/** @throws OutcomeError as {@link outcomeOf}; and for children, which an object that is being deleted does not get any more */
export function finalizeOutcomeOf(returned: unknown): FinalizeOutcome {
  // A function whose result nobody asks for may return anything; an object is meant to say something.
  if (typeof returned !== 'object' || returned === null) return {};
  if (!isRecord(returned) || returned['~done'] !== BRAND || !isRecord(returned['outcome'])) {
    throw new OutcomeError(`finalize returned ${shown(returned)}; end it with return done({ ... }), or return nothing when all is clean`);
  }
  if (returned['outcome']['owned'] !== undefined) {
    throw new OutcomeError(
      'done({ owned }) in finalize: an object that is being deleted gets no children, and the garbage collector takes those that it has; leave it out',
    );
  }
  return toldBy(returned['outcome']);
}

function toldBy({ status, conditions, requeueAfter }: Readonly<Record<string, unknown>>): FinalizeOutcome {
  if (status !== undefined && !isRecord(status)) throw wrong('status', status, 'an object');
  if (conditions !== undefined && !(Array.isArray(conditions) && conditions.every(isCondition))) {
    throw wrong('conditions', conditions, 'a list of { type, status: true, false or "Unknown", reason }');
  }
  const requeueAfterMs = typeof requeueAfter === 'string' ? millisecondsOf(requeueAfter) : undefined;
  if (requeueAfter !== undefined && requeueAfterMs === undefined) throw wrong('requeueAfter', requeueAfter, 'a duration such as 30s');
  return { status, conditions, requeueAfterMs };
}

function wrong(field: string, found: unknown, wanted: string): OutcomeError {
  return new OutcomeError(`done({ ${field} }): ${shown(found)} is not ${wanted}`);
}

function isCondition(value: unknown): value is ConditionInput {
  if (!isRecord(value)) return false;
  const { type, status, reason } = value;
  return typeof type === 'string' && (typeof status === 'boolean' || status === 'Unknown') && typeof reason === 'string';
}

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
