import { ConnectionError, type HttpStream, MalformedResponseError } from '../http/index.js';
import { errorOf } from './error-of.js';
import { type EventIdentity, identityOf } from './event-identity.js';
import { LineFrames } from './line-frames.js';
import { statusOf } from './status.js';

/** A change of the watched objects. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | {
      /** No object: the stream has come to this resourceVersion, from which it can be resumed. */
      readonly type: 'BOOKMARK';
      readonly resourceVersion: string;
      /** The initial objects have been sent (`sendInitialEvents`). */
      readonly initialEventsEnd: boolean;
    };

/** Objects that the reader of a watch has already, as answers of its own writes: an event that brings the same version of one is not parsed. */
export interface KnownObjects<T> {
  /** While it is `false`, every event is parsed and no line is searched. */
  readonly hasAny: boolean;
  /** The object of exactly this version. */
  find(identity: EventIdentity): T | undefined;
}

export interface WatchSource<T> {
  /** The request in words, for messages. */
  readonly request: string;
  readonly stream: HttpStream;
  readonly maxFrameBytes: number;
  /** Turns what came over the wire into an object of the kind. */
  readonly decode: (object: object) => T;
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/**
 * The events of one watch request, to be iterated once.
 *
 * Flow: each event is one line of JSON. The iteration ends without an error when the server ends the watch, as it does after `timeoutSeconds`, or after
 * {@link close}; to go on from the last resourceVersion is the caller's.
 * Guarantees: events in the order of the server, each once; the consumer sets the pace; leaving the loop closes the connection.
 * Errors: what the server says in an ERROR event, as the typed error it would be as an answer; ConnectionError when the stream breaks off, within an event
 * too; DeadlineExceededError when it has been silent for too long; ResponseTooLargeError; MalformedResponseError for what is not an event.
 *
 * @example
 * ```ts
 * const { resourceVersion } = await client.list(Pod, { namespace: 'shop' });
 * for await (const event of await client.watch(Pod, { namespace: 'shop', resourceVersion })) {
 *   if (event.type === 'DELETED') console.log(event.object.metadata.name);
 * }
 * ```
 */
export class WatchStream<T> implements AsyncIterable<WatchEvent<T>> {
  readonly #source: WatchSource<T>;

  constructor(source: WatchSource<T>) {
    this.#source = source;
  }

  /** Event after event. @throws as {@link WatchStream} says */
  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void, undefined> {
    for await (const events of this.batches()) yield* events;
  }

  /**
   * The events in the groups in which they arrive: cheaper where there are many.
   *
   * @param known asked for the objects of added and modified events, and handed out in their place. @defaultValue none: every event is parsed
   */
  async *batches(known?: KnownObjects<T>): AsyncGenerator<readonly WatchEvent<T>[], void, undefined> {
    const { request, stream, maxFrameBytes } = this.#source;
    const frames = new LineFrames(request, maxFrameBytes);
    for await (const chunk of stream.chunks) {
      const events: WatchEvent<T>[] = [];
      for (const line of frames.push(chunk)) {
        const event = this.#known(line, known) ?? this.#event(line);
        if (event instanceof Error) {
          // Events before the error in one chunk have happened all the same.
          if (events.length > 0) yield events;
          throw event;
        }
        events.push(event);
      }
      if (events.length > 0) yield events;
    }
    if (frames.isTorn)
      throw new ConnectionError(request, { sent: true, reusedSocket: false, cause: new Error('the stream ended within an event') });
  }

  /** Ends the watch; a pending iteration ends without an error. */
  close(): void {
    this.#source.stream.close();
  }

  #known(line: string, known: KnownObjects<T> | undefined): WatchEvent<T> | undefined {
    if (known?.hasAny !== true) return undefined;
    const identity = identityOf(line);
    const object = identity === undefined ? undefined : known.find(identity);
    return identity === undefined || object === undefined ? undefined : { type: identity.type, object };
  }

  #event(line: string): WatchEvent<T> | Error {
    const { request, decode } = this.#source;
    // Without the line, and without the parser's error, which quotes it: it may be a part of a Secret.
    const wrong = (problem: string): Error => new MalformedResponseError(request, `${problem} (${line.length} characters)`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch {
      return wrong('a line of the watch is not JSON');
    }
    // A proxy or an overloaded server may put a bare Status where an event should be (H22).
    const bare = statusOf(parsed);
    if (bare !== undefined) return this.#refusal(bare);
    const { type, object } = (parsed ?? {}) as { type?: unknown; object?: unknown };
    if (typeof object !== 'object' || object === null) return wrong('a line of the watch is not an event');
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        return { type, object: decode(object) };
      case 'BOOKMARK':
        return bookmark(object);
      case 'ERROR': {
        const status = statusOf(object);
        return status === undefined ? wrong('an ERROR event without a Status') : this.#refusal(status);
      }
      default:
        return wrong(`an event of unknown type ${typeof type === 'string' ? JSON.stringify(type.slice(0, 50)) : typeof type}`);
    }
  }

  #refusal(status: Parameters<typeof errorOf>[0]['status']): Error {
    return errorOf({ request: this.#source.request, status, httpStatus: status.code ?? 500 });
  }
}

function bookmark(object: object): WatchEvent<never> {
  const { metadata } = object as { metadata?: { resourceVersion?: unknown; annotations?: Record<string, unknown> | null } | null };
  const resourceVersion = metadata?.resourceVersion;
  return {
    type: 'BOOKMARK',
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    initialEventsEnd: metadata?.annotations?.[INITIAL_EVENTS_END] === 'true',
  };
}
