import { ImportError, ScaffoldError } from './errors.js';

/** The mistakes of several files, which are shown together. */
export class Collected {
  readonly #messages: string[] = [];
  readonly #kinds = new Set<string>();

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** The result as a list of one; empty if it could not be made. @param kind what `--skip` leaves out, if that mends it */
  try<T>(make: () => T, kind?: string): readonly T[] {
    try {
      return [make()];
    } catch (error) {
      if (!(error instanceof ImportError || error instanceof ScaffoldError)) throw error;
      this.#messages.push(error.message);
      if (kind !== undefined) this.#kinds.add(kind);
      return [];
    }
  }

  /** @throws ErrorClass with all messages, and how to go on without the kinds that have them */
  refuse(ErrorClass: typeof ImportError | typeof ScaffoldError): void {
    if (this.#messages.length === 0) return;
    const kinds = [...this.#kinds];
    const skip =
      kinds.length === 0
        ? ''
        : `\nTo go on without ${kinds.length === 1 ? 'it' : 'them'}: ${kinds.map((kind) => `--skip ${kind}`).join(' ')}`;
    const head = this.#messages.length === 1 ? '' : `${this.#messages.length} problems:\n`;
    throw new ErrorClass(`${head}${this.#messages.join('\n')}${skip}`);
  }
}
