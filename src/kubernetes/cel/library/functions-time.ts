import type { Implementation } from '../values/index.js';
import { type CelDuration, type CelTimestamp, type CelValue, celError, kindOf } from '../values/index.js';
import { floorDivide } from './functions-convert.js';

const MILLISECOND = 1_000_000n;

/** Minutes east of UTC, `±HH:MM` or an IANA name; `undefined`: unknown zone. */
function offsetMinutes(zone: string, at: Date): number | undefined {
  const fixed = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (Number(fixed[2]) * 60 + Number(fixed[3])) * (fixed[1] === '-' ? -1 : 1);
  if (zone === '' || zone === 'UTC') return 0;
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at);
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
    const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name);
    return (Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0)) * (match?.[1] === '-' ? -1 : 1);
  } catch {
    return undefined;
  }
}

/** A part of a timestamp, in UTC or the zone given as second argument. */
function part(read: (local: Date) => number): Implementation {
  return ([value, zone]) => {
    if (value === undefined || kindOf(value) !== 'timestamp') return undefined;
    const utc = new Date(Number(floorDivide((value as CelTimestamp).nanoseconds, MILLISECOND)));
    if (zone === undefined) return BigInt(read(utc));
    if (typeof zone !== 'string') return undefined;
    if (/:(?:-\d+|[6-9]\d|\d{3,})$/.test(zone)) return celError(`timezone offset minutes out of range [0, 59]: ${zone}`);
    const minutes = offsetMinutes(zone, utc);
    return minutes === undefined ? celError(`unknown time zone ${zone}`) : BigInt(read(new Date(utc.getTime() + minutes * 60_000)));
  };
}

function dayOfYear(local: Date): number {
  const start = new Date(local);
  start.setUTCMonth(0, 1);
  start.setUTCHours(0, 0, 0, 0);
  return Math.floor((local.getTime() - start.getTime()) / 86_400_000);
}

/** Also counts a duration in whole units. */
function orDuration(unit: bigint, timestampPart: Implementation): Implementation {
  return (args) => {
    const value = args[0] as CelValue;
    return kindOf(value) === 'duration' ? (value as CelDuration).nanoseconds / unit : timestampPart(args);
  };
}

export const TIME_FUNCTIONS: Readonly<Record<string, Implementation>> = {
  getFullYear: part((local) => local.getUTCFullYear()),
  getMonth: part((local) => local.getUTCMonth()),
  getDate: part((local) => local.getUTCDate()),
  getDayOfMonth: part((local) => local.getUTCDate() - 1),
  getDayOfWeek: part((local) => local.getUTCDay()),
  getDayOfYear: part(dayOfYear),
  getHours: orDuration(
    3_600_000_000_000n,
    part((local) => local.getUTCHours()),
  ),
  getMinutes: orDuration(
    60_000_000_000n,
    part((local) => local.getUTCMinutes()),
  ),
  getSeconds: orDuration(
    1_000_000_000n,
    part((local) => local.getUTCSeconds()),
  ),
  getMilliseconds: orDuration(
    MILLISECOND,
    part((local) => local.getUTCMilliseconds()),
  ),
};
