import { ImportError } from '../errors.js';

/** A schema of a CRD nests some 40 levels; recursion into it must end long before the stack does. */
const MOST_LEVELS = 500;
/** The largest CRDs have some 30,000 values. Aliases can make a million of a few lines. */
const MOST_VALUES = 1_000_000;

/**
 * Refuses a document that cannot be walked through: one that holds itself by an alias, is nested without end, or unfolds to too much.
 *
 * @throws ImportError naming place and path
 */
export function checkTree(value: unknown, place: string): void {
  new TreeCheck(place).visit(value, '');
}

class TreeCheck {
  readonly #place: string;
  readonly #above = new Set<object>();
  #left = MOST_VALUES;

  constructor(place: string) {
    this.#place = place;
  }

  visit(value: unknown, path: string): void {
    this.#left -= 1;
    if (this.#left < 0) this.#refuse(path, `holds more than ${MOST_VALUES} values once its aliases are followed; write it without aliases`);
    if (typeof value !== 'object' || value === null) return;
    if (this.#above.has(value)) this.#refuse(path, 'is an alias of what it stands in, so it would never end; write it without the alias');
    if (this.#above.size >= MOST_LEVELS) this.#refuse(path, `is nested more than ${MOST_LEVELS} levels deep, which no CRD is`);
    this.#above.add(value);
    for (const [name, field] of Object.entries(value))
      this.visit(field, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
    this.#above.delete(value);
  }

  #refuse(path: string, problem: string): never {
    const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
    throw new ImportError(`${this.#place}: ${shown === '' ? 'the document' : shown} ${problem}`);
  }
}
