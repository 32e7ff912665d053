import type { StoredBackup } from './store.js';

export interface RetentionPolicy {
  /** 0: all. */
  readonly maxBackups: number;
  /** 0: for ever. */
  readonly maxAgeInSecond: number;
}

/** One of a series of backups. */
interface Numbered {
  readonly name: string;
  readonly revision: number;
  readonly at: Date;
}

/** The name of a backup of a series: `<path>_v<revision>_2030-01-31-23:59:59`. */
export function seriesName(path: string, revision: number, at: Date): string {
  const time = at.toISOString().slice(0, 19).replace('T', '-');
  return `${path}_v${revision}_${time}`;
}

export function seriesPrefix(path: string): string {
  return `${path}_v`;
}

// #region retention
/**
 * Backups of a series that are to be removed.
 *
 * The newest is the one with the latest time: after a restore, revisions begin lower again. It always stays. Names that are not of the series are left alone.
 */
export function expired(
  path: string,
  stored: readonly StoredBackup[],
  { maxBackups, maxAgeInSecond }: RetentionPolicy,
  now: Date,
): string[] {
  const series = stored.flatMap(({ name }) => numbered(path, name) ?? []);
  series.sort((a, b) => b.at.getTime() - a.at.getTime() || b.revision - a.revision);
  const isTooOld = ({ at }: Numbered): boolean => maxAgeInSecond > 0 && now.getTime() - at.getTime() > maxAgeInSecond * 1_000;
  return series
    .filter((backup, index) => index > 0 && ((maxBackups > 0 && index >= maxBackups) || isTooOld(backup)))
    .map(({ name }) => name);
}
// #endregion

function numbered(path: string, name: string): Numbered | undefined {
  const prefix = seriesPrefix(path);
  if (!name.startsWith(prefix)) return undefined;
  const found = /^(\d+)_(\d{4}-\d\d-\d\d)-(\d\d:\d\d:\d\d)$/.exec(name.slice(prefix.length));
  if (found === null) return undefined;
  const at = new Date(`${found[2]}T${found[3]}Z`);
  return Number.isNaN(at.getTime()) ? undefined : { name, revision: Number(found[1]), at };
}

/** How many of these are of the series. */
export function countOf(path: string, stored: readonly StoredBackup[]): number {
  return stored.filter(({ name }) => numbered(path, name) !== undefined).length;
}
