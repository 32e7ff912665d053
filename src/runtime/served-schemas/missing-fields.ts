import { isRecord, type StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** A node of a schema as the API server serves it: its form is not checked. */
type Served = Readonly<Record<string, unknown>>;

/** The API server's own: no CustomResourceDefinition can leave them out. */
const OF_EVERY_OBJECT: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The fields of a definition that the API server would drop from an object, because the schema that it serves does not have them.
 *
 * Only what is lost without an error counts: a bound or an enum that differs is refused by name. A field that is missing stands for all below it.
 *
 * @returns paths such as `spec.list[].name`; `spec.labels.*` where free keys are dropped
 */
export function missingFields(own: StructuralSchema, served: unknown): readonly string[] {
  if (!isRecord(served) || !isRecord(served['properties'])) return [];
  const { properties = {} } = own;
  const fields = Object.entries(properties).filter(([name]) => !OF_EVERY_OBJECT.has(name));
  return fields.flatMap(([name, schema]) => missingField({ name, path: name, schema }, served));
}

function missingBelow(own: StructuralSchema, served: unknown, path: string): readonly string[] {
  if (!isRecord(served) || isElsewhere(served)) return [];
  const fields = Object.entries(own.properties ?? {}).filter(
    ([name]) => own['x-kubernetes-embedded-resource'] !== true || !OF_EVERY_OBJECT.has(name),
  );
  return [
    ...fields.flatMap(([name, schema]) => missingField({ name, path: `${path}.${name}`, schema }, served)),
    ...missingKeys(own, served, `${path}.*`),
    ...(own.items === undefined ? [] : missingBelow(own.items, served['items'], `${path}[]`)),
  ];
}

interface Field {
  readonly name: string;
  readonly path: string;
  readonly schema: StructuralSchema;
}

function missingField({ name, path, schema }: Field, served: Served): readonly string[] {
  const properties = isRecord(served['properties']) ? served['properties'] : {};
  if (Object.hasOwn(properties, name)) return missingBelow(schema, properties[name], path);
  const free = served['additionalProperties'];
  if (isRecord(free)) return missingBelow(schema, free, path);
  return keepsUnknown(served) ? [] : [path];
}

/** Keys that the author does not name. */
function missingKeys(own: StructuralSchema, served: Served, path: string): readonly string[] {
  const [free, servedFree] = [own.additionalProperties, served['additionalProperties']];
  if (typeof free === 'object' && isRecord(servedFree)) return missingBelow(free, servedFree, path);
  const isFree = (free !== undefined && free !== false) || own['x-kubernetes-preserve-unknown-fields'] === true;
  return !isFree || isRecord(servedFree) || keepsUnknown(served) ? [] : [path];
}

function keepsUnknown(served: Served): boolean {
  return served['x-kubernetes-preserve-unknown-fields'] === true || served['additionalProperties'] === true;
}

/** Described by a reference, or another type: a value of that type would be refused, not dropped. */
function isElsewhere(served: Served): boolean {
  const { type } = served;
  return '$ref' in served || (type !== undefined && type !== 'object' && type !== 'array');
}
