import { isRecord, type StructuralSchema } from '../../kubernetes/index.js';
import type { JsonObject } from '../import/index.js';
import { plainSchema } from './plain-schema.js';
import { type Note, SchemaWriter } from './schema-writer.js';
import { literal, method, objectOf, type Written } from './written.js';

/** One version of a CRD as options of `defineCustomResource`, in text and as values. */
export interface VersionParts {
  readonly name: string;
  readonly isStorage: boolean;
  readonly schema: StructuralSchema;
  readonly parts: Readonly<Partial<Record<'spec' | 'status' | 'fields', Written>>>;
  /** All options but the parts. */
  readonly options: JsonObject;
  readonly notes: readonly Note[];
}

const OWN = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
/** Keywords of the root that have a place in the definition, or say what every object has. */
const ROOT = ['type', 'description', 'properties', 'required', 'x-kubernetes-validations'];

export function versionParts(version: JsonObject): VersionParts {
  const schema = rootOf(version);
  const properties = record(schema['properties']);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const name = String(version['name']);
  const writer = new SchemaWriter();
  const spec = isRecord(properties['spec']) ? specOf(properties['spec'], { writer, isRequired: required.includes('spec') }) : undefined;
  const status = isRecord(properties['status']) ? writer.part(properties['status'], 'status') : undefined;
  const beside = Object.entries(properties).filter(([property]) => !OWN.includes(property));
  const fields = objectOf(
    beside.map(([property, node]) => {
      const field = writer.write(record(node), property);
      return [property, required.includes(property) || record(node)['default'] !== undefined ? field : method(field, 'optional')];
    }),
  );
  return {
    name,
    isStorage: version['storage'] === true,
    schema: schema as StructuralSchema,
    parts: {
      ...(spec === undefined ? {} : { spec }),
      ...(status === undefined ? {} : { status }),
      ...(beside.length > 0 || spec === undefined ? { fields } : {}),
    },
    options: optionsOf(version, schema),
    notes: [...writer.notes, ...rootNotes(schema, version)],
  };
}

function rootOf(version: JsonObject): JsonObject {
  return plainSchema(record(record(version['schema'])['openAPIV3Schema']));
}

function specOf(found: JsonObject, { writer, isRequired }: { readonly writer: SchemaWriter; readonly isRequired: boolean }): Written {
  const spec = writer.part(found, 'spec');
  return isRequired || found['default'] !== undefined ? spec : method(spec, 'optional');
}

/** In the order of the documentation; what has the default value is left out. */
function optionsOf(version: JsonObject, schema: JsonObject): JsonObject {
  const subresources = record(version['subresources']);
  const hasStatus = record(schema['properties'])['status'] !== undefined;
  const columns = Array.isArray(version['additionalPrinterColumns']) ? version['additionalPrinterColumns'] : [];
  const selectable = Array.isArray(version['selectableFields']) ? version['selectableFields'] : [];
  const options = {
    served: version['served'] === false ? false : undefined,
    deprecated: version['deprecated'] === true ? (version['deprecationWarning'] ?? true) : undefined,
    description: schema['description'],
    statusSubresource: hasStatus && subresources['status'] === undefined ? false : undefined,
    scale: subresources['scale'],
    columns: columns.length === 0 ? undefined : columns.map((column: unknown) => columnOf(record(column))),
    selectableFields: selectable.length === 0 ? undefined : selectable.map((field: unknown) => record(field)['jsonPath']),
    rules: schema['x-kubernetes-validations'],
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const columnOf = ({ name, type, format, description, priority, jsonPath }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ name, type, format, description, priority: priority === 0 ? undefined : priority, jsonPath }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );

/** Remarks on parts of the root and of the subresources that no option of a version has. */
function rootNotes(schema: JsonObject, version: JsonObject): readonly Note[] {
  const notes: Note[] = Object.keys(schema)
    .filter((keyword) => !ROOT.includes(keyword))
    .map((keyword) => ({ path: 'the object', is: 'left out', what: keyword }));
  const properties = record(schema['properties']);
  for (const name of ['apiVersion', 'kind', 'metadata']) {
    const { type: _, description, ...rest } = record(properties[name]);
    if (description !== undefined) notes.push({ path: name, is: 'description' });
    if (Object.keys(rest).length > 0)
      notes.push({ path: name, is: 'left out', what: `${Object.keys(rest).join(', ')}; write a rule: self.metadata.name is in its reach` });
  }
  if (record(version['subresources'])['status'] !== undefined && properties['status'] === undefined)
    notes.push({ path: 'status', is: 'left out', what: 'its subresource: the schema has no status; declare one' });
  return notes;
}

interface Spelling {
  /** Whether `storage: true` is written. */
  readonly isMarked: boolean;
  readonly nameOf: (part: string) => string;
}

/** The lines of a version in `versions: { … }`. */
export function versionText(version: VersionParts, spelling: Spelling): string {
  return `${version.name}: ${versionObject(version, spelling)},`;
}

/** A version as an object literal. */
export function versionObject({ options, parts }: VersionParts, { isMarked, nameOf }: Spelling): string {
  const lines = [
    ...(isMarked ? ['storage: true,'] : []),
    ...Object.keys(parts).map((part) => (nameOf(part) === part ? `${part},` : `${part}: ${nameOf(part)},`)),
    ...Object.entries(options).map(
      ([option, value]) => `${option}: ${option === 'columns' || option === 'rules' ? listText(value) : literal(value)},`,
    ),
  ];
  return `{\n${lines.map((line) => line.replace(/^(?=.)/gm, '  ')).join('\n')}\n}`;
}

/** A line for each item. */
function listText(items: unknown): string {
  return `[\n${(items as readonly unknown[]).map((item) => `${literal(item).replace(/^(?=.)/gm, '  ')},\n`).join('')}]`;
}

const record = (value: unknown): JsonObject => (isRecord(value) ? value : {});
