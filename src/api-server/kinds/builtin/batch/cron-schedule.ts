import { parseGoDuration } from '@keelson/kubernetes/apimachinery';

/**
 * The problem of the schedule of a CronJob, in the words of the server's parser.
 *
 * Own code: the parsers of npm take other grammars (seconds, `L`, `#`, names of months in ranges) and say other things, and a server has to refuse what the
 * real one refuses. Source of grammar and texts: robfig/cron v3, `ParseStandard`.
 */
export function scheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=([^ ]*) ?/.exec(schedule);
  const rest = zone === null ? schedule : schedule.slice(zone[0].length).trim();
  if (zone !== null && !isTimeZone(zone[1] ?? '')) return `provided bad location ${zone[1]}: unknown time zone ${zone[1]}`;
  if (rest.startsWith('@')) return descriptorProblem(rest);
  const fields = rest.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of FIELDS.entries()) {
    for (const range of (fields[index] ?? '').split(',')) {
      const problem = range === '' ? undefined : rangeProblem(range, field);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

function descriptorProblem(descriptor: string): string | undefined {
  if (DESCRIPTORS.includes(descriptor)) return undefined;
  if (!descriptor.startsWith(EVERY)) return `unrecognized descriptor: ${descriptor}`;
  const duration = parseGoDuration(descriptor.slice(EVERY.length));
  return typeof duration === 'string' ? `failed to parse duration ${descriptor}: ${duration}` : undefined;
}

/** `*`, `5`, `1-5`, `0-30/5`, `mon-fri`. */
function rangeProblem(text: string, field: Field): string | undefined {
  const [range = '', step, ...tooMany] = text.split('/');
  const [low = '', high, ...others] = range.split('-');
  const isAny = low === '*' || low === '?';
  const start = isAny ? field.least : numberOf(low, field);
  if (typeof start === 'string') return start;
  const end = isAny ? field.most : high === undefined ? start : numberOf(high, field);
  if (!isAny && others.length > 0) return `too many hyphens: ${text}`;
  if (typeof end === 'string') return end;
  if (tooMany.length > 0) return `too many slashes: ${text}`;
  const stride = step === undefined ? 1 : numberOf(step, { least: 0, most: 0 });
  if (typeof stride === 'string') return stride;
  const last = step !== undefined && high === undefined ? field.most : end;
  if (start < field.least) return `beginning of range (${start}) below minimum (${field.least}): ${text}`;
  if (last > field.most) return `end of range (${last}) above maximum (${field.most}): ${text}`;
  if (start > last) return `beginning of range (${start}) beyond end of range (${last}): ${text}`;
  return stride === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, { names, least }: Field): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + least;
  if (!/^[+-]?[0-9]+$/.test(text)) return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`;
  const number = Number(text);
  if (!Number.isSafeInteger(number)) return `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": value out of range`;
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

/** Whether this platform's time zone data have it. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC' || name === '') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}
