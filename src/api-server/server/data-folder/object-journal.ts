import { closeSync, existsSync, fsyncSync, ftruncateSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteJournal, WriteRecord } from '../../store/index.js';
import { ApiServerError } from '../errors.js';
import { openNew } from './folder-access.js';

const FORMAT = 1;
const FILE = 'objects.jsonl';
/** The file is written anew when so many bytes beyond the objects themselves, and as many as they have, are of the past. */
const MIN_WASTE = 64 * 1024 * 1024;

/** One line of the file: a write. Without `object` it is a deletion. */
interface Line {
  readonly revision: number;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object?: WriteRecord['object'];
}

/** All that a journal holds: the objects as they are, and the revision of the last write. */
export interface Journaled {
  readonly revision: number;
  readonly records: readonly WriteRecord[];
}

/**
 * The writes of a store as lines of a file.
 *
 * Guarantees: a write that was acknowledged is in the file, handed to the operating system: it survives the end of the process in whatever way, not a loss of
 * power. A write that the file cannot take is refused and leaves no trace. A line that was cut off by the end of the process was never acknowledged: it is dropped.
 * Assumptions: one process at a time ({@link FolderLock}).
 */
export class ObjectJournal implements WriteJournal {
  readonly #path: string;
  #file: number;
  /** Bytes of whole lines: the next one begins there. */
  #size = 0;
  #sizeAfterRewrite = 0;

  /** @param content written as the beginning of a new file */
  constructor(folder: string, content: Journaled) {
    this.#path = join(folder, FILE);
    this.#file = this.#rewritten(content);
  }

  append({ key, revision, object }: WriteRecord): void {
    const { resource, namespace, name } = key;
    const line: Line = { revision, resource, namespace, name, ...(object && { object }) };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      writeAll(this.#file, bytes, this.#size);
    } catch (error) {
      // Half a line would spoil the next one.
      ftruncateSync(this.#file, this.#size);
      throw new ApiServerError(`${this.#path}: a write cannot be kept: ${(error as Error).message}; make room, then repeat the request`, {
        cause: error,
      });
    }
    this.#size += bytes.length;
  }

  /** `true` while so much of the file is outdated that it should be written anew. */
  get isWasteful(): boolean {
    return this.#size > Math.max(2 * this.#sizeAfterRewrite, this.#sizeAfterRewrite + MIN_WASTE);
  }

  /** Writes the file anew, with `content` alone. */
  rewrite(content: Journaled): void {
    const before = this.#file;
    this.#file = this.#rewritten(content);
    closeSync(before);
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #rewritten({ revision, records }: Journaled): number {
    const draft = `${this.#path}.new`;
    const file = openNew(draft);
    let size = 0;
    const put = (value: object): void => {
      const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
      writeAll(file, bytes, size);
      size += bytes.length;
    };
    try {
      put({ format: FORMAT, revision });
      for (const { key, revision: written, object } of records) put({ revision: written, ...key, object });
      fsyncSync(file);
      // The name now means the new file; the number of the open file stays good.
      renameSync(draft, this.#path);
    } catch (error) {
      closeSync(file);
      rmSync(draft, { force: true });
      throw error;
    }
    this.#size = size;
    this.#sizeAfterRewrite = size;
    return file;
  }
}

/** Reads the journal in `folder`. @returns undefined where no file is @throws ApiServerError for a file that is damaged, or of another format */
export function readJournal(folder: string): Journaled | undefined {
  const path = join(folder, FILE);
  if (!existsSync(path)) return undefined;
  const objects = new Map<string, WriteRecord>();
  let revision = 0;
  for (const [index, text] of wholeLines(readFileSync(path)).entries()) {
    const line = parsed(text, `${path}, line ${index + 1}`);
    if (index === 0) {
      if (line['format'] !== FORMAT) throw new ApiServerError(`${path}: is of another format than ${FORMAT}; start with an empty folder`);
      revision = Number(line['revision']);
      continue;
    }
    const { resource, namespace, name, object, revision: written } = line as unknown as Line;
    const id = JSON.stringify([resource, namespace, name]);
    objects.delete(id);
    if (object !== undefined) objects.set(id, { key: { resource, namespace, name }, revision: written, object });
    revision = Math.max(revision, written);
  }
  if (revision === 0) return undefined;
  return { revision, records: [...objects.values()].sort((left, right) => left.revision - right.revision) };
}

/** Bytes behind the last newline are of a write that was not acknowledged. */
function wholeLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; ; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) return lines;
    lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
}

function parsed(text: string, place: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new ApiServerError(`${place}: is damaged; restore the file, or start with an empty folder`, { cause: error });
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}
