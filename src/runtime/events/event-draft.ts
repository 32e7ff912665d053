import { DNS_1123_SUBDOMAIN, type KubernetesObject, obeys } from '@keelson/kubernetes/apimachinery';
import type { ObjectReference } from '@keelson/kubernetes/kinds';
import type { EventOptions } from 'keelson/internal/definition';

/** An event about an object, before the API server knows of it. */
export interface EventDraft {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related?: ObjectReference | undefined;
  readonly reportingController: string;
  readonly reportingInstance: string;
}

export interface EventText {
  readonly type: EventDraft['type'];
  readonly reason: string;
  readonly note: string;
  readonly options?: EventOptions | undefined;
}

export interface Reporter {
  readonly controller: string;
  readonly instance: string;
}

/** Bytes that the API server takes. Source: kubernetes `pkg/apis/core/validation/events.go`. */
const LIMITS = { note: 1_024, word: 128 } as const;
const MAX_NAME = 253;

/** An event that the API server will take: long texts are cut, and show it. @throws TypeError for an object that cannot have events */
export function draftOf(object: KubernetesObject, { type, reason, note, options }: EventText, reporter: Reporter): EventDraft {
  if (reason === '') throw new TypeError('an event needs a reason, a word such as ScalingUp');
  const action = options?.action === undefined || options.action === '' ? reason : options.action;
  return {
    type,
    reason: cut(reason, LIMITS.word),
    action: cut(action, LIMITS.word),
    note: cut(note, LIMITS.note),
    regarding: referenceTo(options?.regarding ?? object),
    ...(options?.related === undefined ? {} : { related: referenceTo(options.related) }),
    reportingController: reporter.controller,
    reportingInstance: cut(`${reporter.controller}-${reporter.instance}`, LIMITS.word),
  };
}

/** Events about objects without a namespace stand in `default`: the API server takes them nowhere else. */
export function namespaceOf({ regarding }: EventDraft): string {
  return regarding.namespace ?? 'default';
}

/**
 * The identity of an event: two that agree in it are one, repeated.
 *
 * client-go leaves the note out and takes the object's resource version in: another note would be lost, and a repetition after a write of the object's status
 * would be a new event.
 */
export function identityOf({ type, reason, action, note, regarding, related, reportingController }: EventDraft): string {
  return JSON.stringify([
    type,
    reason,
    action,
    note,
    objectOf(regarding),
    related === undefined ? '' : objectOf(related),
    reportingController,
  ]);
}

/** Which object it is: the uid alone, where there is one. */
export function objectOf({ uid, apiVersion, kind, namespace, name }: ObjectReference): string {
  return uid ?? [apiVersion, kind, namespace, name].join(' ');
}

/** Unique among the events of all processes: nanoseconds, of which this process's clock knows a part and chance the rest. */
export function eventName(objectName: string, wallMs: number, random: () => number): string {
  const nanos = BigInt(Math.floor(wallMs)) * 1_000_000n + BigInt(Math.floor(random() * 1_000_000));
  const suffix = `.${nanos.toString(16)}`;
  const name = `${objectName.slice(0, MAX_NAME - suffix.length).replace(/[.-]+$/, '')}${suffix}`;
  // Not every object's name is a domain name: a Role may be called `system:reader`.
  return obeys(DNS_1123_SUBDOMAIN, name) ? name : `event${suffix}`;
}

function referenceTo({ apiVersion, kind, metadata }: KubernetesObject): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  if (name === undefined || name === '') throw new TypeError(`an event about a ${kind} without a name`);
  return Object.fromEntries(
    Object.entries({ apiVersion, kind, namespace, name, uid, resourceVersion }).filter(([, value]) => value !== undefined),
  );
}

function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  // The mark takes three bytes; a character that is cut in two ends as U+FFFD.
  return `${bytes
    .subarray(0, maxBytes - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}…`;
}
