import { errorOf } from '@keelson/kubernetes/apimachinery';
import type { CoreV1Event as Event } from '@keelson/kubernetes/kinds';
import { type ControllerSurroundings, isConflict, isGone, isTerminating } from '../../controllers/index.js';
import { EVENTS, ObjectClient, type StoredObject, timeText, type Writer } from '../objects/index.js';

/** The component in whose name Events are written. */
export interface EventWriter {
  readonly component: string;
  /** The node that it is on; undefined: it is not of a node. */
  readonly host?: string | undefined;
  readonly writer: Writer;
}

export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The part of the object, for example `spec.containers{main}`. Default: the whole object. */
  readonly fieldPath?: string | undefined;
}

export interface EventSubject extends StoredObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/** Limits of each object. Source: client-go `tools/record/events_cache.go`: a burst of 25, then one in five minutes. */
const BURST = 25;
const REFILL_MS = 300_000;
/** Objects and Events that are remembered; the oldest is forgotten first. */
const MOST_REMEMBERED = 4096;

interface NamedEvent {
  readonly [field: string]: unknown;
  readonly metadata: { readonly name: string; readonly namespace: string };
}

interface Allowance {
  tokens: number;
  atMs: number;
}

/**
 * Writes Events about objects: one that says the same of the same object counts up.
 *
 * Guarantees: never waits and never throws; Events of one recorder are written in their order. An Event that finds its namespace ending is dropped, as a cluster does.
 */
export class EventRecorder {
  readonly #surroundings: ControllerSurroundings;
  readonly #by: EventWriter;
  readonly #client: ObjectClient;
  readonly #names = new Map<string, string>();
  readonly #allowances = new Map<string, Allowance>();
  #last: Promise<void> = Promise.resolve();
  #number = 0;

  constructor(surroundings: ControllerSurroundings, by: EventWriter) {
    this.#surroundings = surroundings;
    this.#by = by;
    this.#client = new ObjectClient(surroundings, by.writer);
  }

  record(about: EventSubject, text: EventText): void {
    const { uid = '', namespace = '', name } = about.metadata;
    if (!this.#isAllowed(uid)) return;
    const now = this.#surroundings.clock.now();
    this.#last = this.#last
      .then(() => this.#write(about, text, now))
      .catch((error: unknown) => {
        if (isTerminating(error) || isGone(error)) return;
        this.#surroundings.report({ controller: this.#by.component, key: `${namespace}/${name}`, error: errorOf(error) });
      });
  }

  async #write(about: EventSubject, text: EventText, now: Date): Promise<void> {
    const { uid = '', namespace: own = '', name } = about.metadata;
    const namespace = own === '' ? 'default' : own;
    const key = JSON.stringify([uid, text.type, text.reason, text.message, text.fieldPath]);
    const known = this.#client.get<Event>(EVENTS, namespace, this.#names.get(key) ?? '');
    const lastTimestamp = timeText(now);
    if (known !== undefined) {
      await this.#client.update(EVENTS, { ...known, count: (known.count ?? 1) + 1, lastTimestamp } as Event);
      return;
    }
    const eventName = await this.#created(namespace, (unique) =>
      this.#event(about, text, { name: `${name}.${unique}`, namespace, lastTimestamp }),
    );
    remember(this.#names, key, eventName);
  }

  /** Names have the time in nanoseconds, as client-go's; at a time that stands still another recorder may have taken one. @returns the name */
  async #created(namespace: string, eventNamed: (unique: string) => NamedEvent): Promise<string> {
    for (;;) {
      const nanoseconds = BigInt(this.#surroundings.clock.now().getTime()) * 1_000_000n + BigInt(this.#number);
      this.#number += 1;
      const event = eventNamed(nanoseconds.toString(16));
      try {
        await this.#client.create(EVENTS, namespace, event);
        return event.metadata.name;
      } catch (error) {
        if (!isConflict(error) || isTerminating(error)) throw error;
      }
    }
  }

  #event(
    { apiVersion, kind, metadata }: EventSubject,
    { type, reason, message, fieldPath }: EventText,
    { name, namespace, lastTimestamp }: { readonly name: string; readonly namespace: string; readonly lastTimestamp: string },
  ): NamedEvent {
    const { component, host } = this.#by;
    const { uid, resourceVersion } = metadata;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: { apiVersion, kind, name: metadata.name, namespace: metadata.namespace, uid, resourceVersion, fieldPath },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: lastTimestamp,
      lastTimestamp,
      source: { component, host },
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  #isAllowed(uid: string): boolean {
    const nowMs = this.#surroundings.clock.now().getTime();
    const { tokens, atMs } = this.#allowances.get(uid) ?? { tokens: BURST, atMs: nowMs };
    const filled = Math.min(BURST, tokens + (nowMs - atMs) / REFILL_MS);
    if (filled < 1) return false;
    remember(this.#allowances, uid, { tokens: filled - 1, atMs: nowMs });
    return true;
  }
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  if (known.size <= MOST_REMEMBERED) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
