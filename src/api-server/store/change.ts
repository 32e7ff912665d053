import { deepFreeze } from '@keelson/kubernetes/apimachinery';
import { type StoredObject, stamped } from './stored-object.js';
import type { Version } from './version.js';

/** One write as a watcher sees it. Watchers share it: it must not be changed. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Also the `resourceVersion` of `object`, except among the initial events. */
  readonly revision: number;
  /** DELETED: the object as it last was, with the resource version of its end. */
  readonly object: StoredObject;
}

/** Whether an object is of interest: label and field selector in one. Must be pure: it is asked once about the old and once about the new object. */
export type Predicate = (object: StoredObject) => boolean;

/** The event of one version, made once for all who watch. */
export class Change {
  readonly version: Version;
  readonly #events: { ADDED?: ObjectEvent; MODIFIED?: ObjectEvent; DELETED?: ObjectEvent } = {};

  constructor(version: Version) {
    this.version = version;
  }

  /** Undefined: the object is of interest neither before nor after. */
  eventFor(matches: Predicate | undefined): ObjectEvent | undefined {
    const { object, previous } = this.version;
    const before = previous?.object;
    const isNow = object !== undefined && (matches === undefined || matches(object));
    const wasBefore = before !== undefined && (matches === undefined || matches(before));
    if (isNow) return this.#event(wasBefore ? 'MODIFIED' : 'ADDED', object);
    return wasBefore ? this.#event('DELETED', before) : undefined;
  }

  #event(type: ObjectEvent['type'], object: StoredObject): ObjectEvent {
    const { revision } = this.version;
    const known = this.#events[type];
    if (known !== undefined) return known;
    const event = { type, revision, object: type === 'DELETED' ? deepFreeze(stamped(object, revision)) : object };
    this.#events[type] = event;
    return event;
  }
}
