import {
  arrayOf,
  type Declaration,
  emitModule,
  type ImportDeclaration,
  type InterfaceDeclaration,
  type PropertyDeclaration,
  propertyName,
  quote,
} from '../../src/cli/index.js';
import { apiVersionOf } from '../../src/kubernetes/apimachinery/index.js';
import type { OpenApiSchema } from './api-documents.js';
import { type ApiModel, type ApiType, referenceOf, SHARED_TYPES } from './api-model.js';
import { MARKER } from './marker.js';

/** Types whose wire form is not an object, or whose OpenAPI document lacks their shape. */
const ALIASES: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'string | number',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'number | string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'string',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'Readonly<Record<string, unknown>>',
  'io.k8s.apimachinery.pkg.runtime.RawExtension': 'Readonly<Record<string, unknown>>',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': 'unknown',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': 'JSONSchemaProps | readonly JSONSchemaProps[]',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': 'JSONSchemaProps | boolean',
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray': 'JSONSchemaProps | readonly string[]',
};

export interface KindModule {
  readonly module: string;
  readonly text: string;
  /** Names of interfaces and aliases, and of kinds (value and interface). */
  readonly typeNames: readonly string[];
  readonly kindNames: readonly string[];
}

/** One TypeScript module for each group-version. */
export function kindModules(model: ApiModel): readonly KindModule[] {
  return model.modules.map((module) => new ModuleWriter(model, module).write());
}

class ModuleWriter {
  readonly #model: ApiModel;
  readonly #module: string;
  /** From other modules: module → names. */
  readonly #imported = new Map<string, Set<string>>();
  readonly #shared = new Set<string>();

  constructor(model: ApiModel, module: string) {
    this.#model = model;
    this.#module = module;
  }

