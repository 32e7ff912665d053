import { ExternalError } from './errors.js';
import { ExternalCalls, type ExternalInterceptor } from './external-calls.js';
import type { OutsideObserver } from './observer.js';
import type { Tracing } from './span.js';

/** A declared value from outside, as definitions hold it. */
export interface DeclaredUse {
  readonly sort: 'external' | 'settings' | 'metric';
}

export interface GivenOptions {
  /** All that the operator's parts use, by name. */
  readonly uses: Readonly<Record<string, DeclaredUse>>;
  /** Values of the externals, by name. */
  readonly externals: Readonly<Record<string, unknown>>;
  /** Values of settings and metrics, by name: they are the same in every run. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly monotonicMs: () => number;
  readonly observer?: OutsideObserver | undefined;
  readonly beginSpan?: Tracing['beginSpan'] | undefined;
  readonly intercept?: ExternalInterceptor | undefined;
}

/** The externals of the process, for all parts of an operator. */
export class Given {
  readonly #externals = new Map<string, ExternalCalls>();
  readonly #values: Readonly<Record<string, unknown>>;

  /** @throws ExternalError naming every external that is missing, that is not an object, or that nothing asks for */
  constructor({ uses, externals, values = {}, ...shared }: GivenOptions) {
    this.#values = values;
    const wanted = Object.keys(uses).filter((name) => uses[name]?.sort === 'external');
    const missing = wanted.filter((name) => externals[name] === undefined);
    if (missing.length > 0) {
      const example = missing.map((name) => `${name}: ...`).join(', ');
      throw new ExternalError(
        `externals are missing: ${missing.join(', ')}; give them at the start: run(operator, { externals: { ${example} } })`,
      );
    }
    const unknown = Object.keys(externals).filter((name) => !wanted.includes(name));
    if (unknown.length > 0)
      throw new ExternalError(
        `externals.${unknown.join(', externals.')}: no part of the operator uses it; known are ${wanted.join(', ') || 'none'}`,
      );
    for (const name of wanted) this.#externals.set(name, new ExternalCalls({ name, value: externals[name] as object, ...shared }));
  }

  /** The values of some names. @param signal once aborted, calls of externals are refused */
  under(names: readonly string[], signal: AbortSignal): Record<string, unknown> {
    return Object.fromEntries(names.map((name) => [name, this.#externals.get(name)?.under(signal) ?? this.#values[name]]));
  }
}
