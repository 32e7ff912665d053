import { equalJson, isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import type { ValueLeaf } from '../values/index.js';
import type { Probes, Token } from './probes.js';
import type { Parts, Reference, Template } from './template.js';
import { placeText, templateKey } from './template-key.js';

/** Lists and maps that the constructs were given, as values. */
export type Blocks = readonly (readonly [leaf: ValueLeaf, value: Json])[];

/** Finds the probes in what the constructs wrote, and makes places of them. */
export class Abstraction {
  readonly #probes: Probes;
  readonly #lists: readonly (readonly [leaf: ValueLeaf, items: readonly Json[]])[];
  readonly #maps: readonly (readonly [leaf: ValueLeaf, fields: Readonly<Record<string, Json>>])[];
  readonly #pattern: RegExp;
  readonly #known = new Map<string, Template>();

  constructor(probes: Probes, blocks: Blocks) {
    this.#probes = probes;
    this.#lists = blocks.flatMap(([leaf, value]) =>
      Array.isArray(value) && value.length > 0 ? [[leaf, value as readonly Json[]] as const] : [],
    );
    this.#maps = blocks.flatMap(([leaf, value]) => (isJsonObject(value) && Object.keys(value).length > 0 ? [[leaf, value] as const] : []));
    const texts = [...probes.texts.keys()].sort((left, right) => right.length - left.length).map((text) => text.replace(/[^\w]/g, '\\$&'));
    const numbers = [...probes.numbers.keys()].map((number) => `(?<!\\d)${number}(?!\\d)`);
    this.#pattern = new RegExp(`(${[...texts, ...numbers, '(?!)'].join('|')})`);
  }

  /** Large objects come again and again: equal ones are looked at once. */
  of(value: Json): Template {
    const text = JSON.stringify(value);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const template = this.#of(value);
    this.#known.set(text, template);
    return template;
  }

  #of(value: Json): Template {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') {
      const token = this.#probes.numbers.get(value);
      return token === undefined ? { type: 'literal', value } : { type: 'value', reference: placeOf(token) };
    }
    if (Array.isArray(value)) return this.#list(value as readonly Json[]);
    return isJsonObject(value) ? this.#map(value) : { type: 'literal', value };
  }

  #text(value: string): Template {
    const parts = value.split(this.#pattern).flatMap((piece, index): (string | Token)[] => {
      if (index % 2 === 0) return piece === '' ? [] : [piece];
      const token = this.#probes.texts.get(piece) ?? this.#probes.numbers.get(Number(piece));
      return [token ?? piece];
    });
    if (parts.every((part) => typeof part === 'string')) return { type: 'literal', value };
    return { type: 'text', parts: joined(parts) };
  }

  #map(value: Readonly<Record<string, Json>>): Template {
    const whole = this.#maps.find(([, fields]) => equalJson(fields, value));
    if (whole !== undefined) return { type: 'value', reference: { from: 'value', leaf: whole[0] } };
    const within = this.#maps.filter(([, fields]) =>
      Object.entries(fields).every(([key, field]) => Object.hasOwn(value, key) && equalJson(value[key], field)),
    );
    const spread = new Set(within.flatMap(([, fields]) => Object.keys(fields)));
    const entries = new Map<string, Template>();
    const names = new Map<string, Parts>();
    for (const [key, field] of Object.entries(value)) {
      if (spread.has(key)) continue;
      const name = this.#text(key);
      if (name.type === 'text') names.set(placeText(name.parts), name.parts);
      entries.set(name.type === 'text' ? placeText(name.parts) : key, this.#of(field));
    }
    const isLiteral = within.length === 0 && names.size === 0 && [...entries.values()].every(({ type }) => type === 'literal');
    return isLiteral ? { type: 'literal', value } : { type: 'map', entries, names, spreads: within.map(([leaf]) => leaf) };
  }

  #list(value: readonly Json[]): Template {
    const items: Template[] = [];
    for (let index = 0; index < value.length; ) {
      const spread = this.#spreadAt(value, index);
      if (spread === undefined) {
        items.push(this.#of(value[index] ?? null));
        index += 1;
      } else {
        items.push(spread.template);
        index += spread.length;
      }
    }
    const ranged = rangesOf(items);
    if (ranged.every((item) => item.type === 'literal')) return { type: 'literal', value };
    return { type: 'list', items: ranged };
  }

  #spreadAt(value: readonly Json[], at: number): { readonly template: Template; readonly length: number } | undefined {
    for (const [leaf, items] of this.#lists) {
      const found = value.slice(at, at + items.length);
      if (equalJson(found, items)) return { template: { type: 'spread', leaf, isSorted: false }, length: items.length };
      if (items.every((item) => typeof item === 'string') && equalJson(found, [...items].sort()))
        return { template: { type: 'spread', leaf, isSorted: true }, length: items.length };
    }
    return undefined;
  }
}

