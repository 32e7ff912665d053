import type { ApiEvent, ApiWatch, JsonObject, Served, Target, WatchOptions } from '../contract/index.js';
import { plainError, type Status, StatusError } from '../status/index.js';
import type { Bookmark, ObjectEvent, Watch, WatchEvent, WatchQuery } from '../store/index.js';
import type { Parts } from './parts.js';
import { refuseFuture } from './read.js';
import { readRefusal } from './refusals.js';
import { resourceVersionProblem } from './resource-version.js';
import { selectionOf } from './selection.js';
import type { Views } from './views.js';

/** Marks the bookmark behind the initial events. */
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

/**
 * `GET` with `watch`.
 *
 * A request that cannot be read is refused; a version that cannot be had (compacted, or still to come) is reported by the only event of the watch.
 * Source of the rules: apiserver, `pkg/endpoints/handlers/get.go`, `pkg/storage/cacher/cacher.go`.
 */
export function watchObjects(parts: Parts, target: Target, options: WatchOptions): ApiWatch {
  const selected = selectionOf(target, options);
  const { resourceVersion = '', allowWatchBookmarks: bookmarks = false } = options;
  const problem = resourceVersionProblem(resourceVersion);
  if (problem !== undefined) throw plainError(problem);
  const sendInitialEvents = startsWithAll(options);
  const query: WatchQuery = { ...selected, bookmarks, sendInitialEvents, ...startOf(resourceVersion) };
  try {
    if (sendInitialEvents) refuseFuture(parts.store, resourceVersion);
    const outcome = parts.store.watch(query);
    if (!outcome.ok) throw readRefusal(outcome.problem);
    return new VersionedWatch(outcome.value, { target, parts });
  } catch (error) {
    if (!StatusError.isStatusError(error)) throw error;
    return new FailedWatch(error.status);
  }
}

/** Without a resourceVersion the watch starts with all objects, unless `sendInitialEvents=false`. */
function startsWithAll({ sendInitialEvents, resourceVersion = '', resourceVersionMatch = '' }: WatchOptions): boolean {
  if (sendInitialEvents !== undefined) return sendInitialEvents;
  return resourceVersionMatch === '' && Number(resourceVersion) === 0 && resourceVersion.length < 2;
}

/** 0 without initial events is now. */
function startOf(resourceVersion: string): Pick<WatchQuery, 'resourceVersion'> {
  const revision = Number(resourceVersion);
  return revision === 0 ? {} : { resourceVersion: revision };
}

/** The store's watch at the version of the request. */
class VersionedWatch implements ApiWatch {
  readonly #watch: Watch;
  readonly #served: Served;
  readonly #views: Views;
  readonly #empty: () => JsonObject;
  #isFailed = false;

  constructor(watch: Watch, { target, parts }: { target: Target; parts: Parts }) {
    this.#watch = watch;
    this.#served = target.served;
    this.#views = parts.views;
    this.#empty = () => parts.subjectOf(target).empty;
  }

  get isEnded(): boolean {
    return this.#isFailed || this.#watch.isEnded;
  }

  next(): ApiEvent | Promise<ApiEvent> | undefined {
    if (this.#isFailed) return undefined;
    const event = this.#watch.next();
    return event === undefined ? undefined : this.#toApiEvent(event);
  }

  onEvent(listener: () => void): void {
    this.#watch.onEvent(listener);
  }

  finish(): void {
    this.#watch.finish();
  }

  close(): void {
    this.#watch.close();
  }

  #toApiEvent(event: WatchEvent): ApiEvent | Promise<ApiEvent> | undefined {
    switch (event.type) {
      case 'ERROR':
        // A server cuts off a watcher that is too slow, without a word.
        return event.problem.kind === 'SlowWatcher' ? undefined : { type: 'ERROR', status: readRefusal(event.problem).status };
      case 'BOOKMARK':
        return { type: 'BOOKMARK', object: bookmarkOf(this.#empty(), event) };
      default:
        return this.#viewed(event);
    }
  }

  #viewed(event: ObjectEvent): ApiEvent | Promise<ApiEvent> {
    try {
      const view = this.#views.one(this.#served, event.object);
      if (view === event.object) return event;
      const seen = (object: JsonObject): ApiEvent => ({ type: event.type, object });
      return view instanceof Promise ? view.then(seen).catch((error: unknown) => this.#failed(error)) : seen(view);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** An object that cannot be shown ends the watch. */
  #failed(error: unknown): ApiEvent {
    if (!StatusError.isStatusError(error)) throw error;
    this.#isFailed = true;
    this.#watch.close();
    return { type: 'ERROR', status: error.status };
  }
}

/** The zero value of the kind with nothing but a resource version. */
function bookmarkOf(empty: JsonObject, { revision, endsInitialEvents }: Bookmark): JsonObject {
  const mark = endsInitialEvents ? { annotations: INITIAL_EVENTS_END } : {};
  return { ...empty, metadata: { ...(empty['metadata'] as JsonObject | undefined), resourceVersion: String(revision), ...mark } };
}

/** A watch that was answered with 200 and could not begin. */
class FailedWatch implements ApiWatch {
  #status: Status | undefined;

  constructor(status: Status) {
    this.#status = status;
  }

  get isEnded(): boolean {
    return this.#status === undefined;
  }

  next(): ApiEvent | undefined {
    const status = this.#status;
    this.#status = undefined;
    return status === undefined ? undefined : { type: 'ERROR', status };
  }

  onEvent(): void {
    // Nothing ever comes.
  }

  finish(): void {
    // It is over already.
  }

  close(): void {
    this.#status = undefined;
  }
}
