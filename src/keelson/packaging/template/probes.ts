import type { Json } from '@keelson/kubernetes/apimachinery';
import type { JsonSchema, ValueLeaf } from '../values/index.js';
import type { Reference, Template } from './template.js';

/** A part of a probe that is found again in the manifests. */
export interface Token {
  readonly reference: Reference;
  /** For a part of a list's item: which one. */
  readonly item?: { readonly leaf: ValueLeaf; readonly index: number } | undefined;
}

/** Values that are like no other, so that the places where the constructs write them are known. */
export class Probes {
  readonly texts: Map<string, Token> = new Map();
  readonly numbers: Map<number, Token> = new Map();
  readonly #series: 0 | 1;
  readonly #letter: string;
  readonly #firstNumber: number;
  #minted = 0;

  /** @param series two series share no value: what holds for one by chance does not hold for the other */
  constructor(series: 'first' | 'second') {
    this.#series = series === 'first' ? 0 : 1;
    this.#letter = series === 'first' ? 'b' : 'y';
    this.#firstNumber = series === 'first' ? 20_011 : 30_013;
  }

  /** A fact of the installer: a text that could be a name. */
  fact(fact: string): string {
    return this.#text({ reference: { from: 'fact', fact } });
  }

  value(leaf: ValueLeaf): Json {
    switch (leaf.type) {
      case 'text':
        return this.#example(leaf) ?? this.#text({ reference: { from: 'value', leaf } });
      case 'integer':
      case 'number':
        return this.#number({ reference: { from: 'value', leaf } });
      case 'list':
        return this.#list(leaf);
      case 'map':
        return leaf.schema.examples?.[this.#series] ?? { [this.#mint()]: this.#mint() };
      case 'choice':
        return leaf.byDefault;
    }
  }

  /** The author's own examples, where a construct takes only some texts. */
  #example(leaf: ValueLeaf): string | undefined {
    const examples = (leaf.schema.examples ?? []).filter((example): example is string => typeof example === 'string' && example !== '');
    const example = examples[this.#series];
    if (example !== undefined) this.texts.set(example, { reference: { from: 'value', leaf } });
    return example;
  }

  /** The first item sorts after the second: an output in which they stand the other way round has been sorted. */
  #list(leaf: ValueLeaf): Json {
    const second = this.#item(leaf.schema.items ?? {}, { leaf, index: 1, path: [] });
    return [this.#item(leaf.schema.items ?? {}, { leaf, index: 0, path: [] }), second];
  }

  #item(schema: JsonSchema, at: { readonly leaf: ValueLeaf; readonly index: number; readonly path: readonly string[] }): Json {
    const token: Token = { reference: { from: 'item', path: at.path }, item: { leaf: at.leaf, index: at.index } };
    if (schema.enum !== undefined) return schema.enum[0] ?? null;
    switch (schema.type) {
      case 'string':
        return this.#text(token);
      case 'integer':
      case 'number':
        return this.#number(token);
      case 'boolean':
        return false;
      case 'object': {
        const properties = Object.entries(schema.properties ?? {});
        if (properties.length === 0) return { [this.#mint()]: this.#mint() };
        return Object.fromEntries(properties.map(([key, property]) => [key, this.#item(property, { ...at, path: [...at.path, key] })]));
      }
      default:
        return { [this.#mint()]: this.#mint() };
    }
  }

  #text(token: Token): string {
    const text = this.#mint();
    this.texts.set(text, token);
    return text;
  }

  #number(token: Token): number {
    const number = this.#firstNumber + 7 * this.#minted;
    this.#minted += 1;
    this.numbers.set(number, token);
    return number;
  }

  /** A name in every grammar of Kubernetes: lower case letters and digits, short. */
  #mint(): string {
    this.#minted += 1;
    return `${this.#letter}q7${this.#minted.toString(36).padStart(3, '0')}q`;
  }
}

/** A text of a probe that was not recognized where it was written. */
const PROBE_TEXT: RegExp = /[by]q7[0-9a-z]{3}q/;

/** Whether a probe was left in a template as it was. */
export function showsProbe(template: Template): boolean {
  switch (template.type) {
    case 'literal':
      return PROBE_TEXT.test(JSON.stringify(template.value));
    case 'text':
      return template.parts.some((part) => typeof part === 'string' && PROBE_TEXT.test(part));
    case 'map':
      return [...template.entries].some(([key, entry]) => PROBE_TEXT.test(key) || showsProbe(entry));
    case 'list':
    case 'range':
      return template.items.some(showsProbe);
    case 'switch':
      return template.cases.some((one) => showsProbe(one.template));
    default:
      return false;
  }
}
