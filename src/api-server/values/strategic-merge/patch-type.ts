import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { Definitions, OpenApiSchema } from '../apply/index.js';
import { plainProblem } from './problems.js';

/** How a field is patched. */
export interface PatchRule {
  readonly strategy: string;
  /** Empty: the items of a merged list are scalars. */
  readonly mergeKey: string;
  /** Type of the field's value; of a list, that of its items. */
  readonly type: PatchType;
}

/** The facts of a type that a strategic merge patch needs: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key` of its fields. */
export class PatchType {
  readonly #schema: OpenApiSchema;
  readonly #definitions: Definitions;
  readonly #name: string;

  /** @param name of the Go type, as messages have it. */
  private constructor(name: string, schema: OpenApiSchema, definitions: Definitions) {
    this.#name = name;
    this.#schema = schema;
    this.#definitions = definitions;
  }

  /** @throws PatchRefused (500) if the definition is missing. */
  static of(definition: string, definitions: Definitions): PatchType {
    const schema = definitions(definition);
    if (schema === undefined) throw plainProblem(`unable to resolve ${definition} in OpenAPI V3`);
    return new PatchType(definition.slice(definition.lastIndexOf('.') + 1), schema, definitions);
  }

  get kind(): string {
    const { type, properties, additionalProperties } = this.#schema;
    if (additionalProperties !== undefined && properties === undefined) return 'map';
    if (type === 'array') return 'slice';
    return type === undefined || type === 'object' ? 'struct' : type;
  }

  rule(field: string): PatchRule {
    const schema = this.#field(field);
    return { ...strategyOf(schema), type: this.#typeOf(schema) };
  }

  /** As {@link rule}, for a field whose value is a list. */
  listRule(field: string): PatchRule {
    const schema = this.#field(field);
    return { ...strategyOf(schema), type: this.#typeOf(schema.items ?? schema) };
  }

  #field(name: string): OpenApiSchema {
    if (this.kind !== 'struct') {
      throw plainProblem(`merging an object in json but data type is not struct, instead is: ${this.kind}`);
    }
    const { properties = {} } = this.#schema;
    // Go's decoder would take a name in other letters too.
    const key = Object.hasOwn(properties, name)
      ? name
      : Object.keys(properties).find((other) => other.toLowerCase() === name.toLowerCase());
    const field = key === undefined ? undefined : properties[key];
    if (field !== undefined) return field;
    throw plainProblem(`unable to find api field in struct ${this.#name} for the json field ${goQuote(name)}`);
  }

  #typeOf(schema: OpenApiSchema): PatchType {
    const path = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (path === undefined) return new PatchType('', schema, this.#definitions);
    return PatchType.of(path.slice(path.lastIndexOf('/') + 1), this.#definitions);
  }
}

/** Without `retainKeys`, which matters only to the maker of a patch. */
function strategyOf(schema: OpenApiSchema): Pick<PatchRule, 'strategy' | 'mergeKey'> {
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',').filter((strategy) => strategy !== 'retainKeys');
  if (strategies.length > 1) throw plainProblem(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return { strategy: strategies[0] ?? '', mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '' };
}
