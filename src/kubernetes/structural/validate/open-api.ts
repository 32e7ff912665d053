import {
  canonicalJson,
  goFloat,
  goNumber,
  goQuote,
  hasFormat,
  isJsonObject,
  isKnownFormat,
  type Json,
  type StructuralSchema,
} from '../../apimachinery/index.js';
import { type Correlation, correlatedField, correlatedItem, isUnchanged } from './correlation.js';
import { type Failure, Result } from './failure.js';

/**
 * Validates a value against a schema, keyword by keyword, with the messages of kube-openapi.
 *
 * Source: kube-openapi, `pkg/validation/{validate,errors}`. Where the server's order hangs on Go's maps, ours is that of the schema.
 * Depth: the recursion follows the schema, which is finite, and never the value alone.
 */
export interface OpenApiContext {
  /** Whether `text` matches a pattern; patterns are compiled once per validator. */
  matches(pattern: string, text: string): boolean;
}

interface Node {
  readonly schema: StructuralSchema;
  readonly path: string;
  /** Present on the way down from an update's root: unchanged values keep their old faults. */
  readonly correlation?: Correlation | undefined;
}

export function validateOpenApi(node: Node, value: Json, context: OpenApiContext): Result {
  const result = validateNode(node, value, context);
  if (result.valid || !isUnchanged(node.correlation)) return result;
  const ratcheted = new Result();
  ratcheted.matches = result.matches;
  return ratcheted;
}

function validateNode(node: Node, value: Json, context: OpenApiContext): Result {
  const { schema, path } = node;
  const result = new Result();
  if (value === null) {
    const failures = [...typeFailures(schema, path, null), ...enumFailures(schema, path, null)];
    return result.add(...failures).count();
  }
  if (typesOf(schema).length > 0 || formatOf(schema) !== '') {
    const failures = typeFailures(schema, path, value);
    result.add(...failures);
    if (failures.length === 0) result.count();
    result.count();
  }
  result.merge(validateJunctors(node, value, context)).count();
  if (typeof value === 'string') result.add(...stringFailures(schema, path, { text: value, context })).count();
  if (typeof value === 'string' && formatOf(schema) !== '') result.add(...formatFailures(schema, path, value)).count();
  if (typeof value === 'number')
    result
      .add(...numberFailures(schema, path, value))
      .count()
      .count();
  if (Array.isArray(value)) result.merge(validateItems(node, value, context)).count();
  result.add(...enumFailures(schema, path, value)).count();
  if (isJsonObject(value)) result.merge(validateFields(node, value, context)).count();
  return result.count();
}

type Fields = { readonly [key: string]: Json };

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = { integer: ['int32', 'int64'], number: ['float', 'double'] };

/** Formats that the API server does not know for a type are taken out of the schema. */
function formatOf({ type, format = '' }: StructuralSchema): string {
  const isKnown = type === undefined || type === 'string' ? isKnownFormat(format) : (NUMBER_FORMATS[type] ?? []).includes(format);
  return isKnown ? format : '';
}

function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

/** JSON type and Go's format of a value. JavaScript does not distinguish 1.0 from 1; for the server both are integers here. */
function kindOf(value: Json): readonly [string, string] {
  if (typeof value === 'boolean') return ['boolean', ''];
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? ['integer', 'int64'] : ['number', 'float64'];
  return [Array.isArray(value) ? 'array' : 'object', ''];
}

function typeFailure(path: string, type: string, actual: string): Failure {
  return { kind: 'type', name: path, message: `${path} in body must be of type ${type}: ${goQuote(actual)}`, value: actual };
}

function typeFailures(schema: StructuralSchema, path: string, value: Json): readonly Failure[] {
  const types = typesOf(schema);
  const expected = types.join(',');
  if (value === null) return types.length > 0 && schema.nullable !== true ? [typeFailure(path, expected, 'null')] : [];
  const [type, goFormat] = kindOf(value);
  const format = formatOf(schema);
  const wholeAsNumber = type === 'integer' && types.includes('number');
  const nearlyWhole = type === 'number' && types.includes('integer') && isNearlyWhole(value as number);
  const textual = type === 'string' || type === 'array';
  if (!textual && format !== '' && !(types.includes(type) || goFormat === format || wholeAsNumber || nearlyWhole))
    return [typeFailure(path, format, goFormat)];
  // A list passes for a string with a format: the server does not look further either.
  if (textual && format !== '' && !types.includes('number') && !types.includes('integer')) return [];
  return types.includes(type) || wholeAsNumber || nearlyWhole ? [] : [typeFailure(path, expected, type)];
}

function enumFailures(schema: StructuralSchema, path: string, value: Json): readonly Failure[] {
  const { enum: values = [] } = schema;
  if (values.length === 0 || values.some((allowed) => isEnumValue(allowed, value))) return [];
  return [{ kind: 'enum', name: path, message: `${path} in body should be one of ${goList(values)}`, value, values }];
}

