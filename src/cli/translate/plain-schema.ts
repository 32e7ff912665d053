import { isRecord } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../import/index.js';

/** Values that say what the API server takes for granted. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  nullable: false,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  uniqueItems: false,
  'x-kubernetes-preserve-unknown-fields': false,
  'x-kubernetes-embedded-resource': false,
  'x-kubernetes-int-or-string': false,
  'x-kubernetes-map-type': 'granular',
};

/** Keywords that say nothing as an empty list. An empty `default` or `example` is a value. */
const LISTS: ReadonlySet<string> = new Set(['required', 'enum', 'allOf', 'anyOf', 'oneOf', 'x-kubernetes-validations']);

/** A schema without what says nothing: defaults of the API, and empty lists of conditions. Only keywords are dropped, never a property of that name. */
export function plainSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (Object.hasOwn(DEFAULTS, key) && DEFAULTS[key] === value) return [];
      if (LISTS.has(key) && Array.isArray(value) && value.length === 0) return [];
      if (key === 'required' && Array.isArray(value)) return [[key, [...new Set(value.map(String))].sort()]];
      if (key === 'properties' && isRecord(value)) return Object.keys(value).length === 0 ? [] : [[key, mapped(value)]];
      if (['items', 'not', 'additionalProperties'].includes(key) && isRecord(value)) return [[key, plainSchema(value)]];
      if (['allOf', 'anyOf', 'oneOf'].includes(key) && Array.isArray(value))
        return [[key, value.map((each: unknown) => (isRecord(each) ? plainSchema(each) : each))]];
      return [[key, value]];
    }),
  );
}

function mapped(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, isRecord(schema) ? plainSchema(schema) : schema]));
}
