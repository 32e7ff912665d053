import { isRecord, QUANTITY_PATTERN, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { builtinSchema, builtinTypeNames } from '@keelson/kubernetes/kinds';
import { convertSchema, k, type ZodLike } from 'keelson/internal/schema';
import type { JsonObject } from '../import/index.js';
import { builtinOf } from './builtin-names.js';
import { differences } from './differences.js';
import { scalarsOf } from './scalar-forms.js';
import { call, literal, method, objectOf, type Written } from './written.js';

/**
 * Writes structural schemas as zod.
 *
 * Each part is written in the most readable form whose own schema is the one that was found, up to tolerated differences. A schema that no form fits stays word for word, in
 * `k.structural()`. The fields of an object are proven one by one.
 */
export class SchemaWriter {
  /** Paths that stay word for word, with the keywords that are the likely reason. */
  readonly wordForWord: { readonly path: string; readonly what: string }[] = [];
  /** Paths below which a form stands for everything: a type of Kubernetes, conditions. */
  readonly wholes: string[] = [];

  /** The schema of a part of an object, `spec` or `status`, which must be an object in zod: keywords on it that have no form are given back. */
  part(schema: JsonObject, path: string): { readonly written: Written; readonly rest: JsonObject } {
    if (schema['type'] !== 'object') return { written: this.#wordForWord(schema, path), rest: {} };
    const before = this.#mark();
    const written = this.write(schema, path);
    if (!this.wordForWord.slice(before.wordForWord).some((each) => each.path === path)) return { written, rest: {} };
    this.#reset(before);
    const names = Object.keys(isRecord(schema['properties']) ? schema['properties'] : {});
    const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
    const isSaid = (keyword: string): boolean => PART.includes(keyword) && keyword !== 'required';
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => isSaid(keyword)));
    const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !PART.includes(keyword)));
    const undeclared = required.filter((name) => !names.includes(name));
    return {
      written: this.write(
        { ...kept, ...(undeclared.length < required.length ? { required: required.filter((name) => names.includes(name)) } : {}) },
        path,
      ),
      rest: { ...rest, ...(undeclared.length === 0 ? {} : { required: undeclared }) },
    };
  }

  write(schema: JsonObject, path: string): Form {
    const start = this.#mark();
    for (const core of this.#forms(schema, path)) {
      for (const form of decorated(core, schema)) {
        if (!isProven(form, schema)) continue;
        if (core.isWhole === true) {
          this.#reset(start);
          this.wholes.push(path);
        }
        return form;
      }
    }
    this.#reset(start);
    return this.#wordForWord(schema, path);
  }

  #wordForWord(schema: JsonObject, path: string): Form {
    this.wordForWord.push({ path, what: unusual(schema) });
    for (const form of decorated(structural(core(schema)), schema)) if (isProven(form, schema)) return form;
    return { ...structural(schema), keepsDefault: true };
  }

  #mark(): { readonly wordForWord: number; readonly wholes: number } {
    return { wordForWord: this.wordForWord.length, wholes: this.wholes.length };
  }

  #reset({ wordForWord, wholes }: { readonly wordForWord: number; readonly wholes: number }): void {
    this.wordForWord.length = wordForWord;
    this.wholes.length = wholes;
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
        const isPresent =
          required.includes(name) || (node['default'] !== undefined && field.keepsDefault !== true) || field.isOptional === true;
        return { name, field: isPresent ? field : method(field, 'optional'), outline: standIn(node, { field, isPresent }) };
      }),
    );
  }
}

/** Keywords that a zod object says of a part. */
const PART: readonly string[] = [
  'type',
  'title',
  'description',
  'example',
  'externalDocs',
  'properties',
  'required',
  'additionalProperties',
  'nullable',
  'default',
  'minProperties',
  'maxProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
];

const TEXT = { type: 'string' } as const;
const DEFAULTED = { type: 'string', default: '' } as const;
const PRESENT = k.structural<string>(TEXT);
const OPTIONAL = PRESENT.optional();
const WITH_DEFAULT = PRESENT.default('');
const KEEPING_DEFAULT = k.structural<string>(DEFAULTED);
const OPTIONAL_KEEPING_DEFAULT = KEEPING_DEFAULT.optional();

/** A text in place of a field. Whether it may be absent, and whether it has a default, is what the object around it asks. */
function standIn(node: JsonObject, { field, isPresent }: { readonly field: Form; readonly isPresent: boolean }): ZodLike {
  if (node['default'] === undefined) return field.isOptional === true || !isPresent ? OPTIONAL : PRESENT;
  if (field.keepsDefault !== true) return WITH_DEFAULT;
  return isPresent ? KEEPING_DEFAULT : OPTIONAL_KEEPING_DEFAULT;
}

/** A found schema as the outline of its form: fields become texts. */
function outlineOf(schema: JsonObject): JsonObject {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(isRecord(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, node]) => [name, isRecord(node) && node['default'] !== undefined ? DEFAULTED : TEXT]),
          ),
        }
      : {}),
    ...(isRecord(items) ? { items: outlineOf(items) } : {}),
    ...(isRecord(additionalProperties) ? { additionalProperties: outlineOf(additionalProperties) } : {}),
  };
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
    const { outline, ...rest } = described(whole, schema);
    yield {
      ...rest,
      // A default of fields is filled in from the fields below: an outline would fill in others.
      ...(outline === undefined || (typeof value === 'object' && value !== null) ? {} : { outline }),
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

/** Whether a form says what was found; `false` also for what the converter refuses. */
function isProven(form: Form, schema: JsonObject): boolean {
  const converted = convertSchema(form.outline ?? form.schema, { path: 'schema', resolveBuiltin });
  if (converted.problems.length > 0) return false;
  const found = differences(form.outline === undefined ? schema : outlineOf(schema), converted.schema as unknown as JsonObject);
  return found.every(({ path, is }) => is !== 'other' && (is !== 'description' || form.isWhole === true || path !== ''));
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
