import type { CacheClient, StoredObject } from '../../../src/runtime/cache/index.js';
import type { ListOptions, ObjectList, PageOptions, WatchEvent, WatchOptions, WatchStream } from '../../../src/runtime/client/index.js';

type Event = WatchEvent<StoredObject>;

/** A request of the cache that waits for the test's answer. */
export class ScriptedRequest {
  readonly verb: 'list' | 'watch';
  readonly options: PageOptions & WatchOptions;
  readonly answer: Promise<unknown>;
  #resolve: (value: unknown) => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(verb: 'list' | 'watch', options: object) {
    this.verb = verb;
    this.options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.options.signal?.addEventListener('abort', () => this.#reject(new Error('aborted')));
  }

  page(items: readonly StoredObject[], resourceVersion: string, token?: string): void {
    this.#resolve({ items, resourceVersion, continue: token, remainingItemCount: undefined } satisfies ObjectList<StoredObject>);
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  open(): ScriptedWatch {
    const watch = new ScriptedWatch(this.options.signal ?? undefined);
    this.#resolve(watch as unknown as WatchStream<StoredObject>);
    return watch;
  }
}

export class ScriptedWatch {
  readonly #queue: (readonly Event[] | Error | 'end')[] = [];
  #wake: () => void = () => {};
  isOpen = true;

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', () => this.#push(new Error('aborted')));
  }

  send(...events: Event[]): void {
    this.#push(events);
  }

  end(): void {
    this.#push('end');
  }

  fail(error: Error): void {
    this.#push(error);
  }

  close(): void {
    this.isOpen = false;
    this.#push('end');
  }

  async *batches(): AsyncGenerator<readonly Event[], void, undefined> {
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next === undefined) await this.#woken();
        else if (next === 'end') return;
        else if (next instanceof Error) throw next;
        else yield next;
      }
    } finally {
      this.isOpen = false;
    }
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #push(item: readonly Event[] | Error | 'end'): void {
    this.#queue.push(item);
    this.#wake();
  }
}

/** A client whose every answer the test gives by hand. */
export class ScriptedApi {
  readonly requests: ScriptedRequest[] = [];
  readonly #waiting: ScriptedRequest[] = [];
  #wake: () => void = () => {};

  readonly client = {
    list: (_: unknown, options: ListOptions) => this.#ask('list', options),
    watch: (_: unknown, options: WatchOptions) => this.#ask('watch', options),
  } as unknown as CacheClient;

  /** The next request that nobody has looked at. */
  async next(verb: 'list' | 'watch'): Promise<ScriptedRequest> {
    for (;;) {
      const request = this.#waiting.shift();
      if (request === undefined) await this.#woken();
      else if (request.verb === verb) return request;
      else throw new Error(`a ${verb} was expected, but there came a ${request.verb} ${JSON.stringify(request.options)}`);
    }
  }

  get unanswered(): number {
    return this.#waiting.length;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #ask(verb: 'list' | 'watch', options: object): Promise<unknown> {
    const request = new ScriptedRequest(verb, options);
    this.requests.push(request);
    this.#waiting.push(request);
    this.#wake();
    return request.answer;
  }
}
