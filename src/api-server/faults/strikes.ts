/** How often a fault strikes. */
export interface StrikeOptions {
  /** This many matches pass unharmed before. Default 0. */
  readonly after?: number;
  /** Most strikes. */
  readonly times?: number;
}

/** An ordered fault, as its author holds it. */
export interface OrderedFault {
  /** How often it has struck. */
  readonly strikes: number;
  /** Resolves when it has struck for the first time. */
  readonly struck: Promise<void>;
  /** Ends the strikes. Requests and events that are held back are let go. */
  remove(): void;
}

/** Counts the matches of one fault. */
export class Strikes implements OrderedFault {
  readonly struck: Promise<void>;
  readonly #onRemove: () => void;
  #resolveStruck: () => void = () => undefined;
  #toPass: number;
  #left: number;
  #strikes = 0;

  constructor({ after = 0, times = Number.POSITIVE_INFINITY }: StrikeOptions, onRemove: () => void) {
    this.#toPass = after;
    this.#left = times;
    this.#onRemove = onRemove;
    this.struck = new Promise((resolve) => {
      this.#resolveStruck = resolve;
    });
  }

  get strikes(): number {
    return this.#strikes;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** A match has come. @returns whether the fault strikes it */
  takes(): boolean {
    if (this.isSpent) return false;
    if (this.#toPass > 0) {
      this.#toPass -= 1;
      return false;
    }
    this.strike();
    return true;
  }

  strike(): void {
    this.#left -= 1;
    this.#strikes += 1;
    this.#resolveStruck();
  }

  remove(): void {
    this.#left = 0;
    this.#onRemove();
  }
}
