import { type CelType, DYN, listOf, type ObjectType, STRING } from './type.js';

/** An operation of a JSON Patch, `JSONPatch{op: "add", path: "/a", value: 1}`. */
export const JSON_PATCH: ObjectType = {
  kind: 'object',
  name: 'JSONPatch',
  fields: new Map([
    ['op', STRING],
    ['path', STRING],
    ['from', STRING],
    ['value', DYN],
  ]),
};

/** The configuration that is applied: `Object{spec: Object.spec{…}}`. */
export const APPLIED_OBJECT: ObjectType = { kind: 'object', name: 'Object', fields: new Map(), isOpen: true };

/** The types of a mutation's result. */
export const PATCH_RESULTS: Readonly<Record<'ApplyConfiguration' | 'JSONPatch', CelType>> = {
  ApplyConfiguration: APPLIED_OBJECT,
  JSONPatch: listOf(JSON_PATCH),
};

/**
 * The message types of a mutation. No schema stands behind `Object`: the server looks at names and values when it applies them.
 *
 * Source: apiserver `pkg/cel/mutation/typeresolver.go`.
 */
export function messageType(name: string): ObjectType | undefined {
  if (name === JSON_PATCH.name) return JSON_PATCH;
  if (name === APPLIED_OBJECT.name) return APPLIED_OBJECT;
  return name.startsWith('Object.') ? { kind: 'object', name, fields: new Map(), isOpen: true } : undefined;
}
