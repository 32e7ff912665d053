import { isError } from '@keelson/kubernetes/apimachinery';
import type { Logger } from 'keelson/internal/definition';

const MOST = 50;

/** Warnings and errors that the operator of a run has logged. */
export class ProblemLog {
  readonly logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message, fields) => this.#note(message, fields),
    error: (message, fields) => this.#note(message, fields),
  };
  readonly #namespace: string;
  readonly #problems: string[] = [];

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  /** The last three that differ. */
  get last(): readonly string[] {
    return [...new Set(this.#problems)].slice(-3);
  }

  #note(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { error, object } = fields;
    const why = isError(error) ? `: ${error.message}` : '';
    this.#problems.push(`${message}${typeof object === 'string' ? ` (${object.replace(`${this.#namespace}/`, '')})` : ''}${why}`);
    if (this.#problems.length > MOST) this.#problems.shift();
  }
}
