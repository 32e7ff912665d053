import type { StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';
import { escapePropertyName } from '../../../../src/kubernetes/cel/index.js';
import type { Random } from '../../../api-server/values/apply/differential/random.js';

/** A readable value: an expression and what the schema says of it. */
export interface Readable {
  readonly text: string;
  readonly schema: StructuralSchema;
}

type Kind = 'bool' | 'string' | 'int' | 'double' | 'bytes' | 'timestamp' | 'duration' | 'dyn' | 'list' | 'map' | 'object';

export function kindOfSchema(schema: StructuralSchema): Kind | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'dyn';
  const { type, format = '' } = schema;
  if (type === 'string') {
    const formats: Readonly<Record<string, Kind>> = { byte: 'bytes', date: 'timestamp', 'date-time': 'timestamp', duration: 'duration' };
    return formats[format] ?? 'string';
  }
  if (type === 'array') return 'list';
  if (type === 'object') return typeof schema.additionalProperties === 'object' ? 'map' : schema.properties && 'object';
  const scalars: Readonly<Record<string, Kind>> = { boolean: 'bool', integer: 'int', number: 'double' };
  return scalars[type ?? ''];
}

const STRING: StructuralSchema = { type: 'string' };

/** Expressions over the values of a schema, of a wanted type, a few levels deep. */
export class ExpressionMaker {
  readonly #random: Random;
  #variables = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  bool(scope: readonly Readable[], depth: number): string {
    const { pick } = this;
    const flat = [
      () => `${this.string(scope, 0)} ${pick(['==', '!=', '<', '>='])} ${this.string(scope, 0)}`,
      () => `${this.string(scope, 0)} in [${this.string(scope, 0)}, 'b']`,
      () => this.#read(scope, 'bool') ?? 'true',
      () => `${this.int(scope, 0)} ${pick(['==', '<', '>='])} ${this.int(scope, 0)}`,
      () => this.#present(scope),
      () => this.#compared(scope),
    ];
    if (depth <= 0) return pick(flat)();
    return pick([...flat, ...this.#deepBools(scope, depth - 1)])();
  }

  #deepBools(scope: readonly Readable[], depth: number): readonly (() => string)[] {
    const { pick } = this;
    const text = () => this.string(scope, depth);
    const fold = () => this.#fold(scope, depth);
    return [
      fold,
      fold,
      fold,
      () => `${this.bool(scope, depth)} ${pick(['&&', '||'])} ${this.bool(scope, depth)}`,
      () => `!(${this.bool(scope, depth)})`,
      () => `(${this.bool(scope, depth)} ? ${this.bool(scope, depth)} : ${this.bool(scope, depth)})`,
      () => `${text()} ${pick(['==', '!=', '<=', '>'])} ${text()}`,
      () => `${text()}.${pick(['contains', 'startsWith', 'endsWith'])}(${text()})`,
      () => `${text()}.matches('^[a-z]+$')`,
      () => `${text()}.find('[0-9]+') == ${text()}`,
      () => `${pick(['isIP', 'isCIDR', 'isQuantity', 'isSemver', 'isURL', 'ip.isCanonical'])}(${text()})`,
      () => `url(${text()}).getHost() == ${text()}`,
      () => `url(${text()}) == url(${text()})`,
      () => `ip(${text()}).${pick(['isLoopback()', 'isUnspecified()'])}`,
      () => `ip(${text()}) == cidr(${text()}).masked().ip()`,
      () => `cidr(${text()}).${pick(['containsIP', 'containsCIDR'])}(${text()})`,
      () => `cidr(${text()}).containsIP(ip(${text()})) && cidr(${text()}).containsCIDR(cidr(${text()}))`,
      () => `quantity(${text()}).isGreaterThan(quantity(${text()}).add(${this.int(scope, 0)}))`,
      () => `quantity(${text()}) == quantity(${text()})`,
      () => `semver(${text()}).isLessThan(semver('1.2.3')) || semver(${text()}) == semver('1.0.0')`,
      () => `!format.${pick(['dns1123Label', 'uri', 'uuid'])}().validate(${text()}).hasValue()`,
      () => `format.dns1123Label() == format.named(${text()}).value()`,
      () => `${text()} in ${this.list(scope, depth)}`,
      () => `${this.list(scope, depth)} == ${this.list(scope, depth)}`,
      () => `sets.${pick(['contains', 'intersects', 'equivalent'])}(${this.list(scope, depth)}, ${this.list(scope, depth)})`,
      () => `${this.list(scope, depth)}.${pick(['isSorted()', "max() == 'z'", "min() != 'a'", "indexOf('b') > 0"])}`,
      () => `type(${this.#read(scope, 'dyn') ?? '1'}) == ${pick(['string', 'int'])}`,
      () => `dyn(${text()}) == ${this.#read(scope, 'dyn') ?? 'dyn(2)'}`,
      () => `${this.int(scope, depth)} < ${this.int(scope, depth)}`,
      () => `bytes(${text()}) != ${this.#read(scope, 'bytes') ?? "b'x'"}`,
      () => `{'a': ${text()}, ${text()}: 'c'}.${pick(["all(k, k != 'q')", "exists(k, k.startsWith('a'))"])}`,
      () => `[${text()}, ${text()}].all(v, v.size() < 9 || v == ${text()})`,
    ];
  }

