import { compareUtf8, goType, goValue, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';

/** `%s` of a decoded value, which complains about all that is not a text. */
export function goTextVerb(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '%!s(<nil>)';
  if (typeof value !== 'object') return `%!s(${goType(value)}=${goValue(value)})`;
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
