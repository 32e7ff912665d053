import type { JsonObject } from '../import/index.js';
import { call, method, type Written } from './written.js';

/** Formats that have a name of their own. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  byte: 'bytes',
  email: 'email',
  uri: 'uri',
  uuid: 'uuid',
  hostname: 'hostname',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  cidr: 'cidr',
  mac: 'mac',
  date: 'date',
};

/** Helpers for texts that have a pattern: the proof finds the one that fits. */
const NAMED = ['name', 'subdomain', 'labelKey', 'labelValue', 'duration'] as const;

/** Forms of a schema without fields and items, the most readable first. */
export function* scalarsOf(schema: JsonObject): Iterable<Written> {
  const { type } = schema;
  const values = schema['enum'];
  if (Array.isArray(values)) {
    if (values.every((value) => typeof value === 'string')) yield call('z', 'enum', values);
    yield call('z', 'literal', values.length === 1 ? (values[0] as string) : values);
  } else if (type === 'boolean') yield call('z', 'boolean');
  else if (type === 'string') yield* texts(schema);
  else if (type === 'integer' || type === 'number') yield* numbers(schema);
}

function* texts(schema: JsonObject): Iterable<Written> {
  const { format, pattern, minLength, maxLength } = schema;
  if (pattern !== undefined) for (const name of NAMED) yield call('k', name);
  let form = call('z', 'string');
  if (typeof format === 'string') {
    const name = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (name === 'bytes' && minLength === 1) yield call('k', 'bytes');
    const { text, schema: check } = call('k', 'format', format);
    form = name === undefined || name === 'bytes' ? method(form, 'check', { text, value: check }) : call('k', name);
  }
  if (typeof minLength === 'number') form = method(form, 'min', minLength);
  if (typeof maxLength === 'number') form = method(form, 'max', maxLength);
  const expression = typeof pattern === 'string' ? expressionOf(pattern) : undefined;
  yield expression === undefined ? form : method(form, 'regex', { text: expression.toString(), value: expression });
}

/** `undefined` for a pattern that only Go can read. */
function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    // The pattern stays as it is, in k.structural().
    return undefined;
  }
}

function* numbers(schema: JsonObject): Iterable<Written> {
  const { type, format, minimum, maximum, multipleOf } = schema;
  const isPort = format === 'int32' && minimum === 1 && maximum === 65_535;
  if (isPort) yield call('k', 'port');
  for (const base of basesOf(type, format)) {
    let form = base;
    if (typeof minimum === 'number') form = method(form, schema['exclusiveMinimum'] === true ? 'gt' : 'min', minimum);
    if (typeof maximum === 'number') form = method(form, schema['exclusiveMaximum'] === true ? 'lt' : 'max', maximum);
    yield typeof multipleOf === 'number' ? method(form, 'multipleOf', multipleOf) : form;
  }
}

function basesOf(type: unknown, format: unknown): readonly Written[] {
  if (type === 'integer') return [call('k', format === 'int32' ? 'int32' : 'int64')];
  if (format === 'float' || format === 'double') return [call('k', format)];
  return [call('z', 'number')];
}
