import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import {
  applyDefaults,
  createValidator,
  dropForbiddenNulls,
  fillDefaults,
  hasEmbeddedObjects,
  prune,
  type Validator,
} from '@keelson/kubernetes/structural';
import type { GoTypes } from '../../values/index.js';
import { coerceEmbedded } from './embedded-metadata.js';

export interface CoerceOptions {
  /** Collects what is dropped, as strict decoding complains of it. */
  readonly unknown?: string[];
}

/** The effect of the schema of one version on values. A version without a schema lets everything pass. */
export class VersionSchema {
  readonly #schema: StructuralSchema | undefined;
  /** The root is an object with metadata, whatever the schema says. */
  readonly #root: StructuralSchema | undefined;
  readonly #prunes: boolean;
  readonly #hasEmbedded: boolean;
  #validator: Validator | undefined;

  constructor(schema: StructuralSchema | undefined, { prunes }: { readonly prunes: boolean }) {
    this.#schema = schema;
    this.#root = { ...schema, 'x-kubernetes-embedded-resource': true };
    this.#prunes = prunes;
    this.#hasEmbedded = hasEmbeddedObjects(schema);
  }

  /** Compiled when the first value is validated. */
  get validator(): Validator {
    this.#validator ??= createValidator(this.#schema ?? {});
    return this.#validator;
  }

  /** Drops what the schema does not know and nulls that it forbids, and coerces the metadata of embedded objects. @throws GoDecodeError for such metadata */
  coerce(value: Json, types: GoTypes, { unknown }: CoerceOptions = {}): Json {
    const dropped: string[] = [];
    const pruned = this.#prunes ? this.#pruned(value, unknown === undefined ? undefined : dropped) : value;
    const embedded: string[] = [];
    const coerced = this.#hasEmbedded ? coerceEmbedded(this.#schema as StructuralSchema, pruned, { types, unknown: embedded }) : pruned;
    unknown?.push(...dropped.sort().map((path) => `unknown field "${path}"`), ...embedded.sort());
    return coerced;
  }

  /** Nulls that are forbidden stay, unless there is a default: {@link coerce} drops them. */
  filled(value: Json): Json {
    return this.#schema === undefined ? value : fillDefaults(this.#schema, value);
  }

  withDefaults(value: Json): Json {
    return this.#schema === undefined ? value : applyDefaults(this.#schema, value);
  }

  #pruned(value: Json, dropped: string[] | undefined): Json {
    const root = this.#root as StructuralSchema;
    const pruned = prune(root, value);
    // A path is only made where it is reported: mostly nothing is dropped.
    if (pruned !== value && dropped !== undefined) prune(root, value, { onUnknownField: (path) => dropped.push(path) });
    return this.#schema === undefined ? pruned : dropForbiddenNulls(this.#schema, pruned);
  }
}
