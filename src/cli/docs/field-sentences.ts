import type { StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { code } from './markdown.js';

type Rule = NonNullable<StructuralSchema['x-kubernetes-validations']>[number];

/** The bounds, forms and rules of a schema as sentences, without its type. */
export function sentencesOf(schema: StructuralSchema): readonly string[] {
  return [
    ...boundSentences(schema),
    ...formSentences(schema),
    ...junctorSentences(schema),
    ...(schema['x-kubernetes-validations'] ?? []).map(ruleSentence),
  ];
}

function boundSentences(schema: StructuralSchema): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return [
    ...(minimum === undefined ? [] : [`At least ${minimum}${exclusiveMinimum === true ? ', and not equal to it' : ''}.`]),
    ...(maximum === undefined ? [] : [`At most ${maximum}${exclusiveMaximum === true ? ', and not equal to it' : ''}.`]),
    ...(multipleOf === undefined ? [] : [`A multiple of ${multipleOf}.`]),
    ...lengthSentences('character', schema.minLength, schema.maxLength),
    ...lengthSentences('item', schema.minItems, schema.maxItems),
    ...lengthSentences('entry', schema.minProperties, schema.maxProperties),
  ];
}

function lengthSentences(unit: 'character' | 'entry' | 'item', least: number | undefined, most: number | undefined): readonly string[] {
  const counted = (count: number): string => `${count} ${count === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`}`;
  return [...(least === undefined ? [] : [`At least ${counted(least)}.`]), ...(most === undefined ? [] : [`At most ${counted(most)}.`])];
}

function formSentences(schema: StructuralSchema): readonly string[] {
  const { pattern, nullable, uniqueItems } = schema;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const isAtomic = schema['x-kubernetes-list-type'] === 'atomic' || schema['x-kubernetes-map-type'] === 'atomic';
  return [
    ...(pattern === undefined ? [] : [`Matches ${code(pattern)}.`]),
    ...(nullable === true ? ['May be null.'] : []),
    ...(schema['x-kubernetes-list-type'] === 'set' || uniqueItems === true ? ['No item occurs twice.'] : []),
    ...(keys.length === 0 ? [] : [`Items differ in ${keys.map(code).join(' and ')}.`]),
    ...(isAtomic ? ['Server-side apply replaces it as a whole.'] : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true ? ['Fields that are not listed here are kept.'] : []),
    ...(schema['x-kubernetes-embedded-resource'] === true ? ['Is a Kubernetes object, with `apiVersion` and `kind`.'] : []),
  ];
}

/** Kubernetes writes it below `x-kubernetes-int-or-string`. */
const INT_OR_STRING = JSON.stringify([{ type: 'integer' }, { type: 'string' }]);

/** Schemas below `allOf` and the like say more than a sentence can: they are shown as they are. */
function junctorSentences({ allOf, anyOf, oneOf, not, ...schema }: StructuralSchema): readonly string[] {
  // The type says it already.
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true && JSON.stringify(anyOf) === INT_OR_STRING;
  const shown = (words: string, schemas: unknown): readonly string[] =>
    schemas === undefined ? [] : [`${words} ${code(JSON.stringify(schemas))}.`];
  return [
    ...shown('Fits all of', allOf),
    ...shown('Fits at least one of', isIntOrString ? undefined : anyOf),
    ...shown('Fits exactly one of', oneOf),
    ...shown('Does not fit', not),
  ];
}

/** A rule that compares with the old value is asked on updates only. */
function ruleSentence({ rule, message, messageExpression }: Rule): string {
  if (rule.trim() === 'self == oldSelf') return `Cannot be changed after it is set${message === undefined ? '' : ` (${message})`}.`;
  const words = message ?? (messageExpression === undefined ? undefined : `message ${messageExpression}`);
  const when = /\boldSelf\b/.test(rule) ? 'Rule for changes' : 'Rule';
  return `${when}: ${words === undefined ? code(rule) : `${words} (${code(rule)})`}.`;
}
