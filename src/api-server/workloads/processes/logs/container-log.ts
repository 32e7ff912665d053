import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { LineCutter, type LogLine, parsedLine, storedText } from './log-line.js';

export interface ContainerLogOptions {
  readonly file: string;
  /** The size of both of its files together. */
  readonly maxBytes: number;
  readonly now: () => Date;
}

/**
 * The log of one run of a container, on disk: the newest lines in one file, older ones in another. When the first is full it takes the place of the second.
 *
 * Writes are synchronous: a line that was read from a program is in the file, and a program that writes faster than the disk waits.
 */
export class ContainerLog {
  readonly #options: ContainerLogOptions;
  readonly #followers = new Set<(line: LogLine | undefined) => void>();
  #file: number | undefined;
  #bytes = 0;
  #sources = 0;

  constructor(options: ContainerLogOptions) {
    this.#options = options;
    mkdirSync(dirname(options.file), { recursive: true });
    this.#file = openSync(options.file, 'a', 0o600);
  }

  /** A program still writes to it. */
  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Writes all that comes from a stream. The log is closed when all its streams have ended. */
  take(source: Readable, stream: LogLine['stream']): void {
    const cutter = new LineCutter();
    const write = (lines: ReturnType<LineCutter['end']>): void => {
      for (const { text, isPartial } of lines) this.#write({ time: this.#options.now(), stream, text, isPartial });
    };
    this.#sources += 1;
    source.on('data', (chunk: Buffer) => write(cutter.add(chunk)));
    source.once('close', () => {
      write(cutter.end());
      this.#sources -= 1;
      if (this.#sources === 0) this.close();
    });
  }

  lines(): readonly LogLine[] {
    return [this.#older, this.#options.file].flatMap((file) =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .flatMap((stored) => parsedLine(stored) ?? [])
        : [],
    );
  }

  /** Calls `listener` with each line that comes, and with undefined when none comes any more. @returns the way to end that */
  follow(listener: (line: LogLine | undefined) => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    for (const listener of [...this.#followers]) listener(undefined);
    this.#followers.clear();
  }

  remove(): void {
    this.close();
    for (const file of [this.#options.file, this.#older]) rmSync(file, { force: true });
  }

  get #older(): string {
    return `${this.#options.file}.1`;
  }

  #write(line: LogLine): void {
    if (this.#file === undefined) return;
    const bytes = Buffer.from(storedText(line));
    if (this.#bytes + bytes.length > this.#options.maxBytes / 2 && this.#bytes > 0) this.#rotate();
    writeSync(this.#file, bytes);
    this.#bytes += bytes.length;
    for (const listener of [...this.#followers]) listener(line);
  }

  #rotate(): void {
    closeSync(this.#file as number);
    renameSync(this.#options.file, this.#older);
    this.#file = openSync(this.#options.file, 'a', 0o600);
    this.#bytes = 0;
  }
}
