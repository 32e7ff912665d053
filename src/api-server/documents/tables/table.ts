import { humanDuration, type Json, type NamedMeta } from '@keelson/kubernetes/apimachinery';
import type { TableColumn, TableConvertor } from '../../contract/index.js';

/** The metadata that every kind has. */
export interface Named {
  readonly metadata: NamedMeta;
}

/** The time of the table: ages count from it. */
export class Moment {
  readonly #now: number;

  constructor(now: Date) {
    this.#now = now.getTime();
  }

  /** `<unknown>` for a missing time. */
  since(time: string | undefined): string {
    return time === undefined ? '<unknown>' : humanDuration(this.#now - Date.parse(time));
  }

  age({ metadata }: Named): string {
    return this.since(metadata.creationTimestamp);
  }
}

/**
 * The table of a kind.
 *
 * @param columns name, then `:type` where it is not `string`, `*` for those of `kubectl get -o wide`.
 */
export function table<T>(columns: readonly string[], cells: (object: T, moment: Moment) => readonly Json[]): TableConvertor {
  return {
    columns: columns.map(columnOf),
    cells: (object, now) => cells(object as unknown as T, new Moment(now)),
  };
}

/** Descriptions are prose of Kubernetes' sources: they are left out. */
function columnOf(text: string): TableColumn {
  const [, name = '', type = 'string', wide = ''] = /^([^:*]+)(?::([a-z]+))?(\*)?$/.exec(text) ?? [];
  // `Attacher` is one by mistake.
  const format = name === 'Name' || name === 'Attacher' ? 'name' : '';
  return { name, type, format, description: '', priority: wide === '' ? 0 : 1 };
}
