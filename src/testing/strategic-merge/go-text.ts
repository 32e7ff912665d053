import { compareUtf8, goNumber, type Json, type JsonObject } from '../../kubernetes/index.js';

/** `%T` of a decoded value; the Go type that decides whether two values are of one kind. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return isList(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** `%v` of a decoded value. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  return containerText(value, goText);
}

/** `%s` of a decoded value, which complains about all that is no text. */
export function goTextVerb(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (typeof value !== 'object') return `%!s(${goType(value)}=${goText(value)})`;
  return containerText(value, goTextVerb);
}

/** `%s` of a value's type. */
export function goTypeVerb(value: Json): string {
  return value === null ? '%!s(<nil>)' : goType(value);
}

function containerText(value: readonly Json[] | JsonObject, textOf: (item: Json) => string): string {
  if (isList(value)) return `[${value.map(textOf).join(' ')}]`;
  const fields = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
  return `map[${fields.map(([name, item]) => `${name}:${textOf(item)}`).join(' ')}]`;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
