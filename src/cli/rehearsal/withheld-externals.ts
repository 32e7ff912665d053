import { type OperatorModel, usesOf } from 'keelson/internal/definition';

/** The beginning of the message by which a run is known to have needed something outside. */
const WITHHELD = 'keelson does not call what is outside: ';

/** Stands in for the externals of an operator. No method is called: each call is noted, and fails. */
export class WithheldExternals {
  /** By name, as the operator declares them. */
  readonly externals: Readonly<Record<string, object>>;
  readonly #calls = new Set<string>();

  constructor(operator: OperatorModel) {
    const names = Object.entries(usesOf(operator)).flatMap(([name, { sort }]) => (sort === 'external' ? [name] : []));
    this.externals = Object.fromEntries(names.map((name) => [name, this.#fake(name)]));
  }

  /** Methods that were asked for, `dns.create`. */
  get calls(): readonly string[] {
    return [...this.#calls].sort();
  }

  #fake(path: string): object {
    const call = (): never => {
      this.#calls.add(path);
      throw new Error(`${WITHHELD}${path}`);
    };
    return new Proxy(call, {
      // A thenable would be awaited, and symbols are asked for by Node itself.
      get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : this.#fake(`${path}.${key}`)),
    });
  }
}

/** The method that a run needed and did not get, by the message of its error; `undefined` for other errors. */
export function withheldCallIn(message: string): string | undefined {
  const at = message.indexOf(WITHHELD);
  return at < 0 ? undefined : /^\S+/.exec(message.slice(at + WITHHELD.length))?.[0];
}
