import type { Json } from '@keelson/kubernetes/apimachinery';
import type { ValueLeaf } from '../values/index.js';

/** A place of the manifests that is filled at installation time. */
export type Reference =
  | { readonly from: 'value'; readonly leaf: ValueLeaf }
  /** A fact that the installer knows: the namespace, the name of the release. */
  | { readonly from: 'fact'; readonly fact: string }
  /** A part of the item that the surrounding `range` is at. */
  | { readonly from: 'item'; readonly path: readonly string[] }
  /** The items of a list of texts, in one text. */
  | { readonly from: 'joined'; readonly leaf: ValueLeaf; readonly separator: string; readonly isSorted: boolean };

/** Values of a leaf that constructs treat alike. */
export interface State {
  readonly holds: (value: Json) => boolean;
  /** Says the state in a template: `value` is the value's own expression. */
  readonly condition: (value: string) => string;
}

/** A value as far as it decides what is written: it is in one of its states. */
export interface Variable {
  readonly leaf: ValueLeaf;
  readonly states: readonly State[];
}

/** Manifests as a function of the values: JSON with places, parts that depend on a value's state, and parts that repeat for each item of a list. */
export type Template =
  | { readonly type: 'absent' }
  /** JSON without places. */
  | { readonly type: 'literal'; readonly value: Json }
  | { readonly type: 'text'; readonly parts: Parts }
  /** A value as it is: a number, a boolean, a list or a map. */
  | { readonly type: 'value'; readonly reference: Reference }
  | MapTemplate
  | { readonly type: 'list'; readonly items: readonly Template[] }
  /** In a list: all items of a value. */
  | { readonly type: 'spread'; readonly leaf: ValueLeaf; readonly isSorted: boolean }
  /** In a list: one item for each item of a value. */
  | { readonly type: 'range'; readonly leaf: ValueLeaf; readonly isSorted: boolean; readonly items: readonly Template[] }
  | { readonly type: 'switch'; readonly variable: Variable; readonly cases: readonly SwitchCase[] };

export interface MapTemplate {
  readonly type: 'map';
  readonly entries: ReadonlyMap<string, Template>;
  /** Names of entries that have places themselves, by their key among the entries. */
  readonly names: ReadonlyMap<string, Parts>;
  /** Maps whose fields stand among the entries. */
  readonly spreads: readonly ValueLeaf[];
}

/** A text with places. */
export type Parts = readonly (string | Reference)[];

export interface SwitchCase {
  readonly states: readonly number[];
  readonly template: Template;
}

export const ABSENT: Template = { type: 'absent' };

/** Values and facts that fill the places. */
export interface Filling {
  readonly value: (leaf: ValueLeaf) => Json;
  readonly fact: (name: string) => string;
  readonly item?: Json | undefined;
}

/** A template with other literals. */
export function withLiterals(template: Template, change: (value: Json) => Json): Template {
  const inner = (part: Template): Template => withLiterals(part, change);
  switch (template.type) {
    case 'literal':
      return { ...template, value: change(template.value) };
    case 'map': {
      const entries = new Map([...template.entries].map(([key, entry]) => [key, inner(entry)]));
      return { ...template, entries };
    }
    case 'list':
    case 'range':
      return { ...template, items: template.items.map(inner) };
    case 'switch':
      return { ...template, cases: template.cases.map((one) => ({ ...one, template: inner(one.template) })) };
    default:
      return template;
  }
}

/** A template with its places filled; `undefined` if nothing is written. */
export function fill(template: Template, filling: Filling): Json | undefined {
  switch (template.type) {
    case 'absent':
      return undefined;
    case 'literal':
      return template.value;
    case 'text':
      return filledText(template.parts, filling);
    case 'value':
      return resolve(template.reference, filling);
    case 'map':
      return fillMap(template, filling);
    case 'list':
      return template.items.flatMap((item) => fillItem(item, filling));
    case 'spread':
    case 'range':
      return fillItem(template, filling);
    case 'switch':
      return fill(caseOf(template, filling.value(template.variable.leaf)), filling);
  }
}

function filledText(parts: Parts, filling: Filling): string {
  return parts.map((part) => (typeof part === 'string' ? part : textOf(resolve(part, filling)))).join('');
}

function fillMap({ entries, names, spreads }: MapTemplate, filling: Filling): Json {
  const result: Record<string, Json> = {};
  for (const leaf of spreads) Object.assign(result, filling.value(leaf));
  for (const [key, entry] of entries) {
    const value = fill(entry, filling);
    const name = filledText(names.get(key) ?? [key], filling);
    if (value !== undefined) Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return result;
}

function fillItem(item: Template, filling: Filling): Json[] {
  if (item.type === 'switch') return fillItem(caseOf(item, filling.value(item.variable.leaf)), filling);
  if (item.type === 'spread') return [...itemsOf(item, filling)];
  if (item.type === 'range') {
    return itemsOf(item, filling).flatMap((each) => item.items.flatMap((template) => fillItem(template, { ...filling, item: each })));
  }
  const value = fill(item, filling);
  return value === undefined ? [] : [value];
}

function itemsOf({ leaf, isSorted }: { readonly leaf: ValueLeaf; readonly isSorted: boolean }, { value }: Filling): readonly Json[] {
  const items = value(leaf) as readonly Json[];
  return isSorted ? [...items].sort((left, right) => (textOf(left) < textOf(right) ? -1 : 1)) : items;
}

function caseOf({ variable, cases }: Extract<Template, { type: 'switch' }>, value: Json): Template {
  const state = variable.states.findIndex(({ holds }) => holds(value));
  return cases.find(({ states }) => states.includes(state))?.template ?? ABSENT;
}

function resolve(reference: Reference, filling: Filling): Json {
  switch (reference.from) {
    case 'value':
      return filling.value(reference.leaf);
    case 'fact':
      return filling.fact(reference.fact);
    case 'item':
      return reference.path.reduce<Json>((node, key) => (node as Readonly<Record<string, Json>>)[key] ?? '', filling.item ?? '');
    case 'joined':
      return itemsOf(reference, filling).map(textOf).join(reference.separator);
  }
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
