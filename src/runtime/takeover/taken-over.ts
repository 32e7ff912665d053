import { isRecord, type ManagedFieldsEntry } from '@keelson/kubernetes/apimachinery';

type Fields = Readonly<Record<string, unknown>>;

/** A change of hands. */
export interface Handover {
  readonly from: { has(manager: string): boolean };
  /** The field manager that applies from now on. */
  readonly to: string;
  /** The version that it applies. */
  readonly apiVersion: string;
  /** `''` for the object itself. */
  readonly subresource: '' | 'status';
}

/**
 * The entries after the fields of the former managers have become applied fields of the new one; `undefined` if they have none.
 *
 * Fields that are missing in the next apply of the new manager are removed then, as if it had applied them before.
 * Source: client-go, `util/csaupgrade`, which does this for those who go from update to apply.
 */
export function takenOver(entries: readonly ManagedFieldsEntry[], handover: Handover): readonly ManagedFieldsEntry[] | undefined {
  const { from, to, apiVersion, subresource } = handover;
  const isHere = (entry: ManagedFieldsEntry): boolean => (entry.subresource ?? '') === subresource;
  const own = entries.filter((entry) => isHere(entry) && entry.manager === to && entry.operation === 'Apply');
  // A controller that keeps its name names itself: what it applies is its own already.
  const former = entries.filter((entry) => isHere(entry) && from.has(entry.manager ?? '') && !own.includes(entry));
  if (former.length === 0) return undefined;
  const merged: ManagedFieldsEntry = {
    manager: to,
    operation: 'Apply',
    apiVersion,
    ...(subresource === '' ? {} : { subresource }),
    fieldsType: 'FieldsV1',
    fieldsV1: [...own, ...former].reduce<Fields>((all, { fieldsV1 = {} }) => union(all, fieldsV1), {}),
  };
  return [...entries.filter((entry) => !former.includes(entry) && !own.includes(entry)), merged];
}

/** Sets of fields are trees: a leaf is empty, and a member with members below it has itself under `.`. */
function union(one: Fields, other: Fields): Fields {
  const all: Record<string, unknown> = { ...one };
  for (const [name, below] of Object.entries(other)) {
    const present = all[name];
    all[name] = isRecord(present) && isRecord(below) ? union(membered(present, below), membered(below, present)) : (present ?? below);
  }
  return all;
}

function membered(one: Fields, other: Fields): Fields {
  return Object.keys(one).length === 0 && Object.keys(other).length > 0 ? { '.': {} } : one;
}
