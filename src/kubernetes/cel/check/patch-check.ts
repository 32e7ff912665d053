import type { CallNode, Expr, StructNode } from '../syntax/index.js';
import { type CelProblem, childrenOf, parse, positionAt } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import { APPLIED_OBJECT, JSON_PATCH } from '../types/index.js';
import { appendedElement } from './fold.js';

/** Where a value stands: the name that an `Object` there has to have, and what is known of its fields. */
interface Place {
  readonly name: string;
  readonly type: CelType | undefined;
}

/**
 * The mistakes of a patch that the API server finds at each request only, as far as they can be read from the text of the expression.
 *
 * - An `Object` whose name is not the path of the field that it stands in.
 * - A field that the object does not have.
 * - A list or a map of `Object`s as the value of a `JSONPatch`: a kube-apiserver panics at it before 1.37.
 *
 * @param objectType of the object that is patched; its fields must be all that there are. Absent: it may have any
 */
export function patchProblems(source: string, objectType?: CelType): readonly CelProblem[] {
  const parsed = parse(source, { lists: false, backticks: true });
  if (!parsed.ok) return [];
  const check = new PatchCheck(source, objectType);
  check.visit(parsed.expr, { name: APPLIED_OBJECT.name, type: objectType });
  return check.problems;
}

class PatchCheck {
  readonly problems: CelProblem[] = [];
  readonly #source: string;
  readonly #objectType: CelType | undefined;

  constructor(source: string, objectType: CelType | undefined) {
    this.#source = source;
    this.#objectType = objectType;
  }

  /** @param place undefined: of a value that the patch is only computed from */
  visit(expr: Expr, place: Place | undefined): void {
    switch (expr.node) {
      case 'struct':
        if (expr.name === JSON_PATCH.name) this.#operation(expr);
        else this.#object(expr, place);
        break;
      case 'list':
        for (const element of expr.elements) this.visit(element, inside(place, 'list'));
        break;
      case 'map':
        for (const { key, value } of expr.entries) {
          this.visit(key, undefined);
          this.visit(value, inside(place, 'map'));
        }
        break;
      case 'fold': {
        const appended = appendedElement(expr);
        if (appended !== undefined) this.visit(appended.element, inside(place, 'list'));
        break;
      }
      case 'call':
        this.#call(expr, place);
        break;
      default:
        for (const child of childrenOf(expr)) this.visit(child, undefined);
    }
  }

  /** The branches of a condition, the parts of a sum and what an optional holds stand where the call does. */
  #call(call: CallNode, place: Place | undefined): void {
    const [first, ...others] = call.args;
    if (first === undefined) return;
    const isCondition = call.name === '_?_:_';
    const passes = isCondition || call.name === '_+_' || call.name === 'of' || call.name === 'orValue';
    this.visit(first, passes && !isCondition ? place : undefined);
    for (const other of others) this.visit(other, passes ? place : undefined);
    if (call.target !== undefined) this.visit(call.target, call.name === 'orValue' ? place : undefined);
  }

  #object({ name, fields, at }: StructNode, place: Place | undefined): void {
    if (place !== undefined && name !== place.name)
      this.#report(
        at,
        `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(place.name)}: an Object is named by its field`,
      );
    for (const field of fields) {
      const type = place === undefined || name !== place.name ? undefined : place.type;
      const isUnknown = type?.kind === 'object' && !type.fields.has(field.name);
      if (isUnknown)
        this.#report(field.at, `field not declared in schema: the schema has no ${name.replace(/^Object\.?/, '')}.${field.name}`);
      this.visit(field.value, place && { name: `${name}.${field.name}`, type: fieldOf(type, field.name) });
    }
  }

  #operation({ fields }: StructNode): void {
    for (const { name, value } of fields) {
      if (name !== 'value') this.visit(value, undefined);
      else if (value.node === 'struct') this.visit(value, { name: value.name, type: this.#typeAt(value.name) });
      else this.#plainValue(value);
    }
  }

  #plainValue(value: Expr): void {
    if (value.node !== 'list' && value.node !== 'map') {
      this.visit(value, undefined);
      return;
    }
    const inner = value.node === 'list' ? value.elements : value.entries.map((entry) => entry.value);
    const object = inner.find((element) => element.node === 'struct');
    if (object === undefined) return;
    const text =
      'the value of a JSONPatch is a list or a map of Objects, at which a kube-apiserver before 1.37 panics; write dyn() around maps';
    this.#report(object.at, text);
  }

  #typeAt(name: string): CelType | undefined {
    return name.split('.').slice(1).reduce(fieldOf, this.#objectType);
  }

  #report(at: number, message: string): void {
    this.problems.push({ message, ...positionAt(this.#source, at) });
  }
}

/** The elements of a list, or the values of a map, are named as the field that holds them. */
function inside(place: Place | undefined, kind: 'list' | 'map'): Place | undefined {
  if (place === undefined) return undefined;
  const { type } = place;
  if (type?.kind === 'list' && kind === 'list') return { ...place, type: type.item };
  return { ...place, type: type?.kind === 'map' && kind === 'map' ? type.value : undefined };
}

/** Lists are passed through: their items are named as they are. */
function fieldOf(type: CelType | undefined, name: string): CelType | undefined {
  if (type?.kind === 'list') return fieldOf(type.item, name);
  if (type?.kind === 'map') return type.value;
  return type?.kind === 'object' ? type.fields.get(name) : undefined;
}
