import type { ApiServer } from '@keelson/api-server';

/** Rounds of the event loop without anything new: work that was due has begun. */
const STILL_TURNS = 3;
/** While a request hangs: it waits for a timer, as nothing goes over sockets. */
const HANGING_TURNS = 6;
const RESTLESS_TURNS = 2_000;
/** Enough for what is under way to end, where an operator that sees an old state may be busy until the clock moves. */
const TURNS_BEHIND = 300;

/** Waits for the moment at which all that is left to be done waits for the clock. */
export class Still {
  readonly #server: ApiServer;
  #stirs = 0;

  constructor(server: ApiServer) {
    this.#server = server;
  }

  /** Something has happened. */
  stir(): void {
    this.#stirs += 1;
  }

  /**
   * @param isBehind whether an operator may be busy for as long as the clock stands still
   * @returns false when it never rests: that cannot stop time
   */
  async come(isBehind: () => boolean = () => false): Promise<boolean> {
    let last = '';
    for (let [turns, all] = [0, 0]; turns < STILL_TURNS || (turns < HANGING_TURNS && !this.#isIdle); turns += 1, all += 1) {
      if (all > RESTLESS_TURNS || (all > TURNS_BEHIND && isBehind())) return false;
      await new Promise((resolve) => setImmediate(resolve));
      const now = `${this.#stirs} ${this.#server.core.store.revision}`;
      if (now !== last) turns = 0;
      last = now;
    }
    return true;
  }

  get #isIdle(): boolean {
    return this.#server.isQuiet && this.#server.isIdle;
  }
}
