import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../import/index.js';
import { plainSchema } from './plain-schema.js';
import { SchemaWriter } from './schema-writer.js';
import { literal, method, objectOf, type Written } from './written.js';

/** One version of a CRD as options of `defineCustomResource`, in text and as values. */
export interface VersionParts {
  readonly name: string;
  readonly isStorage: boolean;
  readonly parts: Readonly<Partial<Record<'spec' | 'status' | 'fields', Written>>>;
  /** All options but the parts. */
  readonly options: JsonObject;
  /** Fields that stay word for word, and those that a form of Kubernetes stands for. */
  readonly writer: Pick<SchemaWriter, 'wordForWord' | 'wholes'>;
}

const OWN = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
/** Keywords of the root that an option of the definition has. */
const ROOT = ['type', 'description', 'properties', 'required', 'x-kubernetes-validations'];

export function versionParts(version: JsonObject): VersionParts {
  const schema = rootOf(version);
  const properties = record(schema['properties']);
  const required = namesRequired(schema);
  const writer = new SchemaWriter();
  const spec = isRecord(properties['spec']) ? writer.part(properties['spec'], 'spec') : undefined;
  const status = isRecord(properties['status']) ? writer.part(properties['status'], 'status') : undefined;
  const beside = Object.entries(properties).filter(([property]) => !OWN.includes(property));
  const fields = objectOf(
    beside.map(([name, node]) => {
      const field = writer.write(record(node), name);
      const isPresent = required.includes(name) || record(node)['default'] !== undefined;
      const whole = isPresent ? field : method(field, 'optional');
      return { name, field: whole, outline: whole.schema };
    }),
  );
  const isSpecRequired = required.includes('spec') || record(properties['spec'])['default'] !== undefined;
  return {
    name: String(version['name']),
    isStorage: version['storage'] === true,
    parts: {
      ...(spec === undefined ? {} : { spec: isSpecRequired ? spec.written : method(spec.written, 'optional') }),
      ...(status === undefined ? {} : { status: status.written }),
      ...(beside.length > 0 || (spec === undefined && status === undefined) ? { fields } : {}),
    },
    options: optionsOf(version, { schema, structural: structuralOf(schema, { spec: spec?.rest, status: status?.rest }) }),
    writer,
  };
}

export function rootOf(version: JsonObject): JsonObject {
  return plainSchema(record(record(version['schema'])['openAPIV3Schema']));
}

const namesRequired = (schema: JsonObject): readonly string[] => (Array.isArray(schema['required']) ? schema['required'].map(String) : []);

/** Everything of the schema that no other option says; `undefined` for nothing. The API server has its own texts for the fields of every object. */
function structuralOf(schema: JsonObject, rests: Readonly<Record<'spec' | 'status', JsonObject | undefined>>): JsonObject | undefined {
  const properties = record(schema['properties']);
  const keywords = Object.entries(schema).filter(([keyword]) => !ROOT.includes(keyword));
  const required = namesRequired(schema).filter((name) => properties[name] === undefined || (OWN.includes(name) && name !== 'spec'));
  const ofObject = ['apiVersion', 'kind', 'metadata'].map((name) => {
    const { type: _, description: __, ...rest } = record(properties[name]);
    return [name, rest] as const;
  });
  const below = Object.entries({ ...Object.fromEntries(ofObject), ...rests }).filter(([, rest]) => Object.keys(rest ?? {}).length > 0);
  const structural = {
    ...Object.fromEntries(keywords),
    ...(required.length === 0 ? {} : { required }),
    ...(below.length === 0 ? {} : { properties: Object.fromEntries(below) }),
  };
  return Object.keys(structural).length === 0 ? undefined : structural;
}

/** In the order of the documentation; what has the default value is left out. */
function optionsOf(
  version: JsonObject,
  { schema, structural }: { readonly schema: JsonObject; readonly structural: JsonObject | undefined },
): JsonObject {
  const subresources = record(version['subresources']);
  const hasSchema = record(schema['properties'])['status'] !== undefined;
  const hasSubresource = subresources['status'] !== undefined;
  const columns = Array.isArray(version['additionalPrinterColumns']) ? version['additionalPrinterColumns'] : [];
  const selectable = Array.isArray(version['selectableFields']) ? version['selectableFields'] : [];
  const options = {
    served: version['served'] === false ? false : undefined,
    deprecated: version['deprecated'] === true ? (version['deprecationWarning'] ?? true) : undefined,
    description: schema['description'],
    statusSubresource: hasSchema === hasSubresource ? undefined : hasSubresource,
    scale: isRecord(subresources['scale']) ? scaleOf(subresources['scale']) : undefined,
    columns: columns.length === 0 ? undefined : columns.map((column: unknown) => columnOf(record(column))),
    selectableFields: selectable.length === 0 ? undefined : selectable.map((field: unknown) => record(field)['jsonPath']),
    rules: schema['x-kubernetes-validations'],
    structural,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const columnOf = ({ name, type, format, description, priority, jsonPath }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ name, type, format, description, priority: priority === 0 ? undefined : priority, jsonPath }).filter(
      ([, value]) => value !== undefined && value !== '',
    ),
  );

function scaleOf({ specReplicasPath, statusReplicasPath, labelSelectorPath }: JsonObject): JsonObject {
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath ? { labelSelectorPath } : {}) };
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
