import { goType, goValue, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import { goSyntax, isList, isScalar } from './json-value.js';
import { isItemProblem, itemElement } from './list-items.js';
import { elementText, fieldElement, indexElement, type Path } from './path-element.js';
import type { Problem } from './problems.js';
import { deduceAtom, fieldType, type ListType, type MapType, type ScalarType, type TypeRef } from './type-ref.js';

export interface ValidateOptions {
  /** Lists may hold two items of one key. Live objects may, applied ones may not. */
  readonly allowDuplicates?: boolean;
}

/** The problem that keeps a value from being of a type, in the server's words. */
export function validateValue(type: TypeRef, value: Json, options: ValidateOptions = {}): readonly Problem[] {
  // Nearly every value fits: its paths are put together only for messages.
  return fits(type, value, options) ? [] : problemsAt([], type, { value, options });
}

/** Whether there is no problem; the same rules as below, without the words. */
function fits(type: TypeRef, value: Json, options: ValidateOptions): boolean {
  const { scalar, list, map } = deduceAtom(type.atom, value);
  if (map !== undefined) return value === null || (isJsonObject(value) && fieldsFit(map, value, options));
  if (scalar !== undefined) return scalarProblems(scalar, value).length === 0;
  return list !== undefined && (value === null || (isList(value) && itemsFit(list, value, options)));
}

function fieldsFit(type: MapType, value: JsonObject, options: ValidateOptions): boolean {
  for (const name of Object.keys(value)) {
    const its = fieldType(type, name);
    if (its === undefined || !fits(its, value[name] as Json, options)) return false;
  }
  return true;
}

function itemsFit(type: ListType, value: readonly Json[], options: ValidateOptions): boolean {
  const { elementType } = type;
  const seen = type.isAtomic ? undefined : new Set<string>();
  for (const item of value) {
    if (seen !== undefined) {
      const element = itemElement(type, item);
      if (isItemProblem(element) || (seen.has(element.id) && options.allowDuplicates !== true)) return false;
      seen.add(element.id);
    }
    if (elementType !== undefined && !fits(elementType, item, options)) return false;
  }
  return true;
}

interface Subject {
  readonly value: Json;
  readonly options: ValidateOptions;
}

function problemsAt(path: Path, type: TypeRef, subject: Subject): readonly Problem[] {
  const { scalar, list, map } = deduceAtom(type.atom, subject.value);
  if (map !== undefined) return mapProblems(path, map, subject);
  if (scalar !== undefined) return scalarProblems(scalar, subject.value).map((message) => ({ path, message }));
  if (list !== undefined) return listProblems(path, list, subject);
  return [{ path, message: schemaProblem(type) }];
}

/** The server's words for a type that allows nothing. */
export function schemaProblem(type: TypeRef): string {
  return `schema error: invalid atom: ${type.name === undefined ? 'inlined' : `named type: ${type.name}`}`;
}

/** Texts about a scalar; null is a value of every type. `side` names which of two values is meant. */
export function scalarProblems(scalar: ScalarType, value: Json | undefined, side = ''): readonly string[] {
  if (value === undefined || value === null) return [];
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? [] : [`${side}expected numeric (int or float), got ${goType(value)}`];
    case 'string':
      return typeof value === 'string' ? [] : [`${side}expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${side}expected boolean, got &{${goValue(value)}}`];
    case 'untyped':
      return isScalar(value) ? [] : [`${side}expected any scalar, got &{${goValue(value)}}`];
  }
}

function mapProblems(path: Path, type: MapType, { value, options }: Subject): readonly Problem[] {
  if (value === null) return [];
  if (!isJsonObject(value)) return [{ path, message: `expected map, got &{${goValue(value)}}` }];
  return fieldsProblems(path, type, { value, options });
}

function fieldsProblems(
  path: Path,
  type: MapType,
  { value, options }: { value: JsonObject; options: ValidateOptions },
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const [name, field] of Object.entries(value)) {
    const below = [...path, fieldElement(name)];
    const its = fieldType(type, name);
    if (its === undefined) {
      // The server looks no further into a map that has an unknown field.
      problems.push({ path: below, message: 'field not declared in schema' });
      break;
    }
    problems.push(...problemsAt(below, its, { value: field, options }));
  }
  return problems;
}

function listProblems(path: Path, type: ListType, { value, options }: Subject): readonly Problem[] {
  if (value === null) return [];
  if (!isList(value)) return [{ path, message: `expected list, got &{${goValue(value)}}` }];
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const element = type.isAtomic ? indexElement(index) : itemElement(type, item);
    // Without a key nothing can be said about the items that follow.
    if (isItemProblem(element)) return [...problems, { path, message: `element ${index}: ${element.problem}` }];
    if (seen.has(element.id) && options.allowDuplicates !== true) {
      problems.push({ path, message: `duplicate entries for key ${elementText(element)}` });
    }
    seen.add(element.id);
    if (type.elementType !== undefined) problems.push(...problemsAt([...path, element], type.elementType, { value: item, options }));
  }
  return problems;
}