  string(scope: readonly Readable[], depth: number): string {
    const { pick } = this;
    const flat = () => (this.#random.chance(0.75) ? this.#read(scope, 'string') : undefined) ?? pick(["'ab'", "'a longer text, ü'", "''"]);
    if (depth <= 0 || this.#random.chance(0.4)) return flat();
    const text = () => this.string(scope, depth - 1);
    return pick([
      () => `(${text()} + ${text()})`,
      () => `${text()}.${pick(['lowerAscii', 'upperAscii', 'trim'])}()`,
      () => `${text()}.${pick(['substring(1)', 'substring(1, 2)', 'charAt(0)'])}`,
      () => `${text()}.replace(${text()}, ${text()})`,
      () => `${text()}.replace('ab', '')`,
      () => `${this.list(scope, depth - 1)}.join(${pick(['', "', '", text()])})`,
      () => `string(${this.int(scope, 0)})`,
      () => `'%s and %s'.format([${text()}, ${this.int(scope, 0)}])`,
      () => `strings.quote(${text()})`,
      () => `string(bytes(${text()}))`,
      () => `(${this.bool(scope, depth - 1)} ? ${text()} : ${text()})`,
      () => `${text()}.split(',')[0]`,
      () => `${this.list(scope, depth - 1)}[0]`,
      () => this.#optional(scope, text()),
    ])();
  }

  int(scope: readonly Readable[], depth: number): string {
    const { pick } = this;
    const flat = () => this.#read(scope, 'int') ?? pick(['1', '42']);
    if (depth <= 0 || this.#random.chance(0.3)) return this.#random.chance(0.3) ? `${this.string(scope, 0)}.size()` : flat();
    return pick([
      () => `size(${this.list(scope, depth - 1)})`,
      () => `(${flat()} ${pick(['+', '-', '*', '/', '%'])} ${this.int(scope, depth - 1)})`,
      () => `${this.string(scope, depth - 1)}.${pick(["indexOf('a')", "lastIndexOf('b', 3)"])}`,
      () => `int(${this.string(scope, depth - 1)})`,
      () => `${this.#read(scope, 'timestamp') ?? "timestamp('2024-01-01T00:00:00Z')"}.getFullYear()`,
      () => `${this.#read(scope, 'duration') ?? "duration('1h')"}.getHours()`,
      () => `ip(${this.string(scope, depth - 1)}).family()`,
      () => `[1, ${flat()}].${pick(['sum()', 'max()', 'min()'])}`,
      () => this.#sum(scope, depth - 1),
    ])();
  }

  /** A list of texts. */
  list(scope: readonly Readable[], depth: number): string {
    const { pick } = this;
    const lists = this.#readables(scope).filter(({ schema }) => schema.items !== undefined && kindOfSchema(schema.items) === 'string');
    const flat = () => (lists.length > 0 && this.#random.chance(0.7) ? pick(lists).text : `[${this.string(scope, 0)}, 'z']`);
    if (depth <= 0 || this.#random.chance(0.4)) return flat();
    const list = () => this.list(scope, depth - 1);
    return pick([
      () => `(${list()} + ${list()})`,
      () => `${this.string(scope, depth - 1)}.split(${pick(["','", "',', 3", "''"])})`,
      () => `${this.string(scope, depth - 1)}.findAll('[a-z]')`,
      () => this.#mapped(scope, list(), depth - 1),
      () => `${list()}.filter(f, f != 'q')`,
      () => `${list()}.transformList(i, v, i > 1, v + 'x')`,
      () => `(${this.bool(scope, 0)} ? ${list()} : ${list()})`,
      () => `[${this.string(scope, depth - 1)}]`,
    ])();
  }

  #mapped(scope: readonly Readable[], list: string, depth: number): string {
    const name = this.#variable();
    return `${list}.map(${name}, ${this.string([...scope, { text: name, schema: STRING }], depth)})`;
  }

  /** A macro over a list or map of the schema. */
  #fold(scope: readonly Readable[], depth: number): string {
    const { pick } = this;
    const ranges = this.#readables(scope).filter(({ schema }) => ['list', 'map'].includes(kindOfSchema(schema) ?? ''));
    if (ranges.length === 0) return this.bool(scope, depth);
    const range = pick(ranges);
    const { items, additionalProperties } = range.schema;
    const element = (items ?? additionalProperties) as StructuralSchema;
    const [first, second] = [this.#variable(), this.#variable()];
    const isList = items !== undefined;
    const inner = (name: string, schema: StructuralSchema) => this.bool([...scope, { text: name, schema }], depth);
    return pick([
      () => `${range.text}.${pick(['all', 'exists', 'exists_one'])}(${first}, ${inner(first, isList ? element : STRING)})`,
      () => `${range.text}.${pick(['all', 'exists', 'existsOne'])}(${first}, ${second}, ${inner(second, element)})`,
      () => `${range.text}.filter(${first}, ${inner(first, isList ? element : STRING)}).size() < 3`,
      () => `${range.text}.transformMap(${first}, ${second}, ${inner(second, element)}).size() < 3`,
      () => `${range.text}.all(${first}, ${inner(first, isList ? element : STRING)}) && ${range.text}.size() > 2`,
    ])();
  }

  #sum(scope: readonly Readable[], depth: number): string {
    const name = this.#variable();
    return `${this.list(scope, depth)}.map(${name}, ${name}.size()).sum()`;
  }

  #optional(scope: readonly Readable[], otherwise: string): string {
    const fields = this.#readables(scope).filter(({ text, schema }) => kindOfSchema(schema) === 'string' && /^[\w.]+\.\w+$/.test(text));
    if (fields.length === 0) return otherwise;
    const text = this.pick(fields).text.replace(/\.(\w+)$/, '.?$1');
    const name = this.#variable();
    return this.pick([`${text}.orValue(${otherwise})`, `${text}.optMap(${name}, ${name} + 'x').orValue('y')`, `${text}.value()`]);
  }

  #present(scope: readonly Readable[]): string {
    const fields = this.#readables(scope).filter(({ text }) => /^[\w.]+\.\w+$/.test(text));
    return fields.length === 0 ? 'false' : `has(${this.pick(fields).text})`;
  }

  /** Two values of one type. */
  #compared(scope: readonly Readable[]): string {
    const all = this.#readables(scope);
    const one = this.pick(all);
    const others = all.filter(
      ({ schema }) => schema === one.schema || (kindOfSchema(schema) === kindOfSchema(one.schema) && !schema.type?.match(/array|object/)),
    );
    return `${one.text} == ${this.pick(others).text}`;
  }

