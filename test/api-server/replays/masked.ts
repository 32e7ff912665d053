import type { RecordedVersion } from './recordings.js';

/** A body, or the frames of a watch, without what differs from run to run. */
export function masked(text: string): string {
  return text
    .replace(/"resourceVersion":"[^"]*"/g, '"resourceVersion":"…"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uid')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g, '"time"');
}

/** What servers before 1.34 wrote beyond it: unset times as `null`, and the kind of a list beside the end of its stream. */
const BEFORE = [/"creationTimestamp":null,/g, /"creationTimestamp":null/g, /,"kubernetes\.io\/initial-events-list-blueprint":"[^"]*"/g];

/** What a server of today would have written. */
export function asOfToday(text: string, version: RecordedVersion): string {
  return version < 'v1-34' ? BEFORE.reduce((shorter, excess) => shorter.replace(excess, ''), text) : text;
}

/** Without `managedFields`: whose fields they are follows from requests that were not recorded. */
export function withoutManagers(text: string): string {
  return revived(text, (key, value) => (key === 'managedFields' ? undefined : value));
}

/** Each frame of a body read and written again; the order of fields stays. */
function revived(text: string, reviver: (key: string, value: unknown) => unknown): string {
  const lines = text.trim().split('\n');
  return lines.map((line) => `${JSON.stringify(JSON.parse(line, reviver))}\n`).join('');
}
