import { compareUtf8, goNumber, goQuote, type Json } from '@keelson/kubernetes/apimachinery';
import { type Alias, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { BodyProblem } from './body-problem.js';
import { MAX_DEPTH } from './json-syntax.js';
import { scalarValue } from './yaml-scalar.js';

/** Values that aliases may repeat, beside those that are written: a small document must not grow without bounds. */
const MAX_ALIASED_VALUES = 100_000;

type Fields = Map<string, Json>;

/**
 * Turns the nodes of a document into JSON, as sigs.k8s.io/yaml does: keys become strings, `<<` merges, aliases are copied.
 *
 * The last of several equal keys counts; {@link duplicates} lists them.
 */
export class YamlTree {
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  readonly #duplicates: string[] = [];
  /** Aliases being copied: one that contains itself never ends. */
  readonly #open = new Set<string>();
  #aliased = 0;
  #depth = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** `line 10: key "x" already set in map`, in the order of the text. */
  get duplicates(): readonly string[] {
    return this.#duplicates;
  }

  valueOf(node: unknown): Json {
    if (this.#open.size > 0) {
      this.#aliased += 1;
      if (this.#aliased > MAX_ALIASED_VALUES) throw new BodyProblem('yaml: document contains excessive aliasing');
    }
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#aliasValue(node);
    this.#remember(node as Node);
    if (isScalar(node)) return this.#scalarValue(node as Scalar);
    return this.#within(() => {
      if (isSeq(node)) return node.items.map((item) => this.valueOf(item));
      return isMap(node) ? objectOf(this.#addFields(new Map(), node)) : null;
    });
  }

  #remember(node: Node): void {
    const { anchor } = node as { anchor?: string };
    // Also while an alias is copied: the same node again.
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  #aliasValue(alias: Alias): Json {
    const { source } = alias;
    const node = this.#anchors.get(source);
    if (node === undefined) throw new BodyProblem(`yaml: unknown anchor '${source}' referenced`);
    return this.#copying(source, () => this.valueOf(node));
  }

  #scalarValue({ source, value, type, tag }: Scalar): Json {
    const text = typeof value === 'string' ? value : (source ?? '');
    return scalarValue({ text, isPlain: type === undefined || type === 'PLAIN', ...(tag === undefined ? {} : { tag }) });
  }

  #addFields(fields: Fields, map: YAMLMap): Fields {
    for (const pair of map.items) {
      if (isMerge(pair)) this.#merge(fields, pair.value);
      else this.#addField(fields, pair);
    }
    return fields;
  }

  #addField(fields: Fields, pair: Pair): void {
    const key = this.valueOf(pair.key);
    const value = this.valueOf(pair.value);
    const name = keyText(key, value);
    if (fields.has(name))
      this.#duplicates.push(`line ${this.#lineOf(pair)}: key ${typeof key === 'string' ? goQuote(key) : name} already set in map`);
    fields.set(name, value);
  }

  /** A merged value takes the place of what was there, and gives way to what follows; the first of several maps counts. */
  #merge(fields: Fields, value: unknown): void {
    const sources = isSeq(value) ? [...value.items].reverse() : [value];
    for (const source of sources) {
      if (isMap(source)) this.#within(() => this.#addFields(fields, source));
      else if (isAlias(source) && isMap(this.#anchors.get(source.source))) this.#mergeAlias(fields, source);
      else throw new BodyProblem('yaml: map merge requires map or sequence of maps as the value');
    }
  }

  #mergeAlias(fields: Fields, { source }: Alias): void {
    this.#copying(source, () => this.#addFields(fields, this.#anchors.get(source) as YAMLMap));
  }

  #copying<T>(anchor: string, copy: () => T): T {
    if (this.#open.has(anchor)) throw new BodyProblem(`yaml: anchor '${anchor}' value contains itself`);
    this.#open.add(anchor);
    const copied = copy();
    this.#open.delete(anchor);
    return copied;
  }

  #within<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new BodyProblem(`yaml: exceeded max depth of ${MAX_DEPTH}`);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** The line of the value, as go-yaml names it. */
  #lineOf({ key, value }: Pair): number {
    const range = (value as Partial<Node> | null)?.range ?? (key as Partial<Node> | null)?.range;
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }
}

function isMerge({ key }: Pair): boolean {
  return (
    isScalar(key) &&
    key.value === '<<' &&
    (key.type === 'PLAIN' || key.type === undefined) &&
    (key.tag === undefined || key.tag === 'tag:yaml.org,2002:merge')
  );
}

function keyText(key: Json, value: Json): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return goNumber(key);
  if (typeof key === 'boolean') return String(key);
  if (key === null) throw new BodyProblem(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${JSON.stringify(value)}`);
  throw new BodyProblem(`yaml: invalid map key: ${JSON.stringify(key)}`);
}

/** In the order in which Go writes the keys of a map. Own properties only, `__proto__` included. */
function objectOf(fields: Fields): Json {
  return Object.fromEntries([...fields].sort(([left], [right]) => compareUtf8(left, right)));
}