  write(): KindModule {
    const types = [...this.#model.types.values()].filter((type) => type.module === this.#module && !SHARED_TYPES.has(type.fullName));
    types.sort((a, b) => (a.name < b.name ? -1 : 1));
    const declarations = types.flatMap((type) => this.#declarationsOf(type));
    const kinds = types.filter((type) => type.resource !== undefined);
    const text = emitModule({ marker: MARKER, imports: this.#imports(kinds.length > 0), declarations });
    const kindNames = kinds.map((type) => type.name);
    const typeNames = declarations.filter(({ is, name }) => is !== 'kind' && !kindNames.includes(name)).map(({ name }) => name);
    return { module: this.#module, text, typeNames, kindNames };
  }

  #imports(hasKinds: boolean): ImportDeclaration[] {
    const imports: ImportDeclaration[] = hasKinds ? [{ from: '../../../src/kubernetes/kinds/define-kind.js', values: ['defineKind'] }] : [];
    const shared = [...this.#shared, ...(hasKinds ? ['Kind'] : [])];
    imports.push({ from: '../../../src/kubernetes/apimachinery/index.js', types: shared });
    for (const [module, names] of [...this.#imported].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [group, version] = module.split('/');
      imports.push({ from: group === this.#module.split('/')[0] ? `./${version}.js` : `../${module}.js`, types: [...names] });
    }
    return imports;
  }

  #declarationsOf(type: ApiType): Declaration[] {
    const alias = ALIASES[type.fullName];
    if (alias !== undefined) return [{ is: 'alias', name: type.name, type: alias }];
    if (type.gvk !== undefined) return this.#objectDeclarations(type);
    return [{ is: 'interface', name: type.name, properties: this.#properties(type.schema) }];
  }

  #properties({ properties = {}, required = [] }: OpenApiSchema): PropertyDeclaration[] {
    return sorted(properties).map(([name, schema]) => ({ name, type: this.#typeOf(schema), required: required.includes(name) }));
  }

  /** An object with apiVersion, kind and metadata; with its `Kind` value, where the API serves it as a resource. */
  #objectDeclarations(type: ApiType): Declaration[] {
    const { resource, gvk } = type;
    if (gvk === undefined) throw new Error(`${type.fullName} has no kind`);
    const read = this.#object(type, (name, schema) => isRequired(type, name) || alwaysServed(name, schema));
    if (resource === undefined) return [read];
    const write = this.#object(type, (name, schema) => isRequired(type, name) || (alwaysServed(name, schema) && this.#hasRequired(schema)));
    const embedded = this.#model.embeddedKinds.has(type.fullName) ? [this.#embeddedKind(type)] : [];
    const differs = JSON.stringify(read) !== JSON.stringify(write);
    const input = differs ? `${type.name}Input` : undefined;
    const scope = resource.scope;
    const subresources = (resource.subresources ?? []).map(({ subresource }) => subresource).sort();
    const { group, version, kind } = gvk;
    return [
      read,
      ...(input === undefined ? [] : [{ ...write, name: input }]),
      ...embedded,
      { is: 'kind', name: type.name, input, group, version, kind, plural: resource.resource, scope, subresources },
    ];
  }

  #object(type: ApiType, required: (name: string, schema: OpenApiSchema) => boolean): InterfaceDeclaration {
    const { group, version, kind } = type.gvk ?? { group: '', version: '', kind: '' };
    const rest = sorted(type.schema.properties ?? {}).filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name));
    return {
      is: 'interface',
      name: type.name,
      properties: [
        { name: 'apiVersion', type: quote(apiVersionOf({ group, version })), required: true },
        { name: 'kind', type: quote(kind), required: true },
        ...(type.schema.properties?.['metadata'] === undefined ? [] : [this.#metadata(type)]),
        ...rest.map(([name, schema]) => ({ name, type: this.#typeOf(schema), required: required(name, schema) })),
      ],
    };
  }

  /** Objects that are stored have a name; reviews and bindings, which can only be posted, need none. */
  #metadata(type: ApiType): PropertyDeclaration {
    const stored = type.resource?.verbs.includes('get') ?? false;
    const name = stored ? 'NamedMeta' : 'ObjectMeta';
    this.#shared.add(name);
    return { name: 'metadata', type: name, required: type.resource !== undefined };
  }

  /** A kind inside another object, as a StatefulSet's claim templates: apiVersion, kind and the name may be missing. */
  #embeddedKind(type: ApiType): InterfaceDeclaration {
    const whole = this.#object(type, (name) => isRequired(type, name));
    this.#shared.add('ObjectMeta');
    const properties = whole.properties.map((property) =>
      property.name === 'metadata' ? { ...property, type: 'ObjectMeta', required: false } : { ...property, required: false },
    );
    return { ...whole, name: `Embedded${type.name}`, properties };
  }

  #typeOf(schema: OpenApiSchema): string {
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#named(reference);
    if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ');
    switch (schema.type) {
      case 'array':
        return arrayOf(this.#typeOf(schema.items ?? {}));
      case 'object':
        if (schema.properties !== undefined)
          throw new Error(`an inline object is new: ${Object.keys(schema.properties).map(propertyName).join(', ')}`);
        return `Readonly<Record<string, ${schema.additionalProperties === undefined ? 'unknown' : this.#typeOf(schema.additionalProperties)}>>`;
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
        return schema.type;
      default:
        return 'unknown';
    }
  }

  #named(fullName: string): string {
    const type = this.#model.types.get(fullName);
    if (type === undefined) throw new Error(`${fullName} is used but is not a type that modules declare`);
    if (SHARED_TYPES.has(fullName)) {
      this.#shared.add(type.name);
      return type.name;
    }
    const name = type.resource === undefined ? type.name : `Embedded${type.name}`;
    if (type.module !== this.#module) this.#imported.set(type.module, (this.#imported.get(type.module) ?? new Set()).add(name));
    return name;
  }

  #hasRequired(schema: OpenApiSchema): boolean {
    const target = this.#model.types.get(referenceOf(schema) ?? '');
    return (target?.schema.required?.length ?? 0) > 0;
  }
}

/** A struct that Go always writes: the document shows it by the default `{}`. Status is left out: what has just been made has none. */
function alwaysServed(name: string, schema: OpenApiSchema): boolean {
  return (name === 'spec' || name === 'template') && JSON.stringify(schema.default) === '{}';
}

function isRequired(type: ApiType, name: string): boolean {
  return type.schema.required?.includes(name) ?? false;
}

function sorted<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
