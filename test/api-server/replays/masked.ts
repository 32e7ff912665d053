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

/** Fields of statuses that 1.34 drops unless an alpha feature is switched on; pods are told by their class. */
function withoutLater(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { terminatingReplicas: _terminating, ...status } = value as Readonly<Record<string, unknown>>;
  if (!('qosClass' in status)) return status;
  const { allocatedResources: _allocated, resources: _resources, ...ofPod } = status;
  return ofPod;
}

/** What 1.34 would have written. */
export function asOf134(text: string, version: RecordedVersion): string {
  if (version < 'v1-34') return BEFORE.reduce((shorter, excess) => shorter.replace(excess, ''), text);
  return version > 'v1-34' ? revived(text, withoutLater) : text;
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