  #read(scope: readonly Readable[], kind: Kind): string | undefined {
    const found = this.#readables(scope).filter(({ schema }) => kindOfSchema(schema) === kind);
    return found.length === 0 ? undefined : this.pick(found).text;
  }

  /** Everything that can be read from the variables, fields of fields and first elements included. */
  #readables(scope: readonly Readable[]): readonly Readable[] {
    return scope.flatMap((start) => readablesBelow(start, 3));
  }

  #variable(): string {
    this.#variables++;
    return `v${this.#variables}`;
  }

  readonly pick = <T>(choices: readonly T[]): T => this.#random.one(choices);
}

function readablesBelow(from: Readable, depth: number): readonly Readable[] {
  const { text, schema } = from;
  const kind = kindOfSchema(schema);
  if (kind === undefined) return [];
  if (depth === 0) return [from];
  if (kind === 'object') {
    const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      readablesBelow({ text: `${text}.${escapePropertyName(name)}`, schema: property }, depth - 1),
    );
    return [from, ...below];
  }
  if (kind === 'list' && schema.items) return [from, ...readablesBelow({ text: `${text}[0]`, schema: schema.items }, depth - 1)];
  const { additionalProperties } = schema;
  if (kind !== 'map' || typeof additionalProperties !== 'object') return [from];
  return [from, ...readablesBelow({ text: `${text}['k']`, schema: additionalProperties }, depth - 1)];
}
