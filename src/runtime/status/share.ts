import type { Condition } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, StatusShareModel } from 'keelson/internal/definition';
import { conditionsOf, type StatusFields } from './status-fields.js';

/** The conditions of kstatus. `Reconciling` and `Stalled` are there only while they are true. */
export const KSTATUS = { ready: 'Ready', reconciling: 'Reconciling', stalled: 'Stalled' } as const;

type Part = Pick<ControllerModel, 'name' | 'writesStatus' | 'statusShare'>;

/**
 * The part of a status that a controller writes: what it names, or all that the other controllers of the kind do not.
 *
 * Guarantees: of two controllers of an operator no field and no condition is in the share of both.
 */
export class Share {
  /** The condition that says how runs end; `undefined` if none does. */
  readonly summary: string | undefined;
  /** Summaries of other controllers without which `Ready` is not `True`. */
  readonly needed: readonly string[];
  readonly #own: Names | undefined;
  /** By controller. */
  readonly #others: readonly { readonly name: string; readonly share: Names }[];

  constructor({ statusShare }: Pick<Part, 'statusShare'>, others: readonly Part[] = []) {
    this.#own = statusShare === undefined ? undefined : namesOf(statusShare);
    this.summary = statusShare === undefined ? KSTATUS.ready : statusShare.summary;
    const shares = others.flatMap(({ name, statusShare: share }) => (share === undefined ? [] : [{ name, share }]));
    this.#others = shares.map(({ name, share }) => ({ name, share: namesOf(share) }));
    this.needed =
      this.summary === KSTATUS.ready
        ? shares.flatMap(({ share: { summary = '', neededForReady } }) => (neededForReady ? [summary] : []))
        : [];
  }

  /** Whether it is all of the status. */
  get isWhole(): boolean {
    return this.#own === undefined && this.#others.length === 0;
  }

  /** The fields and conditions of a status that are in the share. */
  of(status: StatusFields | undefined): StatusFields | undefined {
    // A status that is not an object does not fit any definition, and is replaced as a whole.
    if (typeof status !== 'object' || status === null || this.isWhole) return status;
    return narrowed(
      status,
      (field) => this.#holderOf('fields', field) === undefined,
      (type) => this.#holderOf('conditions', type) === undefined,
    );
  }

  /** Conditions of a status that are not in the share. */
  conditionsBeside(status: StatusFields | undefined): readonly Condition[] {
    return this.isWhole ? [] : conditionsOf(status).filter(({ type }) => this.#holderOf('conditions', type) !== undefined);
  }

  /** The first field or condition that is not in the share, in words; `undefined` if all are. */
  strayIn(status: StatusFields | undefined, conditions: readonly { readonly type: string }[] | undefined): string | undefined {
    const said = [
      ...Object.entries(status ?? {}).flatMap(([field, value]) =>
        field === 'conditions' || value === undefined ? [] : [['fields', field] as const],
      ),
      ...(conditions ?? []).map(({ type }) => ['conditions', type] as const),
    ];
    for (const [what, name] of said) {
      const holder = this.#holderOf(what, name);
      if (holder === undefined) continue;
      const text = what === 'fields' ? `status.${name}` : `the condition ${name}`;
      return holder === ''
        ? `${text} is not in the controller's share of the status; name it under writesStatus.${what}, or leave it out`
        : `${text} is that of the controller ${holder}, which names it under writesStatus; leave it out`;
    }
    return undefined;
  }

  /** Controllers of whose shares something was there before and is not any more. */
  losersBetween(before: StatusFields | undefined, after: StatusFields | undefined): readonly string[] {
    return this.#others.filter(({ share }) => lacks(share, before, after)).map(({ name }) => name);
  }

  /** Another controller, `''` where no controller has named it, or `undefined` for what is in the share. */
  #holderOf(what: keyof Names, name: string): string | undefined {
    if (this.#own !== undefined) return this.#own[what].has(name) ? undefined : '';
    return this.#others.find(({ share }) => share[what].has(name))?.name;
  }
}

/** Names of a status. */
export interface Names {
  readonly fields: ReadonlySet<string>;
  readonly conditions: ReadonlySet<string>;
}

function namesOf({ summary, conditions, fields }: StatusShareModel): Names {
  const isReady = summary === KSTATUS.ready;
  const summaries = summary === undefined ? [] : isReady ? Object.values(KSTATUS) : [summary];
  return {
    fields: new Set([...fields, ...(isReady ? ['observedGeneration'] : [])]),
    conditions: new Set([...conditions, ...summaries]),
  };
}

/** The fields and conditions of a status whose names are asked for. */
export function narrowed(status: StatusFields, hasField: (field: string) => boolean, hasType: (type: string) => boolean): StatusFields {
  const fields = Object.entries(status).filter(([field]) => field !== 'conditions' && hasField(field));
  const conditions = conditionsOf(status).filter(({ type }) => hasType(type));
  return { ...Object.fromEntries(fields), ...(conditions.length === 0 ? {} : { conditions }) };
}

function lacks({ fields, conditions }: Names, before: StatusFields = {}, after: StatusFields = {}): boolean {
  const types = new Set(conditionsOf(after).map(({ type }) => type));
  return (
    [...fields].some((field) => before[field] !== undefined && after[field] === undefined) ||
    conditionsOf(before).some(({ type }) => conditions.has(type) && !types.has(type))
  );
}
