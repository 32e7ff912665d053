import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';

/**
 * The smallest value that a schema is likely to accept: required fields alone, with their defaults, first choices and lower bounds. A value for a pattern or a CEL rule is not
 * looked for, so a caller must have the value validated.
 */
export function smallestValue(schema: StructuralSchema): Json {
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (schema.type) {
    case 'object':
      return smallestObject(schema);
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => smallestValue(schema.items ?? {}));
    case 'string':
      return textOfLength(Math.max(schema.minLength ?? 0, 1));
    case 'boolean':
      return false;
    default:
      return smallestNumber(schema);
  }
}

function smallestObject({ properties = {}, required = [] }: StructuralSchema): Json {
  return Object.fromEntries(required.flatMap((name) => (properties[name] === undefined ? [] : [[name, smallestValue(properties[name])]])));
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
    ...lengths(old, now).map((length) =>
      old.type === 'array' ? Array.from({ length }, () => smallestValue(old.items ?? {})) : textOfLength(length),
    ),
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

const MOST_LENGTH = 10_000;
const textOfLength = (length: number): string => 'a'.repeat(Math.min(length, MOST_LENGTH));
