import { didYouMean, isRecord, millisecondsOf, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { ConditionInput } from 'keelson/internal/definition';
import type { Share, StatusFields } from '../status/index.js';
import { OutcomeError } from './errors.js';
import { statusMisfit } from './schema-fit.js';

/** The outcome of a reconciler, checked. */
export interface ReconcileOutcome {
  /** By handle. */
  readonly owned?: Readonly<Record<string, readonly object[] | undefined>> | undefined;
  /** The object is another controller's: nothing is written. */
  readonly isIgnored?: boolean | undefined;
  readonly status?: StatusFields | undefined;
  /** The status is a part of it: what it does not name stays. */
  readonly isPart?: boolean | undefined;
  readonly conditions?: readonly ConditionInput[] | undefined;
  readonly requeueAfterMs?: number | undefined;
  readonly requeueAt?: Date | undefined;
  /** The error that it recorded in its status itself. */
  readonly retry?: unknown;
}

/**
 * Checks a stated status before anything is written: a field of another controller would be undone without end, and the API server answers a field that the
 * schema lacks with 500.
 *
 * @throws OutcomeError for what is not in the share, or does not fit the schema
 */
export function checkedStatus<TOutcome extends FinalizeOutcome>(
  outcome: TOutcome,
  share: Share,
  schema: StructuralSchema | undefined,
): TOutcome {
  const stray = share.strayIn(outcome.status, outcome.conditions);
  if (stray !== undefined) throw new OutcomeError(`done({ status, conditions }): ${stray}`);
  const misfit = statusMisfit(schema, outcome.status);
  if (misfit !== undefined) throw new OutcomeError(`done({ status }): ${misfit}`);
  return outcome;
}

const BRAND = 'return done({...})';

/** The fields of {@link FinalOutcome}, and of {@link Outcome}: TypeScript refuses others only where it sees the literal. */
const FINAL_WORDS: readonly string[] = ['status', 'conditions', 'requeueAfter', 'requeueAt', 'retry'];
const WORDS: readonly string[] = ['owned', ...FINAL_WORDS, 'ignored'];

/** The `done` of a context. */
export function done(outcome: object = {}): { readonly '~done': typeof BRAND; readonly outcome: object } {
  return { '~done': BRAND, outcome };
}

/** The outcome of `finalize`, checked. */
export type FinalizeOutcome = Omit<ReconcileOutcome, 'owned' | 'isIgnored'>;

/** @throws OutcomeError for what `done` did not make, and for what it was given by a caller without types */
export function outcomeOf(returned: unknown): ReconcileOutcome {
  if (!isRecord(returned) || returned['~done'] !== BRAND || !isRecord(returned['outcome'])) {
    throw new OutcomeError(
      `reconcile returned ${shown(returned)}; end it with return done({ ... }), or done() when there is nothing to write`,
    );
  }
  refuseUnknown(returned['outcome'], WORDS, 'an outcome');
  const { owned, ignored, ...others } = returned['outcome'];
  if (ignored === true) {
    const beside = Object.entries({ owned, ...others }).find(([, value]) => value !== undefined);
    if (beside !== undefined)
      throw new OutcomeError(`done({ ignored, ${beside[0]} }): nothing is written for an object that is ignored; leave one of the two out`);
    return { isIgnored: true };
  }
  return { owned: owned === undefined ? undefined : ownedOf(owned, 'done({ owned })'), ...toldBy(returned['outcome']) };
}

/** @throws OutcomeError as {@link outcomeOf}; and for children, which an object that is being deleted does not get any more */
export function finalizeOutcomeOf(returned: unknown): FinalizeOutcome {
  // A function whose result is not needed may return anything; an object is meant to say something.
  if (typeof returned !== 'object' || returned === null) return {};
  if (!isRecord(returned) || returned['~done'] !== BRAND || !isRecord(returned['outcome'])) {
    throw new OutcomeError(`finalize returned ${shown(returned)}; end it with return done({ ... }), or return nothing when all is clean`);
  }
  if (returned['outcome']['owned'] !== undefined) {
    throw new OutcomeError(
      'done({ owned }) in finalize: an object that is being deleted gets no children, and the garbage collector takes those that it has; leave it out',
    );
  }
  refuseUnknown(returned['outcome'], FINAL_WORDS, 'the outcome of finalize');
  return toldBy(returned['outcome']);
}

function refuseUnknown(outcome: Readonly<Record<string, unknown>>, words: readonly string[], what: string): void {
  const unknown = Object.keys(outcome).find((word) => outcome[word] !== undefined && !words.includes(word));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, words) || '; leave it out';
  throw new OutcomeError(`done({ ${unknown} }): is not a field of ${what}, which has ${words.join(', ')}${hint}`);
}

/** @throws OutcomeError for what is not a map of lists */
export function ownedOf(owned: unknown, what: string): Readonly<Record<string, readonly object[] | undefined>> {
  if (Array.isArray(owned))
    throw new OutcomeError(`${what}: is a list; name the handle that its objects belong to: { deployments: [...] }`);
  if (!isRecord(owned)) throw new OutcomeError(`${what}: ${shown(owned)} is not an object with a list for each handle`);
  for (const [handle, children] of Object.entries(owned)) {
    if (children !== undefined && !Array.isArray(children))
      throw new OutcomeError(`${what}: ${handle}: ${shown(children)} is not a list of objects`);
  }
  return owned as Readonly<Record<string, readonly object[] | undefined>>;
}

/** More often would be work for nothing but itself. */
const SHORTEST_MS = 100;

function toldBy({ status: given, conditions, retry, ...next }: Readonly<Record<string, unknown>>): FinalizeOutcome {
  const isPart = isRecord(given) && Object.hasOwn(given, '~merged');
  const status = isPart ? given['~merged'] : given;
  if (status !== undefined && !isRecord(status)) throw wrong('status', status, 'an object');
  if (conditions !== undefined && !(Array.isArray(conditions) && conditions.every(isCondition))) {
    throw wrong('conditions', conditions, 'a list of { type, status: true, false or "Unknown", reason }');
  }
  return { status, ...(isPart ? { isPart } : {}), conditions, ...nextRunOf(next), ...(retry === undefined ? {} : { retry }) };
}

function nextRunOf({ requeueAfter, requeueAt }: Readonly<Record<string, unknown>>): Pick<FinalizeOutcome, 'requeueAfterMs' | 'requeueAt'> {
  if (requeueAt !== undefined) {
    if (!(requeueAt instanceof Date) || Number.isNaN(requeueAt.getTime())) throw wrong('requeueAt', requeueAt, 'a Date with a valid time');
    if (requeueAfter !== undefined)
      throw new OutcomeError('done({ requeueAt, requeueAfter }): both say when the next run is; leave one of the two out');
    return { requeueAt };
  }
  const requeueAfterMs = millisecondsOf(requeueAfter);
  if (requeueAfter !== undefined && requeueAfterMs === undefined)
    throw wrong('requeueAfter', requeueAfter, 'a span of time such as 30s, or milliseconds');
  if (requeueAfterMs !== undefined && requeueAfterMs < SHORTEST_MS)
    throw wrong(
      'requeueAfter',
      requeueAfter,
      `at least ${SHORTEST_MS} ms: without a pause a run follows the other without end; leave it out, or give a longer time`,
    );
  return { requeueAfterMs };
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
