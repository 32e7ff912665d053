import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Events, Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { draftOf, type EventText, objectOf, type Reporter } from './event-draft.js';
import { EventLimits } from './event-limits.js';
import { type Moment, type Series, SeriesTable } from './event-series.js';
import { EventWriter, type EventWriterOptions } from './event-writer.js';

/** Counters for metrics. */
export interface EventObserver {
  created?(): void;
  /** The count of a series was written. */
  continued?(): void;
  /** Too many wait, one object has had too many, or the process ends. */
  dropped?(): void;
  /** The API server does not take it. */
  failed?(): void;
}

export interface EventRecorderOptions {
  readonly client: EventWriterOptions['client'];
  readonly clock: Clock;
  readonly log: Logger;
  /** Tells this process from its replicas: the pod's name. */
  readonly instance: string;
  readonly observer?: EventObserver | undefined;
  readonly random?: (() => number) | undefined;
}

/** Events that wait for being written. Source: client-go `tools/events/event_broadcaster.go`, as the two below. */
const MAX_PENDING = 1_000;
const MAX_ATTEMPTS = 12;
const RETRY_MS = 10_000;
const RETRY_JITTER = 0.25;
/** While the process ends there is less time. */
const CLOSING_RETRY_MS = 500;
const SWEEP_MS = 60_000;

/**
 * Tells about objects in `events.k8s.io/v1`.
 *
 * Flow: `normal`/`warning` → a new event, or one more of a series → queue → one request at a time.
 * Guarantees: telling returns at once, never throws and never fails a reconcile; a repetition within six minutes becomes part of a series, whose count is written
 * at the first repetition, then every half hour and when it has ended; queue, series and limits are bounded, what is too much is dropped and counted; 25
 * different events per object at once, then one every five minutes; after {@link close} nothing runs any more.
 * Errors: none; what the API server does not take is in the log, a missing right once per namespace.
 */
export class EventRecorder {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #instance: string;
  readonly #observer: EventObserver;
  readonly #random: () => number;
  readonly #writer: EventWriter;
  readonly #series = new SeriesTable();
  readonly #limits = new EventLimits();
  readonly #queue: Series[] = [];
  readonly #ending = new AbortController();
  #working: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #endPause: (() => void) | undefined;
  #cancelSweep: (() => void) | undefined;
  #hasToldOfDrops = false;

  constructor({ client, clock, log, instance, observer = {}, random = Math.random }: EventRecorderOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#instance = instance;
    this.#observer = observer;
    this.#random = random;
    this.#writer = new EventWriter({ client, clock, log, random, signal: this.#ending.signal });
  }

  /** Makes the `events` of a controller's contexts. @param controller the name under which it reports */
  forController(controller: string): (object: KubernetesObject, log?: Logger) => Events {
    const reporter: Reporter = { controller, instance: this.#instance };
    return (object, log = this.#log) => ({
      normal: (reason, note, options) => this.#tell(object, { type: 'Normal', reason, note, options }, { reporter, log }),
      warning: (reason, note, options) => this.#tell(object, { type: 'Warning', reason, note, options }, { reporter, log }),
    });
  }

  /**
   * Writes the waiting events, counts of series included, and ends. Later events are dropped.
   * @param deadlineMs after so long what is under way is broken off
   */
  close({ deadlineMs = 5_000 }: { readonly deadlineMs?: number | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(deadlineMs);
    return this.#closing;
  }

  async #close(deadlineMs: number): Promise<void> {
    this.#cancelSweep?.();
    for (const series of this.#series.unwritten()) this.#enqueue(series);
    this.#series.clear();
    const cancelDeadline = this.#clock.schedule(deadlineMs, () => {
      this.#ending.abort();
      this.#endPause?.();
    });
    this.#endPause?.();
    await this.#working;
    cancelDeadline();
    this.#ending.abort();
  }

  #tell(object: KubernetesObject, text: EventText, { reporter, log }: { readonly reporter: Reporter; readonly log: Logger }): void {
    try {
      if (this.#closing === undefined) this.#record(object, text, reporter);
      else this.#drop('the process ends');
    } catch (error) {
      log.error('an event cannot be recorded', { reason: text.reason, error });
    }
  }

  #record(object: KubernetesObject, text: EventText, reporter: Reporter): void {
    const draft = draftOf(object, text, reporter);
    const now: Moment = { monotonicMs: this.#clock.monotonicMs(), wallMs: this.#clock.wallMs() };
    const repeated = this.#series.repeat(draft, now);
    if (repeated !== undefined) {
      if (repeated.written === 1) this.#enqueue(repeated);
      return;
    }
    if (this.#queue.length >= MAX_PENDING) {
      this.#drop('too many wait for being written');
      return;
    }
    if (!this.#limits.take(objectOf(draft.regarding), now.monotonicMs)) {
      this.#drop('too many about one object');
      return;
    }
    const { series, closed } = this.#series.begin(draft, now);
    for (const over of closed) this.#enqueue(over);
    this.#enqueue(series);
    this.#sweepLater();
  }

  #drop(why: string): void {
    this.#observer.dropped?.();
    if (this.#hasToldOfDrops) return;
    this.#hasToldOfDrops = true; // logged again after the next sweep
    this.#sweepLater();
    this.#log.warn('events are dropped', { why });
  }

  #enqueue(series: Series): void {
    if (series.isPending || this.#queue.length >= MAX_PENDING) return; // a count that is not written now is written at the next sweep
    series.isPending = true;
    this.#queue.push(series);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    await Promise.resolve(); // the caller goes on first
    for (let series = this.#queue.shift(); series !== undefined; series = this.#queue.shift()) {
      const isNew = series.written === 0;
      try {
        await this.#writeOut(series);
      } catch (error) {
        this.#log.error('an event could not be written', { reason: series.draft.reason, error });
      }
      series.isPending = false;
      // It was repeated for the first time while it was being created. A count that was refused waits for the sweep: at once it would be refused for ever.
      if (isNew && series.written === 1 && series.count > 1) this.#enqueue(series);
    }
    // Here and not when the promise settles: what is queued in between would wait for the next event.
    this.#working = undefined;
  }

  async #writeOut(series: Series): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && !this.#ending.signal.aborted; attempt += 1) {
      const end = await this.#writer.write(series);
      if (end === 'created') return this.#observer.created?.();
      if (end === 'continued') return this.#observer.continued?.();
      if (end === 'refused') break;
      await this.#pause();
    }
    if (series.written === 0) this.#series.forget(series);
    this.#observer.failed?.();
  }

  #pause(): Promise<void> {
    if (this.#ending.signal.aborted) return Promise.resolve();
    const delayMs = this.#closing === undefined ? RETRY_MS * (1 + RETRY_JITTER * this.#random()) : CLOSING_RETRY_MS;
    return new Promise((resolve) => {
      const cancel = this.#clock.schedule(delayMs, () => this.#endPause?.());
      this.#endPause = () => {
        this.#endPause = undefined;
        cancel();
        resolve();
      };
    });
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.#clock.schedule(SWEEP_MS, () => {
      this.#cancelSweep = undefined;
      this.#sweep();
    });
  }

  /** It runs while there is something to be forgotten: an idle process has no timer of events. */
  #sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#hasToldOfDrops = false;
    for (const series of this.#series.sweep(nowMs)) this.#enqueue(series);
    this.#limits.sweep(nowMs);
    if (this.#series.size > 0 || !this.#limits.isEmpty) this.#sweepLater();
  }
}
