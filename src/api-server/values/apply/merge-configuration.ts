import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { TypeMismatch } from './errors.js';
import { isList } from './json-value.js';
import { isItemProblem, itemElement } from './list-items.js';
import { mergeValues } from './merge.js';
import { elementText, fieldElement, indexElement, type Path } from './path-element.js';
import { type Problem, refuseProblems } from './problems.js';
import { deduceAtom, fieldType, type ScalarType, type TypeRef } from './type-ref.js';
import { validateValue } from './validate.js';

/**
 * Merges the configuration of a mutating admission policy into an object: as an apply does, but no ownership is recorded, and what would take the
 * place of a whole list or map is refused.
 *
 * Source: apiserver `pkg/admission/plugin/policy/mutating/patch/smd.go`, ApplyStructuredMergeDiff.
 *
 * @throws TypeMismatch in the server's words
 */
export function mergeConfiguration(type: TypeRef, live: Json, configuration: Json): Json {
  const problems = [...nullProblems([], type, configuration), ...validateValue(type, configuration)];
  refuseProblems(problems, 'failed to convert patch object to typed object: ');
  const atomics = atomicsIn([], type, configuration);
  if (atomics.length > 0)
    throw new TypeMismatch(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.map(text).join(', ')}`);
  refuseProblems(validateValue(type, live, { allowDuplicates: true }), 'failed to convert original object to typed object: ');
  return mergeValues(type, live, configuration);
}

function text(path: Path): string {
  return path.map((element) => elementText(element)).join('');
}

/** The places at which something atomic would be replaced. Values of maps with free keys are not looked at. */
function atomicsIn(path: Path, type: TypeRef, value: Json): readonly Path[] {
  const { list, map } = type.atom;
  if (isJsonObject(value) && map !== undefined) {
    const below = Object.entries(value).flatMap(([name, field]) => {
      const its = map.fields.get(name)?.type;
      return its === undefined ? [] : atomicsIn([...path, fieldElement(name)], its, field);
    });
    return [...(map.isAtomic ? [path] : []), ...below];
  }
  if (!isList(value) || list === undefined) return [];
  const { elementType } = list;
  const below =
    elementType === undefined ? [] : value.flatMap((item, index) => atomicsIn([...path, indexElement(index)], elementType, item));
  return [...(list.isAtomic ? [path] : []), ...below];
}

/** CEL's null is a number to the server here, and of no type that a field has. */
function nullProblems(path: Path, type: TypeRef, value: Json): readonly Problem[] {
  if (value === null) return [{ path, message: nullText(type) }];
  const { list, map } = deduceAtom(type.atom, value);
  if (isJsonObject(value) && map !== undefined)
    return Object.entries(value).flatMap(([name, field]) => {
      const its = fieldType(map, name);
      return its === undefined ? [] : nullProblems([...path, fieldElement(name)], its, field);
    });
  const elementType = list?.elementType;
  if (!isList(value) || list === undefined || elementType === undefined) return [];
  return value.flatMap((item, index) => {
    const element = list.isAtomic ? indexElement(index) : itemElement(list, item);
    return isItemProblem(element) ? [] : nullProblems([...path, element], elementType, item);
  });
}

const NULL_TEXTS: Readonly<Record<ScalarType, string>> = {
  string: 'expected string, got &value.valueUnstructured{Value:0}',
  numeric: 'expected numeric (int or float), got structpb.NullValue',
  boolean: 'expected boolean, got &{NULL_VALUE}',
  untyped: 'expected any scalar, got &{NULL_VALUE}',
};

function nullText({ atom: { scalar, list } }: TypeRef): string {
  if (scalar !== undefined) return NULL_TEXTS[scalar];
  return `expected ${list === undefined ? 'map' : 'list'}, got &{NULL_VALUE}`;
}
