/** Remembers whom an object concerned when it was last seen: those that it does not concern any more have to look again, too. */
export class Memberships {
  readonly #keys = new Map<string, readonly string[]>();

  /** @returns the keys that are concerned: now, and until now */
  update(uid: string, keys: readonly string[], isGone: boolean): ReadonlySet<string> {
    const before = this.#keys.get(uid) ?? [];
    if (isGone || keys.length === 0) this.#keys.delete(uid);
    else this.#keys.set(uid, keys);
    return new Set([...before, ...keys]);
  }
}