/** A part of an item keeps which item it is of, until its `range` is found. */
interface ItemPlace {
  readonly from: 'item';
  readonly path: readonly string[];
  readonly item: NonNullable<Token['item']>;
}

function placeOf({ reference, item }: Token): Reference {
  return item === undefined ? reference : ({ ...reference, item } as Reference & { readonly item: typeof item });
}

/** Two items of one list in one text, with something between them, are the whole list, joined. */
function joined(parts: readonly (string | Token)[]): (string | Reference)[] {
  const result: (string | Reference)[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const [first, separator, second] = parts.slice(index, index + 3);
    const one = itemOf(first);
    const two = itemOf(second);
    if (one !== undefined && two !== undefined && typeof separator === 'string' && one.leaf === two.leaf && one.index !== two.index) {
      result.push({ from: 'joined', leaf: one.leaf, separator, isSorted: one.index > two.index });
      index += 2;
    } else if (first !== undefined) result.push(typeof first === 'string' ? first : placeOf(first));
  }
  return result;
}

function itemOf(part: string | Token | undefined): Token['item'] {
  return typeof part === 'object' ? part.item : undefined;
}

/** Neighbours that are made alike of a list's first and second item repeat for each of its items. */
function rangesOf(items: readonly Template[]): Template[] {
  const result: Template[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const found = pairAt(items, index);
    if (found === undefined) result.push(items[index] as Template);
    else {
      result.push(found);
      index += 1;
    }
  }
  return result;
}

function pairAt(items: readonly Template[], at: number): Template | undefined {
  const [first, second] = [items[at], items[at + 1]];
  if (first === undefined || second === undefined) return undefined;
  const one = itemWithin(first);
  const two = itemWithin(second);
  if (one === undefined || two === undefined || one.leaf !== two.leaf || one.index === two.index) return undefined;
  const template = withoutItem(first);
  if (templateKey(template) !== templateKey(withoutItem(second))) return undefined;
  return { type: 'range', leaf: one.leaf, isSorted: one.index > two.index, items: [template] };
}

/** Which item of which list a template is made of; `undefined` if of none, or of several. */
export function itemWithin(template: Template): { readonly leaf: ValueLeaf; readonly index: number } | undefined {
  const found = new Map<string, { readonly leaf: ValueLeaf; readonly index: number }>();
  visitReferences(template, (reference) => {
    const { item } = reference as Partial<ItemPlace>;
    if (item !== undefined) found.set(`${item.leaf.name} ${item.index}`, item);
  });
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** The template of an item, whichever it is. */
export function withoutItem(template: Template): Template {
  return mapReferences(template, (reference) => {
    if (!('item' in reference)) return reference;
    const { item: _dropped, ...place } = reference as ItemPlace;
    return place;
  });
}

function visitReferences(template: Template, visit: (reference: Reference) => void): void {
  mapReferences(template, (reference) => {
    visit(reference);
    return reference;
  });
}

function mapReferences(template: Template, map: (reference: Reference) => Reference): Template {
  switch (template.type) {
    case 'text':
      return { ...template, parts: template.parts.map((part) => (typeof part === 'string' ? part : map(part))) };
    case 'value':
      return { ...template, reference: map(template.reference) };
    case 'map':
      return {
        ...template,
        entries: new Map([...template.entries].map(([key, entry]) => [key, mapReferences(entry, map)])),
        names: new Map(
          [...template.names].map(([key, parts]) => [key, parts.map((part) => (typeof part === 'string' ? part : map(part)))]),
        ),
      };
    case 'list':
    case 'range':
      return { ...template, items: template.items.map((item) => mapReferences(item, map)) };
    case 'switch':
      return { ...template, cases: template.cases.map(({ states, template: inner }) => ({ states, template: mapReferences(inner, map) })) };
    default:
      return template;
  }
}
