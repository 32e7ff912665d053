import type { Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../../../contract/index.js';
import { REFERENCE } from '../operation.js';

/** Prefix of a reference to a definition. */
export const DEFINITION = '#/definitions/';

/**
 * A component schema of OpenAPI 3 as a definition of OpenAPI 2: a reference stands alone, defaults are left out, and what may be a number or a string is a string.
 * Source: kube-openapi `pkg/handler/default_pruning.go`, and `EmbedOpenAPIDefinitionIntoV2Extension` for Quantity and IntOrString.
 */
export function swaggerDefinition({ default: _default, ...schema }: JsonObject): JsonObject {
  const { allOf, oneOf, ...rest } = schema;
  const referred = Array.isArray(allOf) ? (allOf as readonly JsonObject[])[0]?.['$ref'] : undefined;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, keyword(key, value)])),
    ...(typeof referred === 'string' ? { $ref: keyword('$ref', referred) } : {}),
    ...(oneOf === undefined ? {} : { type: 'string' }),
  };
}

function keyword(key: string, value: Json): Json {
  if (key === '$ref' && typeof value === 'string') return value.replace(REFERENCE, DEFINITION);
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, property]) => [name, isObject(property) ? swaggerDefinition(property) : property]),
    );
  return (key === 'items' || key === 'additionalProperties') && isObject(value) ? swaggerDefinition(value) : value;
}
