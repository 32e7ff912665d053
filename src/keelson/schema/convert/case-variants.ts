/**
 * Letters that JavaScript takes for equal under the flag `i` without `u`: their upper case is one and the same UTF-16 unit, and a letter beyond ASCII never
 * equals one of ASCII. RE2's `(?i)` takes more for equal: `ſ` for `s`, the Kelvin sign for `k`.
 */
export interface UnitRange {
  readonly first: number;
  readonly last: number;
}

const ASCII_END = 0x7f;
const UNITS_END = 0xffff;

function canonical(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const code = upper.charCodeAt(0);
  return upper.length !== 1 || (unit > ASCII_END && code <= ASCII_END) ? unit : code;
}

let unitsOfCanonical: ReadonlyMap<number, readonly number[]> | undefined;

/** Made once, at the first pattern that needs it: 65,408 units take some milliseconds. */
function beyondAscii(): ReadonlyMap<number, readonly number[]> {
  if (unitsOfCanonical !== undefined) return unitsOfCanonical;
  const found = new Map<number, number[]>();
  for (let unit = ASCII_END + 1; unit <= UNITS_END; unit += 1) {
    const key = canonical(unit);
    const known = found.get(key);
    if (known === undefined) found.set(key, [unit]);
    else known.push(unit);
  }
  unitsOfCanonical = found;
  return found;
}

/** All units that equal `unit`, itself among them. */
function variantsOf(unit: number): readonly number[] {
  if (unit > ASCII_END) return beyondAscii().get(canonical(unit)) ?? [unit];
  const other = String.fromCharCode(unit);
  const flipped = other === other.toLowerCase() ? other.toUpperCase() : other.toLowerCase();
  return flipped === other ? [unit] : [unit, flipped.charCodeAt(0)];
}

/** Characters that equal a unit of `range` and lie outside of it, as ranges in order. */
export function addedVariants({ first, last }: UnitRange): readonly UnitRange[] {
  const added = new Set<number>();
  for (let unit = first; unit <= Math.min(last, UNITS_END); unit += 1) {
    for (const variant of variantsOf(unit)) if (variant < first || variant > last) added.add(variant);
  }
  const ranges: { first: number; last: number }[] = [];
  for (const unit of [...added].sort((left, right) => left - right)) {
    const previous = ranges.at(-1);
    if (previous !== undefined && previous.last === unit - 1) previous.last = unit;
    else ranges.push({ first: unit, last: unit });
  }
  return ranges;
}
