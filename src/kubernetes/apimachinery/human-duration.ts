const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * An age as `kubectl get` shows it: two or three digits that matter (`5m30s`, `7d3h`, `2y14d`).
 *
 * @param milliseconds may be a little negative (clocks differ): `0s`; from two seconds on it is `<invalid>`.
 * @see apimachinery, `pkg/util/duration/duration.go` (HumanDuration)
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return parts(seconds, [MINUTE, 'm'], [1, 's']);
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return parts(seconds, [HOUR, 'h'], [MINUTE, 'm']);
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return parts(seconds, [DAY, 'd'], [HOUR, 'h']);
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return parts(seconds, [YEAR, 'y'], [DAY, 'd']);
  return `${Math.floor(seconds / YEAR)}y`;
}

type Unit = readonly [seconds: number, letter: string];

/** The smaller unit is left out where it is zero. */
function parts(seconds: number, [large, largeLetter]: Unit, [small, smallLetter]: Unit): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)}${largeLetter}${rest === 0 ? '' : `${rest}${smallLetter}`}`;
}
