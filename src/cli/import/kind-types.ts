import { apiVersionOf, isRecord } from '@keelson/kubernetes/apimachinery';
import { ImportError } from '../errors.js';
import { arrayOf, type Declaration, type InterfaceDeclaration, type PropertyDeclaration, quote } from '../generate/index.js';
import type { JsonObject } from './crd-documents.js';
import type { CustomKind } from './custom-kind.js';

/** Names that a generated module imports: nothing it declares may be called so. */
export const LIBRARY_NAMES: ReadonlySet<string> = new Set(['defineKind', 'IntOrString', 'Kind', 'NamedMeta', 'ObjectMeta', 'Quantity']);

/** A kind under its name in the module. */
export interface NamedKind extends CustomKind {
  readonly local: string;
}

/** Names that a module has declared or imported. */
export interface ModuleNames {
  readonly taken: Set<string>;
  readonly imported: Set<string>;
}

/**
 * Writes the declarations of one kind: an interface for each object of its schema, called by kind and path, and the `Kind` value.
 *
 * A field is required where the schema requires it and gives no default: what has a default may be left out when writing.
 */
export class KindTypes {
  readonly #kind: NamedKind;
  readonly #names: ModuleNames;
  readonly #descriptions: boolean;
  readonly #nested: InterfaceDeclaration[] = [];

  constructor(kind: NamedKind, names: ModuleNames, descriptions: boolean) {
    this.#kind = kind;
    this.#names = names;
    this.#descriptions = descriptions;
  }

