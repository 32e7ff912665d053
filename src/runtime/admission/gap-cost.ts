import { isJsonObject, type Json, type JsonObject, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A value with its slot; an operation of a patch as an object, as text, and as text in base 64, in which its path is three times. */
const COST = { value: 64, operation: 512, perPathByte: 6, perDefaultByte: 8 } as const;

/**
 * Most bytes that filling in defaults takes, and the patch that names each of them if there is one.
 *
 * An object that comes through an API server has its defaults. One from anywhere else may be a list of a hundred thousand empty objects, each of which gets all of
 * them, with the whole path to each in the patch.
 */
export function gapCost(schema: StructuralSchema, object: JsonObject, isPatched: boolean): number {
  return new Gaps(isPatched).below(schema, object, 0);
}

class Gaps {
  readonly #isPatched: boolean;
  readonly #lengths = new Map<StructuralSchema, number>();

  constructor(isPatched: boolean) {
    this.#isPatched = isPatched;
  }

  below(schema: StructuralSchema, value: Json, path: number): number {
    if (Array.isArray(value)) return this.#items(schema.items, value, path);
    return isJsonObject(value) ? this.#fields(schema, value, path) : 0;
  }

  #items(schema: StructuralSchema | undefined, items: readonly Json[], path: number): number {
    if (schema === undefined) return 0;
    let sum = 0;
    // Ten digits of an index at most.
    for (const item of items) sum += item === null ? this.#gap(schema, path + 11) : this.below(schema, item, path + 11);
    return sum;
  }

  #fields({ properties = {}, additionalProperties }: StructuralSchema, object: JsonObject, path: number): number {
    let sum = 0;
    for (const name of Object.keys(properties)) {
      const property = properties[name] as StructuralSchema;
      if (property.default !== undefined && !Object.hasOwn(object, name)) sum += this.#gap(property, path + name.length + 1);
    }
    for (const name of Object.keys(object)) {
      const field = object[name] as Json;
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const schema = own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (schema === undefined) continue;
      const below = path + name.length + 1;
      sum += field === null ? this.#gap(schema, below) : this.below(schema, field, below);
    }
    return sum;
  }

  #gap(schema: StructuralSchema, path: number): number {
    const filled = COST.value + COST.perDefaultByte * this.#length(schema);
    return this.#isPatched ? filled + COST.operation + COST.perPathByte * path : filled;
  }

  #length(schema: StructuralSchema): number {
    let length = this.#lengths.get(schema);
    if (length === undefined) {
      length = schema.default === undefined ? 0 : JSON.stringify(schema.default).length;
      this.#lengths.set(schema, length);
    }
    return length;
  }
}
