import type { MetadataField, StructuralSchema } from '@keelson/kubernetes/apimachinery';

/** One step of a JSONPath as columns use it. */
export type PathStep =
  | { readonly step: 'field'; readonly name: string }
  | { readonly step: 'index' }
  | { readonly step: 'filter'; readonly fields: readonly (readonly PathStep[])[] };

/** kubectl reads a name up to the next dot or bracket, so a label's slash needs no escape. */
const NAME = String.raw`(?:[^\s.()'"{}*?@$|\\[\]]|\\.)+`;
const FIELD = new RegExp(String.raw`^\.(${NAME})`);
const QUOTED_FIELD = /^\[(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")\]/;
const INDEX = /^\[(?:\*|-?\d+|-?\d*:-?\d*(?::-?\d+)?)\]/;
const FILTER = /^\[\?\(((?:[^()'"]|'[^']*'|"[^"]*")*)\)\]/;
const OPERAND = /@((?:\.\w(?:[\w-]|\\.)*|\[[^\]]*\])*)/g;

/**
 * Reads the part of kubectl's JSONPath that points at values: `.a.b`, `['a.b']`, `\.` inside a name, `[0]`, `[*]`, `[1:3]`, `[?(@.type=="Ready")]`.
 *
 * @returns `undefined` if the text is not a path; recursive descent (`..`) and wildcards for fields are left out, they print a list where a column shows one value.
 */
export function parsePath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  let rest = text;
  while (rest !== '') {
    const read = readStep(rest);
    if (read === undefined) return undefined;
    steps.push(read.step);
    rest = rest.slice(read.length);
  }
  return steps.length === 0 ? undefined : steps;
}

function readStep(text: string): { readonly step: PathStep; readonly length: number } | undefined {
  const field = FIELD.exec(text) ?? QUOTED_FIELD.exec(text);
  if (field !== null) return { step: { step: 'field', name: unescaped(field[1] ?? field[2] ?? '') }, length: field[0].length };
  const index = INDEX.exec(text);
  if (index !== null) return { step: { step: 'index' }, length: index[0].length };
  const filter = FILTER.exec(text);
  if (filter === null) return undefined;
  const fields = [...(filter[1] ?? '').matchAll(OPERAND)].map(([, path = '']) => (path === '' ? [] : parsePath(path)));
  if (fields.length === 0 || fields.includes(undefined)) return undefined;
  return { step: { step: 'filter', fields: fields.filter((path) => path !== undefined) }, length: filter[0].length };
}

function unescaped(name: string): string {
  return name.replace(/\\(.)/g, '$1');
}

/** The schema at a path; `'open'` where any value may stand; `undefined` where nothing can. */
export type Found = StructuralSchema | 'open' | undefined;

const TEXT: StructuralSchema = { type: 'string' };
const TIME: StructuralSchema = { type: 'string', format: 'date-time' };
const INTEGER: StructuralSchema = { type: 'integer' };
const TEXTS: StructuralSchema = { type: 'object', additionalProperties: TEXT };

/** Every object has these, whatever its schema says. No path leads to the managers of fields. */
const METADATA: Readonly<Record<Exclude<MetadataField, 'selfLink' | 'managedFields'>, StructuralSchema>> = Object.freeze({
  name: TEXT,
  generateName: TEXT,
  namespace: TEXT,
  uid: TEXT,
  resourceVersion: TEXT,
  generation: INTEGER,
  creationTimestamp: TIME,
  deletionTimestamp: TIME,
  deletionGracePeriodSeconds: INTEGER,
  labels: TEXTS,
  annotations: TEXTS,
  finalizers: { type: 'array', items: TEXT },
  ownerReferences: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

/** Follows a path from the root of a version's schema. */
export function schemaAt(root: StructuralSchema, steps: readonly PathStep[]): Found {
  const completed: StructuralSchema = { ...root, properties: { ...root.properties, metadata: { type: 'object', properties: METADATA } } };
  return follow(completed, steps);
}

function follow(start: Found, steps: readonly PathStep[]): Found {
  let found = start;
  for (const step of steps) {
    if (found === undefined || found === 'open') return found;
    found = next(found, step);
  }
  return found;
}

function next(schema: StructuralSchema, step: PathStep): Found {
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true ? 'open' : undefined;
  switch (step.step) {
    case 'field': {
      const property =
        schema.properties !== undefined && Object.hasOwn(schema.properties, step.name) ? schema.properties[step.name] : undefined;
      const { additionalProperties } = schema;
      if (property !== undefined) return property;
      if (typeof additionalProperties === 'object') return additionalProperties;
      return additionalProperties === true ? 'open' : (embedded(schema, step.name) ?? open);
    }
    case 'index':
      return schema.items ?? open;
    case 'filter':
      return step.fields.every((field) => follow(schema.items ?? open, field) !== undefined) ? (schema.items ?? open) : undefined;
  }
}

function embedded(schema: StructuralSchema, name: string): Found {
  if (schema['x-kubernetes-embedded-resource'] !== true) return undefined;
  return name === 'metadata'
    ? { type: 'object', properties: METADATA }
    : name === 'kind' || name === 'apiVersion'
      ? { type: 'string' }
      : undefined;
}
