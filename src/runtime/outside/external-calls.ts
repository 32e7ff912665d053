import { ExternalError } from './errors.js';
import type { CallResult, OutsideObserver } from './observer.js';
import type { CallSpan } from './span.js';

/** One call of an external, before it is made. */
export interface ExternalCall {
  /** Name in `uses`. */
  readonly external: string;
  /** `members`, or `cluster.members` of a group of methods. */
  readonly method: string;
  readonly arguments: readonly unknown[];
}

/**
 * Stands between an operator and its externals: tests make calls fail, answer late, empty or twice.
 *
 * @param call makes the call; its result is what the external answered
 */
export type ExternalInterceptor = (details: ExternalCall, call: () => unknown) => unknown;

export interface ExternalCallsOptions {
  readonly name: string;
  /** The author's own: an object with methods, a class instance, a function. */
  readonly value: object;
  readonly monotonicMs: () => number;
  readonly observer?: OutsideObserver | undefined;
  readonly beginSpan?: ((name: string, attributes: Readonly<Record<string, string>>) => CallSpan) | undefined;
  readonly intercept?: ExternalInterceptor | undefined;
}

type Callable = (...given: unknown[]) => unknown;

/** Methods that have a series of their own; more than an API has, so that one whose methods are made up on the fly has a bound (H66). */
const MOST_METHODS = 200;
const OTHER_METHOD = 'other';
const NO_SPAN: CallSpan = { within: (act) => act(), end: () => undefined };

/**
 * One external with its calls counted, timed and traced.
 *
 * A method is counted until its promise is settled, its iteration has ended, or it has returned. Objects of methods within the external are followed; what methods
 * return is handed out as it is. `this` is the author's own object within every method, so that private fields work and calls among methods are not counted.
 * Guarantees: no call begins under a signal that is aborted; an observer or a span changes neither results nor errors.
 */
export class ExternalCalls {
  readonly #options: ExternalCallsOptions;
  readonly #methods = new Set<string>();

  /** @throws ExternalError for what has no methods */
  constructor(options: ExternalCallsOptions) {
    this.#options = options;
    const { name, value } = options;
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
      throw new ExternalError(`external '${name}' must be an object with methods, got ${value === null ? 'null' : typeof value}`);
  }

  /** The external as a run sees it. @param signal once aborted, calls are refused: a run that was given up must not act outside any more */
  under(signal: AbortSignal): object {
    return this.#wrapped(this.#options.value, [], signal);
  }

  /** @param self what a function is a method of. A function may be a group of methods too, as clients of HTTP are */
  #wrapped(value: object, path: readonly string[], signal: AbortSignal, self?: object): object {
    const made = new Map<PropertyKey, { readonly of: unknown; readonly wrapper: unknown }>();
    const get = (key: PropertyKey): unknown => {
      const found: unknown = Reflect.get(value, key, value);
      if (typeof key === 'symbol' || !(typeof found === 'function' || isGroup(found))) return found;
      const known = made.get(key);
      if (known !== undefined && known.of === found) return known.wrapper;
      const at = [...path, String(key)];
      const wrapper = this.#wrapped(found as object, at, signal, value);
      made.set(key, { of: found, wrapper });
      return wrapper;
    };
    // The target is an empty one: a proxy of a frozen object would have to hand out its methods as they are.
    const isFunction = typeof value === 'function';
    const target = isFunction ? this.#method(value as Callable, self, path, signal) : {};
    return new Proxy(target, {
      get: (own, key) => (isFunction && key in own && !Object.hasOwn(value, key) ? (Reflect.get(own, key) as unknown) : get(key)),
      has: (_, key) => Reflect.has(value, key),
      set: (_, key, given) => Reflect.set(value, key, given, value),
      getPrototypeOf: () => Reflect.getPrototypeOf(value),
    });
  }

  #method(method: Callable, self: unknown, path: readonly string[], signal: AbortSignal): Callable {
    const name = path.join('.') || 'call';
    return (...given) =>
      this.#call(
        { external: this.#options.name, method: name, arguments: given },
        () => Reflect.apply(method, self, given) as unknown,
        signal,
      );
  }

  #call(details: ExternalCall, call: () => unknown, signal: AbortSignal): unknown {
    signal.throwIfAborted();
    const { intercept } = this.#options;
    const finish = this.#begin(details);
    try {
      const returned = finish.within(() => (intercept === undefined ? call() : intercept(details, call)));
      if (isThenable(returned)) return watched(returned, finish.end);
      if (isAsyncIterable(returned)) return counted(returned, finish.end);
      finish.end();
      return returned;
    } catch (thrown) {
      finish.end(thrown);
      throw thrown;
    }
  }

  #begin({ external, method, arguments: given }: ExternalCall): {
    readonly within: CallSpan['within'];
    readonly end: (thrown?: unknown) => void;
  } {
    const { monotonicMs, observer, beginSpan } = this.#options;
    const label = this.#label(method);
    const startedMs = monotonicMs();
    const span = beginSpan?.(`${external}.${method}`, { 'keelson.external': external, 'keelson.external.method': method }) ?? NO_SPAN;
    let isOver = false;
    return {
      within: (act) => span.within(act),
      end: (...thrown) => {
        if (isOver) return;
        isOver = true;
        const result: CallResult = thrown.length === 0 ? 'ok' : given.some(isAborted) ? 'aborted' : 'error';
        observer?.called?.(external, label, result, Math.max(0, monotonicMs() - startedMs) / 1_000);
        span.end(...thrown);
      },
    };
  }

  #label(method: string): string {
    if (this.#methods.size < MOST_METHODS) this.#methods.add(method);
    return this.#methods.has(method) ? method : OTHER_METHOD;
  }
}

function watched(returned: PromiseLike<unknown>, end: (thrown?: unknown) => void): unknown {
  // Query builders can be awaited and have methods beside: they must stay what they are.
  if (!(returned instanceof Promise) || returned.constructor !== Promise) {
    if (returned instanceof Promise) returned.then(() => end(), end);
    else end();
    return returned;
  }
  return awaited(returned, end);
}

async function awaited(returned: Promise<unknown>, end: (thrown?: unknown) => void): Promise<unknown> {
  try {
    const value = await returned;
    // A promise of a stream lasts as long as the stream.
    if (isAsyncIterable(value)) return counted(value, end);
    end();
    return value;
  } catch (thrown) {
    end(thrown);
    throw thrown;
  }
}

/** Counts a stream as one call that lasts until it is read to its end, given up, or broken. */
function counted(stream: AsyncIterable<unknown>, end: (thrown?: unknown) => void): unknown {
  const iterate = async function* (): AsyncGenerator<unknown> {
    try {
      yield* stream;
      end();
    } catch (thrown) {
      end(thrown);
      throw thrown;
    } finally {
      end();
    }
  };
  // Streams of Node have methods beside: only the iteration is replaced.
  return new Proxy(stream, {
    get: (target, key) => {
      if (key === Symbol.asyncIterator) return iterate;
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? (found as Callable).bind(target) : found;
    },
  });
}

/** A literal that holds methods, not an instance of a class: those check who calls them. */
function isGroup(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).some((item) => typeof item === 'function');
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** A signal among the arguments, or in their options, that is aborted. */
function isAborted(given: unknown): boolean {
  if (given instanceof AbortSignal) return given.aborted;
  const signal = typeof given === 'object' && given !== null && 'signal' in given ? given.signal : undefined;
  return signal instanceof AbortSignal && signal.aborted;
}
