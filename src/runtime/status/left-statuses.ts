import { equalJson, isRecord } from '@keelson/kubernetes/apimachinery';
import { type Names, narrowed, type Share } from './share.js';
import { conditionsOf, type StatusFields } from './status-fields.js';

/** The names that a run has stated. Other names may be written by any client. */
export interface StatedNames {
  /** @defaultValue all of the share */
  readonly fields?: ReadonlySet<string> | undefined;
  /** @defaultValue all of the share */
  readonly conditions?: ReadonlySet<string> | undefined;
}

interface Left {
  /** The status as it was written or found right, then as it was last heard of. */
  status: unknown;
  readonly stated: StatedNames;
  /** Fields and conditions that others held in it: an apply would have removed them. */
  readonly beside: Names | undefined;
}

/**
 * The statuses of objects as this process has left them.
 *
 * Events of the watch do not say who wrote. An own write is known by its result: it is what was left (H38). A status that differs from that has another author:
 * a user, or a process that was there before, whose last write has come after this one had read all.
 */
export class LeftStatuses {
  readonly #share: Share;
  /** By uid. */
  readonly #left = new Map<string, Left>();

  constructor(share: Share) {
    this.#share = share;
  }

  /** @param desired what was to be in it */
  leave(uid: string, status: unknown, { desired, stated }: { readonly desired: StatusFields; readonly stated: StatedNames }): void {
    this.#left.set(uid, { status, stated, beside: beyond(this.#share.of(status as StatusFields | undefined), desired) });
  }

  /** Whether what this process states of the status is another by now. `true` once for each change. */
  hears(uid: string, status: unknown): boolean {
    const left = this.#left.get(uid);
    if (left === undefined || left.status === status) return false;
    const before = left.status;
    left.status = status;
    return !isSame(this.#ownPart(before, left), this.#ownPart(status, left));
  }

  forget(uid: string): void {
    this.#left.delete(uid);
  }

  #ownPart(status: unknown, { stated, beside }: Left): unknown {
    // A status of a wrong form is compared as it is.
    if (!isWellFormed(status)) return status;
    const isOwn = (what: keyof Names, name: string): boolean => (stated[what]?.has(name) ?? true) && beside?.[what].has(name) !== true;
    return narrowed(
      this.#share.of(status) ?? {},
      (field) => isOwn('fields', field),
      (type) => isOwn('conditions', type),
    );
  }
}

function isWellFormed(status: unknown): status is StatusFields | undefined {
  if (status === undefined) return true;
  return isRecord(status) && conditionsOf(status).every(isRecord);
}

function isSame(one: unknown, other: unknown): boolean {
  if (!isWellFormed(one) || !isWellFormed(other)) return equalJson(one, other);
  const { conditions: _, ...fields } = one ?? {};
  const { conditions: __, ...others } = other ?? {};
  return equalJson(fields, others) && equalJson(byType(one ?? {}), byType(other ?? {}));
}

/** The server keeps the conditions in its own order. */
export function byType(status: StatusFields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(conditionsOf(status).map((condition) => [condition.type, condition]));
}

/** The names of a status that are not desired; `undefined` if all are. */
function beyond(status: unknown, desired: StatusFields): Names | undefined {
  if (status === desired || !isWellFormed(status) || status === undefined) return undefined;
  const types = new Set(conditionsOf(desired).map(({ type }) => type));
  const fields = Object.keys(status).filter((field) => field !== 'conditions' && desired[field] === undefined);
  const conditions = conditionsOf(status).flatMap(({ type }) => (types.has(type) ? [] : [type]));
  return fields.length + conditions.length === 0 ? undefined : { fields: new Set(fields), conditions: new Set(conditions) };
}
