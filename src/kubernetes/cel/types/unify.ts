import { type CelType, DYN, nameOf, partsOf, sameType, withParts } from './type.js';

/**
 * Substitutions of type parameters, and whether one type may stand where another is wanted.
 *
 * The rules are those of cel-go's checker, kept to the letter where they are odd: which of two types wins decides later messages.
 */
export class Unifier {
  readonly #bindings = new Map<string, CelType>();
  /** The bindings made since, newest last, with their meaning before: undoing costs what was done, a copy would cost all there is. */
  readonly #trail: (readonly [name: string, before: CelType | undefined])[] = [];
  #next = 0;

  /** A type parameter that nothing else uses. */
  fresh(): CelType {
    return { kind: 'parameter', name: `_var${this.#next++}` };
  }

  /** Whether every value of `actual` fits the place of `wanted`, position by position; learns bindings if they all do. */
  assignAll(actual: readonly CelType[], wanted: readonly CelType[]): boolean {
    this.#trail.length = 0;
    if (this.#fitsAll(actual, wanted)) return true;
    for (const [name, before] of this.#trail.toReversed()) {
      if (before === undefined) this.#bindings.delete(name);
      else this.#bindings.set(name, before);
    }
    return false;
  }

  assign(actual: CelType, wanted: CelType): boolean {
    return this.assignAll([actual], [wanted]);
  }

  /** Replaces bound parameters; what stays unbound becomes dyn if `close`. */
  substitute(type: CelType, close: boolean): CelType {
    if (type.kind === 'parameter') {
      const bound = this.#bindings.get(type.name);
      if (bound !== undefined) return this.substitute(bound, close);
      return close ? DYN : type;
    }
    const parts = partsOf(type);
    return parts.length === 0
      ? type
      : withParts(
          type,
          parts.map((part) => this.substitute(part, close)),
        );
  }

  #fitsAll(actual: readonly CelType[], wanted: readonly CelType[]): boolean {
    return actual.length === wanted.length && actual.every((type, index) => this.#fits(type, wanted[index] as CelType));
  }

  #fits(a: CelType, b: CelType): boolean {
    if (b.kind === 'parameter') {
      const { valid, bound } = this.#bind(a, b);
      if (valid) return true;
      if (bound) return false;
    }
    if (a.kind === 'parameter') return this.#bind(b, a).valid;
    if (isWild(a) || isWild(b)) return true;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    return a.kind === b.kind && nameOf(a) === nameOf(b) && this.#fitsAll(partsOf(a), partsOf(b));
  }

  /** Whether `type` may stand for the parameter; `bound`: it has a meaning already. */
  #bind(type: CelType, parameter: CelType & { kind: 'parameter' }): { valid: boolean; bound: boolean } {
    if (sameType(type, parameter)) return { valid: true, bound: true };
    const known = this.#bindings.get(parameter.name);
    if (known !== undefined) {
      if (sameType(type, known)) return { valid: true, bound: true };
      if (!this.#fits(type, known)) return { valid: false, bound: true };
      const general = mostGeneral(type, known);
      if (!this.#occursIn(parameter, general)) this.#set(parameter.name, general);
      return { valid: true, bound: true };
    }
    if (this.#occursIn(parameter, type)) return { valid: false, bound: false };
    this.#set(parameter.name, type);
    return { valid: true, bound: false };
  }

  #set(name: string, type: CelType): void {
    this.#trail.push([name, this.#bindings.get(name)]);
    this.#bindings.set(name, type);
  }

  #occursIn(parameter: CelType, type: CelType): boolean {
    if (sameType(parameter, type)) return true;
    if (type.kind === 'parameter') {
      const bound = this.#bindings.get(type.name);
      return bound !== undefined && this.#occursIn(parameter, bound);
    }
    return partsOf(type).some((part) => this.#occursIn(parameter, part));
  }
}

function isWild(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** null fits what a protobuf message could be. */
function isNullable(type: CelType): boolean {
  return ['null', 'opaque', 'object', 'timestamp', 'duration'].includes(type.kind);
}

/** The more general of two types that fit each other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (nameOf(a) !== nameOf(b)) return false;
  const left = partsOf(a);
  const right = partsOf(b);
  return left.length === right.length && left.every((part, index) => isLessSpecific(part, right[index] as CelType));
}
