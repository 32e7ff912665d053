import { builtinSchema, builtinTypeNames } from '../../kinds/index.js';
import { isRecord, QUANTITY_PATTERN, type StructuralSchema } from '../../kubernetes/index.js';
import { convertSchema, k } from '../../schema/index.js';
import type { JsonObject } from '../import/index.js';
import { builtinOf } from './builtin-names.js';
import { type Difference, differences } from './differences.js';
import { plainSchema } from './plain-schema.js';
import { scalarsOf } from './scalar-forms.js';
import { call, literal, method, objectOf, type Written } from './written.js';

/** A remark on one field, for those who read the definition. */
export interface Note {
  readonly path: string;
  /** `structural`: kept word for word; `left out`: it is not in the definition; the others as {@link Difference}. */
  readonly is: 'structural' | 'left out' | Exclude<Difference['is'], 'other'>;
  /** Keywords of the schema. */
  readonly what?: string;
}

/**
 * Writes structural schemas as zod.
 *
 * Each part is written in the most readable form whose own schema is the one that was found; {@link Note} names tolerated differences. A schema that no form
 * fits stays word for word, in `k.structural()`.
 */
export class SchemaWriter {
  readonly notes: Note[] = [];

  /** The schema of a part of an object: `spec`, `status`. It is an object in any case: conditions on it that have no form are left out, and noted. */
  part(found: JsonObject, path: string): Written {
    const schema = plainSchema(found);
    const before = this.notes.length;
    const whole = this.write(schema, path);
    if (this.notes.slice(before).every((note) => note.path !== path || note.is !== 'structural')) return whole;
    this.notes.length = before;
    const { allOf, anyOf, oneOf, not, ...rest } = schema;
    this.notes.push({
      path,
      is: 'left out',
      what: Object.keys({ allOf, anyOf, oneOf, not })
        .filter((key) => schema[key] !== undefined)
        .join(', '),
    });
    return this.write(rest, path);
  }

  write(schema: JsonObject, path: string): Form {
    const start = this.notes.length;
    for (const core of this.#forms(schema, path)) {
      for (const form of decorated(core, schema)) {
        const found = proof(form, schema);
        if (found === undefined) continue;
        if (core.isWhole === true) this.notes.length = start;
        this.#note(found, path, core.isWhole === true);
        return form;
      }
    }
    this.notes.length = start;
    this.notes.push({ path, is: 'structural', what: unusual(schema) });
    for (const form of decorated(structural(core(schema)), schema)) if (proof(form, schema) !== undefined) return form;
    return { ...structural(schema), keepsDefault: true };
  }

  /** Differences of the fields below are noted where they are written; a form that takes the whole object brings them all. */
  #note(found: readonly Difference[], path: string, isWhole: boolean): void {
    for (const { path: below, is } of found) {
      if (is === 'other' || (below !== '' && !isWhole)) continue;
      if (!this.notes.some((note) => note.is === is && note.path === path)) this.notes.push({ path, is });
    }
  }

  /** Forms of a schema, the most readable first, without what may stand around any of them. */
  *#forms(schema: JsonObject, path: string): Iterable<Form> {
    const properties = isRecord(schema['properties']) ? schema['properties'] : undefined;
    if (path.endsWith('.conditions')) yield { ...call('k', 'conditions'), isWhole: true, isOptional: true };
    const builtin = builtinOf(core(schema));
    if (builtin !== undefined) yield { ...call('k', 'builtin', builtin.name, ...(builtin.open ? [{ open: true }] : [])), isWhole: true };
    if (schema['x-kubernetes-embedded-resource'] === true) yield call('k', 'embedded');
    if (schema['x-kubernetes-int-or-string'] === true) yield call('k', schema['pattern'] === QUANTITY_PATTERN ? 'quantity' : 'intOrString');
    const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
    if (keepsUnknown && schema['type'] === undefined) yield call('k', 'json');
    if (schema['type'] === 'object' && properties !== undefined) {
      const object = this.#object(schema, properties, path);
      yield around(keepsUnknown ? call('k', 'preserveUnknown', object) : object, schema);
    } else if (schema['type'] === 'object' && isRecord(schema['additionalProperties'])) {
      const values = this.write(schema['additionalProperties'], `${path}[]`);
      yield around(call('z', 'record', call('z', 'string'), values), schema);
    } else if (schema['type'] === 'object') yield around(keepsUnknown ? call('k', 'preserveUnknown') : objectOf([]), schema);
    if (schema['type'] === 'array' && isRecord(schema['items'])) yield list(this.write(schema['items'], `${path}[]`), schema);
    yield* scalarsOf(schema);
  }

  #object(schema: JsonObject, properties: JsonObject, path: string): Written {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    return objectOf(
      Object.entries(properties).map(([name, property]) => {
        const node = isRecord(property) ? property : {};
        const field = this.write(node, path === '' ? name : `${path}.${name}`);
        const hasDefault = node['default'] !== undefined && field.keepsDefault !== true;
        const isPresent = required.includes(name) || hasDefault || field.isOptional === true;
        return [name, isPresent ? field : method(field, 'optional')];
      }),
    );
  }
}