/** Go converts before it compares: a fraction is cut when the allowed value is whole. */
function isEnumValue(allowed: Json, value: Json): boolean {
  if (typeof allowed === 'number' && typeof value === 'number') return allowed === (Number.isInteger(allowed) ? Math.trunc(value) : value);
  return value !== null && canonicalJson(allowed) === canonicalJson(value);
}

function goList(values: readonly Json[]): string {
  return `[${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}]`;
}

function other(path: string, value: Json, text: string): Failure {
  return { kind: 'other', name: path, message: `${path} in body ${text}`, value };
}

function stringFailures(
  { maxLength, minLength, pattern }: StructuralSchema,
  path: string,
  { text, context }: { text: string; context: OpenApiContext },
): readonly Failure[] {
  const length = maxLength === undefined && minLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength) {
    return [
      { kind: 'tooLong', name: path, message: `${path} in body should be at most ${maxLength} chars long`, value: text, limit: maxLength },
    ];
  }
  if (minLength !== undefined && length < minLength) return [other(path, text, `should be at least ${minLength} chars long`)];
  if (pattern !== undefined && pattern !== '' && !context.matches(pattern, text)) return [other(path, text, `should match '${pattern}'`)];
  return [];
}

function formatFailures(schema: StructuralSchema, path: string, text: string): readonly Failure[] {
  const format = formatOf(schema);
  return hasFormat(format, text) ? [] : [typeFailure(path, format, text)];
}

/** Go's cast on amd64: what does not fit becomes the smallest number. */
function int64Of(limit: number): number {
  return Math.abs(limit) < 2 ** 63 ? Math.trunc(limit) : -(2 ** 63);
}

/** A value, or a bound, that the type and format of the schema cannot have. */
function rangeFailures(schema: StructuralSchema, path: string, [label, value]: readonly [string, number | undefined]): readonly Failure[] {
  if (value === undefined) return [];
  const format = formatOf(schema);
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const fits =
    schema.type === 'integer' ? Number.isInteger(value) && value >= -limit && value < limit : format !== 'float' || isFloat32(value);
  const type = format === '' ? `${schema.type} (default format)` : `${schema.type} with format ${format}`;
  return fits ? [] : [{ kind: 'composite', name: path, message: `${label} value must be of type ${type} in ${path}` }];
}

const isFloat32 = (value: number): boolean => Number.isFinite(Math.fround(value));

/** Whole values are compared as int64, so a fractional bound is cut first; others as float64. */
function numberFailures(schema: StructuralSchema, path: string, value: number): readonly Failure[] {
  const whole = kindOf(value)[0] === 'integer';
  const bound = (limit: number) => (whole ? int64Of(limit) : limit);
  const print = (limit: number) => (whole ? goNumber(int64Of(limit)) : goFloat(limit));
  const { minimum, maximum, multipleOf } = schema;
  const inRange = (label: string, limit: number | undefined) => rangeFailures(schema, path, [label, limit]);
  const failures: Failure[] = [
    ...inRange('Checked', value),
    ...inRange('MultipleOf', multipleOf),
    ...multipleFailures(schema, path, { value, whole }),
    ...inRange('Minimum boundary', minimum),
  ];
  if (minimum !== undefined) {
    const exclusive = schema.exclusiveMinimum === true;
    const fits = exclusive ? value > bound(minimum) : value >= bound(minimum);
    if (!fits) failures.push(other(path, value, `should be greater than ${exclusive ? '' : 'or equal to '}${print(minimum)}`));
  }
  failures.push(...inRange('Maximum boundary', maximum));
  if (maximum !== undefined) {
    const exclusive = schema.exclusiveMaximum === true;
    const fits = exclusive ? value < bound(maximum) : value <= bound(maximum);
    if (!fits) failures.push(other(path, value, `should be less than ${exclusive ? '' : 'or equal to '}${print(maximum)}`));
  }
  return failures;
}

function multipleFailures(
  { multipleOf }: StructuralSchema,
  path: string,
  { value, whole }: { value: number; whole: boolean },
): readonly Failure[] {
  if (multipleOf === undefined) return [];
  const factor = whole ? Math.trunc(multipleOf) : multipleOf;
  const text = whole ? goNumber(factor) : goFloat(factor);
  if (factor <= 0)
    return [{ kind: 'other', name: path, message: `factor MultipleOf declared for ${path} must be positive: ${text}`, value: factor }];
  const fits = whole ? value % factor === 0 : isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor);
  return fits ? [] : [other(path, value, `should be a multiple of ${text}`)];
}

/** go-openapi's tolerance for floating point. It casts to an unsigned number: below zero the tolerance is zero. */
function isNearlyWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (value < 0) return Number.isInteger(value);
  const whole = Math.trunc(value);
  const difference = Math.abs(value - whole);
  if (value === whole) return true;
  if (value === 0 || whole === 0 || difference < Number.MIN_VALUE) return difference < 1e-9 * Number.MIN_VALUE;
  return difference / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

