import type { PackageFact } from '../package/index.js';
import type { Reference, Variable } from '../template/index.js';
import type { ValueLeaf } from '../values/index.js';

/** How a template says values, at a place where `root` is the chart's context: `.`, or `$.` within a `range`. */
export class GoExpressions {
  readonly #facts: readonly PackageFact[];
  readonly root: '.' | '$.';

  constructor(facts: readonly PackageFact[], root: '.' | '$.' = '.') {
    this.#facts = facts;
    this.root = root;
  }

  /** The same within a `range`, where `.` is the item. */
  within(): GoExpressions {
    return new GoExpressions(this.#facts, '$.');
  }

  value({ path }: ValueLeaf): string {
    return `${this.root}Values.${path.join('.')}`;
  }

  list(leaf: ValueLeaf, isSorted: boolean): string {
    return isSorted ? `(sortAlpha ${this.value(leaf)})` : this.value(leaf);
  }

  /** An expression whose value is a text, and prints as one. */
  text(reference: Reference): string {
    switch (reference.from) {
      case 'fact':
        return this.#facts.find(({ name }) => name === reference.fact)?.expression(this.root) ?? '""';
      case 'value':
        return this.#printed(this.value(reference.leaf), reference.leaf);
      case 'item':
        return itemPath(reference.path);
      case 'joined':
        return `join ${goString(reference.separator)} ${this.list(reference.leaf, reference.isSorted)}`;
    }
  }

  /** An expression that prints a value as JSON. */
  json(reference: Reference): string {
    if (reference.from !== 'value') return `${this.text(reference)} | toJson`;
    // Helm reads numbers of values.yaml as floats, and prints a million as 1e+06.
    return reference.leaf.type === 'integer' ? `int64 ${this.value(reference.leaf)}` : `${this.value(reference.leaf)} | toJson`;
  }

  #printed(expression: string, { type }: ValueLeaf): string {
    if (type === 'integer') return `int64 ${expression}`;
    return type === 'number' ? `toJson ${expression}` : expression;
  }
}

function itemPath(path: readonly string[]): string {
  return path.length === 0 ? '$item' : `$item.${path.join('.')}`;
}

/** A string of Go's templates. JSON's escapes are Go's too. */
export function goString(text: string): string {
  return JSON.stringify(text);
}

/** The condition that a value is in one of some states. */
export function conditionText({ leaf, states: all }: Variable, states: readonly number[], say: GoExpressions): string {
  const conditions = states.map((state) => all[state]?.condition(say.value(leaf)) ?? '');
  return conditions.length === 1 ? (conditions[0] ?? '') : `or ${conditions.map((one) => `(${one})`).join(' ')}`;
}