interface Form extends Written {
  /** It stands for all below it, so that nothing of that is noted by itself. */
  readonly isWhole?: boolean;
  /** `k.conditions()` may be absent as it is. */
  readonly isOptional?: boolean;
  /** Its default is a part of the schema that it keeps, which zod does not see. */
  readonly keepsDefault?: boolean;
}

function structural(schema: JsonObject): Form {
  return { text: `k.structural<${typeOf(schema)}>(${literal(schema)})`, schema: k.structural<unknown>(schema as StructuralSchema) };
}

/** Keywords that may stand on any schema. */
const AROUND = ['title', 'description', 'example', 'externalDocs', 'nullable', 'default', 'x-kubernetes-validations'] as const;

function core(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !AROUND.some((each) => each === key)));
}

/** Rules, null, default and texts around a form; a default of an object is filled in below, or taken as it is. */
function* decorated(form: Form, schema: JsonObject): Iterable<Form> {
  const rules = Array.isArray(schema['x-kubernetes-validations']) ? schema['x-kubernetes-validations'] : [];
  let written: Written = form;
  for (const { rule, ...options } of rules as readonly { readonly rule: string; readonly [option: string]: unknown }[]) {
    const { text, schema: check } = call('k', 'rule', rule, ...(Object.keys(options).length === 0 ? [] : [options]));
    written = method(written, 'check', { text, value: check });
  }
  if (schema['nullable'] === true) written = method(written, 'nullable');
  const value = schema['default'];
  for (const name of isRecord(value) ? (['prefault', 'default'] as const) : (['default'] as const)) {
    const whole = value === undefined ? written : method(written, name, value as string);
    yield {
      ...described(whole, schema),
      ...(form.isWhole === true ? { isWhole: true } : {}),
      ...(form.isOptional === true ? { isOptional: true } : {}),
    };
    if (value === undefined) return;
  }
}

function described(written: Written, { title, description, example, externalDocs }: JsonObject): Written {
  const texts: readonly (readonly [string, unknown])[] = Object.entries({ title, example, externalDocs, description });
  const given: JsonObject = Object.fromEntries(texts.filter(([, value]) => value !== undefined));
  if (Object.keys(given).some((name) => name !== 'description')) return method(written, 'meta', given);
  return typeof description === 'string' ? method(written, 'describe', description) : written;
}

/** Counts and map type of an object or a record. */
function around(written: Written, schema: JsonObject): Written {
  let form = written;
  for (const name of ['minProperties', 'maxProperties'] as const) {
    const count = schema[name];
    if (typeof count !== 'number') continue;
    const { text, schema: check } = call('k', name, count);
    form = method(form, 'check', { text, value: check });
  }
  return schema['x-kubernetes-map-type'] === 'atomic' ? call('k', 'atomic', form) : form;
}

function list(item: Written, schema: JsonObject): Written {
  const keys = schema['x-kubernetes-list-map-keys'];
  const type = schema['x-kubernetes-list-type'];
  let form = call('z', 'array', item);
  if (type === 'set') form = call('k', 'set', item);
  if (type === 'map' && Array.isArray(keys)) form = call('k', 'listMap', item, ...keys.map(String));
  if (type === 'atomic') form = call('k', 'atomic', form);
  if (typeof schema['minItems'] === 'number') form = method(form, 'min', schema['minItems']);
  return typeof schema['maxItems'] === 'number' ? method(form, 'max', schema['maxItems']) : form;
}

/** The differences between a form and what was found; `undefined` for a form that says something else, or that the converter refuses. */
function proof(form: Form, schema: JsonObject): readonly Difference[] | undefined {
  const converted = convertSchema(form.schema, { path: 'schema', resolveBuiltin });
  if (converted.problems.length > 0) return undefined;
  const found = differences(schema, converted.schema as unknown as JsonObject);
  // The fields below have been proven one by one.
  const isTolerated = ({ path, is }: Difference): boolean =>
    is !== 'other' && (is !== 'description' || form.isWhole === true || path !== '');
  return found.every(isTolerated) ? found : undefined;
}

const BUILTIN_NAMES: ReadonlySet<string> = new Set(builtinTypeNames());

function resolveBuiltin(name: string): StructuralSchema | undefined {
  return BUILTIN_NAMES.has(name) ? builtinSchema(name as Parameters<typeof builtinSchema>[0]) : undefined;
}

/** The type of what stays word for word. */
function typeOf(schema: JsonObject): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  const plain = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    array: 'readonly unknown[]',
    object: 'Readonly<Record<string, unknown>>',
  };
  const type = String(schema['type']);
  return `${(plain as Readonly<Record<string, string>>)[type] ?? 'unknown'}${schema['nullable'] === true ? ' | null' : ''}`;
}

/** The keywords that are the likely reason: those that no form knows, or else all. */
function unusual(schema: JsonObject): string {
  const names = Object.keys(core(schema)).filter(
    (key) => !['type', 'properties', 'required', 'items', 'additionalProperties'].includes(key),
  );
  return names.join(', ');
}
