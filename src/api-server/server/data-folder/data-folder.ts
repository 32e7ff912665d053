import { mkdirSync } from 'node:fs';
import type { Store } from '../../store/index.js';
import { accessing } from './folder-access.js';
import { FolderLock } from './folder-lock.js';
import { ObjectJournal, readJournal } from './object-journal.js';

/** The folder in which a server keeps its objects over a restart. */
export class DataFolder {
  readonly #lock: FolderLock;
  readonly #folder: string;
  #journal: ObjectJournal | undefined;

  /** @throws ApiServerError if the folder cannot be had */
  constructor(folder: string) {
    accessing(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    this.#folder = folder;
    this.#lock = accessing(folder, () => new FolderLock(folder));
  }

  /** Fills a store that is empty with the objects of the folder, and keeps its writes from then on. */
  attach(store: Store): void {
    const kept = accessing(this.#folder, () => readJournal(this.#folder));
    if (kept !== undefined) store.restore(kept);
    const journal = accessing(this.#folder, () => new ObjectJournal(this.#folder, kept ?? { revision: store.revision, records: [] }));
    this.#journal = journal;
    store.journal = {
      append(record) {
        // Before the write: the store does not know it yet.
        if (journal.isWasteful) journal.rewrite({ revision: store.revision, records: store.records() });
        journal.append(record);
      },
    };
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
    this.#lock.release();
  }
}
