/** What a client asks of one key. A value is written once on its key: whoever sees it knows who wrote it. */
export type Asked =
  | { readonly do: 'get' }
  | { readonly do: 'put'; readonly value: string }
  /** `expected: ''`: the key is not there. */
  | { readonly do: 'cas'; readonly expected: string; readonly value: string };

/** `value` of a get: what it found, `''` for a key that is not there. `found` of a compare-and-swap that did not write: what was there. */
export type Answered = { readonly value: string } | { readonly succeeded: boolean; readonly found: string } | undefined;

export interface Operation {
  readonly client: number;
  readonly key: string;
  readonly do: Asked['do'];
  readonly value: string;
  readonly expected?: string;
  readonly succeeded?: boolean;
  readonly found?: string;
  /** Nanoseconds. */
  readonly call: number;
  /** Absent: nobody knows whether it was done, or when. */
  readonly return?: number;
}

/** A call under way. */
export interface OpenCall {
  /** It was done, and this is the answer. */
  answered(answer?: Answered): void;
  /** It may have been done, and may still be. */
  lost(): void;
  /** It was not done, and will not be. */
  refused(): void;
}

/** The operations of concurrent clients, with the times between which each took effect. */
export class History {
  readonly #operations: Operation[] = [];
  readonly #nowNs: () => number;

  /** @param nowNs one monotonic clock for all clients. @defaultValue that of this process */
  constructor(nowNs: () => number = () => Math.round(performance.now() * 1e6)) {
    this.#nowNs = nowNs;
  }

  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /** How many have an outcome that is not known. */
  get lost(): number {
    return this.#operations.filter((operation) => operation.return === undefined).length;
  }

  begin(client: number, key: string, asked: Asked): OpenCall {
    const call = this.#nowNs();
    const ended = (answer: object): void => {
      this.#operations.push({ client, key, call, value: '', ...asked, ...answer });
    };
    return {
      answered: (answer) => ended({ ...answer, return: this.#nowNs() }),
      lost: () => ended({}),
      refused: () => undefined,
    };
  }
}