  declarations(): readonly Declaration[] {
    const { group, version, kind, local, plural, scope, subresources, schema, schemaPath } = this.#kind;
    const properties = this.#children(schema, schemaPath);
    const rest = properties.filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name));
    const fields = rest.map(([name, child]) => this.#property({ name, child, parent: schema, typeName: local, path: schemaPath }));
    const documentation = [this.#description(schema), this.#deprecation()].filter((text) => text !== undefined).join('\n\n') || undefined;
    const head = this.#head();
    const read: InterfaceDeclaration = { is: 'interface', name: local, properties: [...head, ...fields], documentation };
    const written = fields.map((field) => (field.name === 'status' ? { ...field, required: false } : field));
    const differs = fields.some((field) => field.name === 'status' && field.required);
    const input = differs ? this.#unique(`${local}Input`) : undefined;
    const inputs: InterfaceDeclaration[] = input === undefined ? [] : [{ is: 'interface', name: input, properties: [...head, ...written] }];
    this.#names.imported.add('Kind');
    return [
      read,
      ...inputs,
      { is: 'kind', name: local, input, group, version, kind, plural, scope, subresources, documentation: this.#deprecation() },
      ...this.#nested,
    ];
  }

  #head(): PropertyDeclaration[] {
    const { group, version, kind } = this.#kind;
    return [
      { name: 'apiVersion', type: quote(apiVersionOf({ group, version })), required: true },
      { name: 'kind', type: quote(kind), required: true },
      { name: 'metadata', type: this.#library('NamedMeta'), required: true },
    ];
  }

  #property({ name, child, parent, typeName, path }: Place): PropertyDeclaration {
    const required = Array.isArray(parent['required']) && parent['required'].includes(name) && child['default'] === undefined;
    const type = this.#typeOf(child, `${typeName}${pascal(name)}`, `${path}.properties.${name}`);
    return { name, type, required, documentation: this.#description(child) };
  }

  #typeOf(schema: JsonObject, name: string, path: string): string {
    const type = this.#plainType(schema, name, path);
    return schema['nullable'] === true && type !== 'unknown' && !/(^| )null$/.test(type) ? `${type} | null` : type;
  }

  #plainType(schema: JsonObject, name: string, path: string): string {
    if (schema['x-kubernetes-int-or-string'] === true) return this.#library(isQuantity(schema) ? 'Quantity' : 'IntOrString');
    if (schema['x-kubernetes-embedded-resource'] === true) return this.#object(schema, name, path);
    const literals = literalsOf(schema['enum']);
    if (literals !== undefined) return literals.join(' | ');
    switch (schema['type']) {
      case 'object':
        return this.#object(schema, name, path);
      case 'array':
        return arrayOf(this.#typeOf(this.#child(schema, 'items', path), name, `${path}.items`));
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
        return schema['type'];
      default:
        return this.#untyped(schema, path);
    }
  }

  #untyped(schema: JsonObject, path: string): string {
    if (schema['type'] !== undefined)
      this.#refuse(`${path}.type`, `is ${JSON.stringify(schema['type'])}, which is not a type of a CRD schema`);
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return 'unknown';
    return this.#refuse(
      path,
      'has no type: a structural schema names one, or sets x-kubernetes-preserve-unknown-fields or x-kubernetes-int-or-string',
    );
  }

  #object(schema: JsonObject, name: string, path: string): string {
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    const children = this.#children(schema, path).filter(([child]) => !embedded || !['apiVersion', 'kind', 'metadata'].includes(child));
    if (children.length === 0 && !embedded) return this.#map(schema, name, path);
    const typeName = this.#unique(name);
    // The place is taken before the children are visited: an outer interface stands above its inner ones.
    const index = this.#nested.push({ is: 'interface', name: typeName, properties: [] }) - 1;
    const properties = children.map(([child, childSchema]) =>
      this.#property({ name: child, child: childSchema, parent: schema, typeName, path }),
    );
    const indexType = schema['x-kubernetes-preserve-unknown-fields'] === true ? 'unknown' : undefined;
    this.#nested[index] = {
      is: 'interface',
      name: typeName,
      properties: [...(embedded ? this.#embeddedHead() : []), ...properties],
      indexType,
    };
    return typeName;
  }

  #embeddedHead(): PropertyDeclaration[] {
    return [
      { name: 'apiVersion', type: 'string', required: true },
      { name: 'kind', type: 'string', required: true },
      { name: 'metadata', type: this.#library('ObjectMeta'), required: false },
    ];
  }

  /** Not `Record`: a CRD may declare a kind of that name. */
  #map(schema: JsonObject, name: string, path: string): string {
    const values = schema['additionalProperties'];
    if (!isRecord(values)) return '{ readonly [key: string]: unknown }';
    return `{ readonly [key: string]: ${this.#typeOf(values, name, `${path}.additionalProperties`)} }`;
  }

  #children(schema: JsonObject, path: string): [string, JsonObject][] {
    const properties = schema['properties'];
    if (properties === undefined) return [];
    if (!isRecord(properties)) this.#refuse(`${path}.properties`, 'is not an object');
    return Object.keys(properties as JsonObject).map((name) => [name, this.#child(properties as JsonObject, name, `${path}.properties`)]);
  }

  #child(parent: JsonObject, key: string, path: string): JsonObject {
    const child = parent[key];
    if (isRecord(child)) return child;
    return this.#refuse(`${path}.${key}`, child === undefined ? 'is missing' : `is ${JSON.stringify(child)}, expected a schema`);
  }

  #library(name: string): string {
    this.#names.imported.add(name);
    return name;
  }

  #unique(name: string): string {
    let unique = name;
    for (let count = 2; this.#names.taken.has(unique); count += 1) unique = `${name}${count}`;
    this.#names.taken.add(unique);
    return unique;
  }

  #description(schema: JsonObject): string | undefined {
    return this.#descriptions && typeof schema['description'] === 'string' ? schema['description'] : undefined;
  }

  #deprecation(): string | undefined {
    return this.#kind.deprecation === undefined ? undefined : `@deprecated ${this.#kind.deprecation}`;
  }

  #refuse(path: string, problem: string): never {
    throw new ImportError(`${this.#kind.place}: ${path}: ${problem}`);
  }
}

interface Place {
  readonly name: string;
  readonly child: JsonObject;
  readonly parent: JsonObject;
  readonly typeName: string;
  readonly path: string;
}

/** The values of an enumeration; `undefined` for none, and for objects and lists, which have no literal type. */
function literalsOf(values: unknown): readonly string[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined;
  return [...new Set(values.map((value: unknown) => (typeof value === 'string' ? quote(value) : String(value))))];
}

/** controller-gen marks a quantity by nothing but the pattern of its suffixes. */
function isQuantity(schema: JsonObject): boolean {
  return typeof schema['pattern'] === 'string' && schema['pattern'].includes('[numkMGTPE]');
}

/** A name in Pascal case, which TypeScript can have. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
