import type { StoredObject } from '../cache/index.js';

/** The state right after the last apply. */
export interface VerifiedChild {
  readonly hash: string;
  readonly content: StoredObject;
  /** The server refuses the change, and the declaration says to leave it at that. */
  readonly isKept?: boolean | undefined;
}

/** By owner's uid, then by child; only of children that `covers` cannot recognize, or each child would be held twice. */
export class Verified {
  readonly #owners = new Map<string, Map<string, VerifiedChild>>();

  get(ownerUid: string, id: string): VerifiedChild | undefined {
    return this.#owners.get(ownerUid)?.get(id);
  }

  set(ownerUid: string, id: string, child: VerifiedChild): void {
    const known = this.#owners.get(ownerUid) ?? new Map<string, VerifiedChild>();
    this.#owners.set(ownerUid, known);
    known.set(id, child);
  }

  remove(ownerUid: string, id: string): void {
    const known = this.#owners.get(ownerUid);
    if (known?.delete(id) === true && known.size === 0) this.#owners.delete(ownerUid);
  }

  forget(ownerUid: string): void {
    this.#owners.delete(ownerUid);
  }
}
