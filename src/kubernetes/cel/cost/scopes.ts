import type { FieldPath } from './path.js';
import { type SizeRange, union } from './range.js';

/** How large the keys (or indices) and the values of a list or map are. */
export interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

export function unionOfEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

/** A variable of a macro. */
export interface LocalVariable {
  readonly path: FieldPath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySize | undefined;
}

/** The variables of the macros around an expression; the innermost of a name counts. */
export class Scopes {
  readonly #variables = new Map<string, LocalVariable[]>();

  push(name: string, variable: LocalVariable): void {
    const known = this.#variables.get(name);
    if (known === undefined) this.#variables.set(name, [variable]);
    else known.push(variable);
  }

  pop(name: string): void {
    this.#variables.get(name)?.pop();
  }

  find(name: string): LocalVariable | undefined {
    return this.#variables.get(name)?.at(-1);
  }
}
