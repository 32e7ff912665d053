import { goQuote, isKnownFormat } from '../../../../kubernetes/index.js';
import type { Definition } from './definition.js';
import { internalForm } from './internal-form.js';

/** Formats of texts that the server will not look at, in the order of the schema; each as often as it stands there. */
function unknownFormats({ spec }: Definition): readonly string[] {
  const { top, versions } = internalForm(spec);
  return [top, ...versions].flatMap(({ validation }) => formatsIn(validation?.openAPIV3Schema));
}

function formatsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(formatsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, format, ...schema } = value as Readonly<Record<string, unknown>>;
  const own = type === 'string' && typeof format === 'string' && format !== '' && !isKnownFormat(format) ? [format] : [];
  const { items, allOf, anyOf, oneOf, not, additionalProperties } = schema;
  const properties = Object.values((schema['properties'] as Readonly<Record<string, unknown>> | undefined) ?? {});
  return [...own, ...[items, allOf, anyOf, oneOf, not, ...properties, additionalProperties].flatMap(formatsIn)];
}

/** Warnings of formats that an update has not had before. */
export function formatWarnings(definition: Definition, old?: Definition): readonly string[] {
  const known = old === undefined ? [] : unknownFormats(old);
  return unknownFormats(definition)
    .filter((format) => !known.includes(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}
