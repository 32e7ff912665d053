import { compareUtf8, isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { FieldsV1Error } from './errors.js';
import { compareValues, elementJson, valueText } from './json-value.js';

/**
 * One step of a path into an object: a field, an item of a keyed list, an item of a set, or an index.
 *
 * `id` is the element as `fieldsV1` spells it; equal elements have equal ids.
 */
export type PathElement = FieldElement | KeyElement | ValueElement | IndexElement;

interface FieldElement {
  readonly kind: 'field';
  readonly id: string;
  readonly name: string;
}

interface KeyElement {
  readonly kind: 'key';
  readonly id: string;
  /** Sorted by name. */
  readonly keys: readonly (readonly [name: string, value: Json])[];
}

interface ValueElement {
  readonly kind: 'value';
  readonly id: string;
  readonly value: Json;
}

interface IndexElement {
  readonly kind: 'index';
  readonly id: string;
  readonly index: number;
}

export type Path = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return { kind: 'field', id: `f:${name}`, name };
}

export function keyElement(keys: readonly (readonly [name: string, value: Json])[]): PathElement {
  const sorted = [...keys].sort(([left], [right]) => compareUtf8(left, right));
  const json = sorted.map(([name, value]) => `${JSON.stringify(name)}:${elementJson(value)}`).join(',');
  return { kind: 'key', id: `k:{${json}}`, keys: sorted };
}

export function valueElement(value: Json): PathElement {
  return { kind: 'value', id: `v:${elementJson(value)}`, value };
}

export function indexElement(index: number): PathElement {
  return { kind: 'index', id: `i:${index}`, index };
}

/** A path of field names: `fieldPath('metadata', 'labels')`. */
export function fieldPath(...names: readonly string[]): Path {
  return names.map(fieldElement);
}

/**
 * Reads an element as `fieldsV1` spells it.
 *
 * @returns undefined for an element of a kind that a later version may have added: the server drops it.
 * @throws FieldsV1Error for any other text.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldsV1Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldsV1Error(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(content);
    case 'k': {
      const keys = parseJson(content);
      if (!isJsonObject(keys)) throw new FieldsV1Error(`${text} holds no keys`);
      return keyElement(Object.entries(keys));
    }
    case 'v': {
      const value = parseJson(content);
      if (value === undefined) throw new FieldsV1Error(`${text} holds no value`);
      return valueElement(value);
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) throw new FieldsV1Error(`${text} holds no index`);
      return indexElement(Number(content));
    default:
      return undefined;
  }
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const RANKS = { field: 0, key: 1, value: 2, index: 3 } as const;

/** Order of elements in `fieldsV1`: fields, keys, values, indexes; then by content. */
export function comparePathElements(left: PathElement, right: PathElement): number {
  if (left.kind === 'field' && right.kind === 'field') return compareUtf8(left.name, right.name);
  if (left.kind === 'key' && right.kind === 'key') return compareKeys(left.keys, right.keys);
  if (left.kind === 'value' && right.kind === 'value') return compareValues(left.value, right.value);
  if (left.kind === 'index' && right.kind === 'index') return left.index - right.index;
  return RANKS[left.kind] - RANKS[right.kind];
}

function compareKeys(left: KeyElement['keys'], right: KeyElement['keys']): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareUtf8(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** `[name="c"]`, `.image`: an element as messages print it. */
export function elementText(element: PathElement, asFloat = false): string {
  switch (element.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.keys.map(([name, value]) => `${name}=${valueText(value, asFloat)}`).join(',')}]`;
    case 'value':
      return `[=${valueText(element.value, asFloat)}]`;
    case 'index':
      return `[${element.index}]`;
  }
}

/** `.spec.containers[name="c"].image`: a path of a stored field set as messages print it. */
export function pathText(path: Path): string {
  return path.map((element) => elementText(element, true)).join('');
}
