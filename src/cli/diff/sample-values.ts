import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';

/**
 * The smallest value that a schema is likely to accept: required fields alone, with their defaults, first choices and lower bounds. A value for a pattern or a CEL rule is not
 * looked for, so a caller must have the value validated.
 *
 * @param lists how many lists the value is in
 */
export function smallestValue(schema: StructuralSchema, lists = 0): Json {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (schema.type) {
    case 'object':
      return smallestObject(schema, lists);
    case 'array':
      return listOfLength(schema.minItems ?? 0, schema.items ?? {}, lists);
    case 'string':
      return textOfLength(Math.max(schema.minLength ?? 0, 1));
    case 'boolean':
      return false;
    default:
      return smallestNumber(schema);
  }
}

function smallestObject({ properties = {}, required = [] }: StructuralSchema, lists: number): Json {
  return Object.fromEntries(
    required.flatMap((name) => (properties[name] === undefined ? [] : [[name, smallestValue(properties[name], lists)]])),
  );
}

function smallestNumber({ minimum = 0, maximum = minimum, exclusiveMinimum = false, multipleOf = 1 }: StructuralSchema): number {
  const least = exclusiveMinimum ? minimum + 1 : minimum;
  const number = Math.ceil(least / multipleOf) * multipleOf;
  return number > maximum ? maximum : number;
}

/** Values that the old schema takes and the new one does not, at the field itself: the ends of what was possible. */
export function valuesBetween(old: StructuralSchema, now: StructuralSchema): readonly Json[] {
  const removed = (old.enum ?? []).filter((value) => !(now.enum ?? []).includes(value));
  return [
    ...(now.enum === undefined ? [] : old.enum === undefined ? ['keelson-unknown'] : removed),
    ...(now.maximum !== undefined && now.maximum !== old.maximum ? [old.maximum ?? now.maximum + 1] : []),
    ...(now.minimum !== undefined && now.minimum !== old.minimum ? [old.minimum ?? now.minimum - 1] : []),
    ...lengths(old, now).map((length) => (old.type === 'array' ? listOfLength(length, old.items ?? {}) : textOfLength(length))),
    ...(old.nullable === true && now.nullable !== true ? [null] : []),
  ];
}

function lengths(old: StructuralSchema, now: StructuralSchema): readonly number[] {
  const [oldMost, newMost] = old.type === 'array' ? [old.maxItems, now.maxItems] : [old.maxLength, now.maxLength];
  const [oldLeast, newLeast] = old.type === 'array' ? [old.minItems, now.minItems] : [old.minLength, now.minLength];
  return [
    ...(newMost !== undefined && newMost !== oldMost ? [Math.min(oldMost ?? newMost + 1, newMost + 1)] : []),
    ...(newLeast !== undefined && newLeast !== oldLeast ? [Math.max(oldLeast ?? 0, newLeast - 1)] : []),
  ];
}

/** A CRD can require lists of any length. The API server refuses a sample that is too short, and the change is not tried then. */
const MOST_LENGTH = 10_000;
const MOST_ITEMS = 100;
const textOfLength = (length: number): string => 'a'.repeat(Math.min(length, MOST_LENGTH));
/** @param lists how many lists it is in: long lists in lists would have no end */
function listOfLength(length: number, items: StructuralSchema, lists = 0): Json {
  return Array.from({ length: Math.min(length, lists === 0 ? MOST_ITEMS : 1) }, () => smallestValue(items, lists + 1));
}
