import type { Terminal } from '../terminal.js';

const CLEAR_BELOW = '\u001B[J';
const upBy = (lines: number): string => (lines === 0 ? '' : `\u001B[${lines}A`);

/**
 * Lines that stay at the bottom of the terminal while others scroll above them.
 *
 * Without a screen nothing stays: {@link show} does nothing.
 */
export class Footer {
  readonly #terminal: Terminal;
  #lines: readonly string[] = [];
  #shown = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Writes whole lines above the footer. */
  write(text: string): void {
    this.#terminal.out(`${this.#erased()}${text}${this.#drawn()}`);
  }

  show(lines: readonly string[]): void {
    if (this.#terminal.screen === undefined || lines.join('\n') === this.#lines.join('\n')) return;
    const erased = this.#erased();
    this.#lines = lines;
    this.#terminal.out(`${erased}${this.#drawn()}`);
  }

  #erased(): string {
    return this.#shown === 0 ? '' : `\r${upBy(this.#shown)}${CLEAR_BELOW}`;
  }

  /** Cut to the screen: a line that wraps could not be erased. */
  #drawn(): string {
    const { screen } = this.#terminal;
    if (screen === undefined) return '';
    const lines = this.#lines.slice(0, Math.max(1, screen.rows() - 1)).map((line) => line.slice(0, Math.max(1, screen.columns() - 1)));
    this.#shown = lines.length;
    return lines.map((line) => `${line}\n`).join('');
  }
}