function validateItems({ schema, path, correlation }: Node, items: readonly Json[], context: OpenApiContext): Result {
  const result = new Result();
  const { items: itemSchema, minItems, maxItems } = schema;
  if (itemSchema !== undefined) {
    for (const [index, item] of items.entries()) {
      const node = { schema: itemSchema, path: `${path}[${index}]`, correlation: correlatedItem(correlation, index) };
      result.merge(validateOpenApi(node, item, context));
    }
  }
  if (minItems !== undefined && items.length < minItems) result.add(other(path, items.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && items.length > maxItems) {
    result.add({
      kind: 'tooMany',
      name: path,
      message: `${path} in body should have at most ${maxItems} items`,
      value: items.length,
      limit: maxItems,
    });
  }
  if (schema.uniqueItems === true && new Set(items.map(canonicalJson)).size < items.length) {
    result.add({ kind: 'other', name: path, message: `${path} in body shouldn't contain duplicates` });
  }
  return result.count();
}

function validateFields(node: Node, fields: Fields, context: OpenApiContext): Result {
  const { schema, path, correlation } = node;
  const result = new Result().add(...countFailures(schema, path, Object.keys(fields).length));
  const { properties = {}, additionalProperties } = schema;
  for (const key of Object.keys(fields).filter((name) => !Object.hasOwn(properties, name))) {
    if (additionalProperties === false) {
      result.add({ kind: 'other', name: path, message: `${path}.${key} in body is a forbidden property`, value: key });
    } else if (typeof additionalProperties === 'object') {
      const child = { schema: additionalProperties, path: `${path}.${key}`, correlation: fieldCorrelation(correlation, path, key) };
      result.merge(validateOpenApi(child, fields[key] ?? null, context));
    }
  }
  for (const [key, property] of Object.entries(properties)) {
    if (!Object.hasOwn(fields, key)) continue;
    const child = { schema: property, path: path === '' ? key : `${path}.${key}`, correlation: fieldCorrelation(correlation, path, key) };
    result.merge(validateOpenApi(child, fields[key] ?? null, context));
  }
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(fields, key));
  return result.add(
    ...missing.map((key): Failure => ({ kind: 'required', name: `${path}.${key}`, message: `${path}.${key} in body is required` })),
  );
}

/** The root's apiVersion and kind are never ratcheted: old and new were converted to the same ones. */
function fieldCorrelation(correlation: Correlation | undefined, path: string, key: string): Correlation | undefined {
  return path === '' && (key === 'kind' || key === 'apiVersion') ? undefined : correlatedField(correlation, key);
}

function countFailures({ minProperties, maxProperties }: StructuralSchema, path: string, count: number): readonly Failure[] {
  const failures: Failure[] = [];
  if (minProperties !== undefined && count < minProperties)
    failures.push(other(path, count, `should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && count > maxProperties) {
    failures.push({
      kind: 'tooMany',
      name: path,
      message: `${path} in body should have at most ${maxProperties} properties`,
      value: count,
      limit: maxProperties,
    });
  }
  return failures;
}

function composite(path: string, text: string): Failure {
  return { kind: 'composite', name: path, message: `${goQuote(path)} ${text}` };
}

/** `anyOf`, `oneOf`, `allOf` and `not`. Nothing below them is ratcheted. */
function validateJunctors({ schema, path }: Node, value: Json, context: OpenApiContext): Result {
  const result = new Result();
  const check = (alternative: StructuralSchema) => validateOpenApi({ schema: alternative, path }, value, context);
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0) mergeAnyOf(result, anyOf, { path, check });
  if (oneOf.length > 0) mergeOneOf(result, oneOf.map(check), path);
  if (allOf.length > 0) {
    const results = allOf.map(check);
    for (const each of results) result.merge(each);
    const valid = results.filter((each) => each.valid).length;
    if (valid < results.length)
      result.add(composite(path, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`));
  }
  if (not !== undefined && check(not).valid) result.add(composite(path, 'must not validate the schema (not)'));
  return result.count();
}

function mergeAnyOf(
  result: Result,
  schemas: readonly StructuralSchema[],
  { path, check }: { path: string; check: (schema: StructuralSchema) => Result },
): void {
  let best: Result | undefined;
  for (const schema of schemas) {
    const each = check(schema);
    if (each.valid) {
      result.merge(each);
      return;
    }
    if (best === undefined || each.matches > best.matches) best = each;
  }
  result.add(composite(path, 'must validate at least one schema (anyOf)'));
  if (best !== undefined) result.merge(best);
}

function mergeOneOf(result: Result, results: readonly Result[], path: string): void {
  const valid = results.filter((each) => each.valid);
  const [only] = valid;
  if (only !== undefined && valid.length === 1) {
    result.merge(only);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  result.add(composite(path, `must validate one and only one schema (oneOf). ${found}`));
  if (valid.length > 0) return;
  const best = results.reduce<Result | undefined>(
    (chosen, each) => (chosen === undefined || each.matches > chosen.matches ? each : chosen),
    undefined,
  );
  if (best !== undefined) result.merge(best);
}
