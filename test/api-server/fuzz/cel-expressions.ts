import type { Random } from '../values/apply/differential/random.js';
import { mangledText } from './mangle.js';

const SEEDS = [
  'self.size <= self.limit',
  'has(self.a) && self.a.b.size() > 0',
  'self.parts.all(p, p.name != "")',
  'self.parts.exists_one(p, p.name == "a")',
  'self.parts.map(p, p.name).join(",")',
  'self.tags.filter(t, t.startsWith("a")).size() == 1',
  'self == oldSelf',
  'self.match.matches("^(a|b)+$")',
  '"%s is %d".format([self.color, self.size])',
  'quantity("1Gi").isGreaterThan(quantity("1Mi"))',
  'timestamp("2026-01-02T03:04:05Z") - duration("1h") < timestamp(self.at)',
  'ip("10.0.0.1").family() == 4',
  'cidr("10.0.0.0/8").containsIP("10.1.1.1")',
  'url("https://a.example.com:80/x?y=z").getHost()',
  'optional.of(1).orValue(2)',
  'self.?a.?b.hasValue()',
  '[1, 2, 3].sum()',
  '{"a": 1, 2: "b"}[2]',
  'type(self.size) == int',
  '1 / 0',
  '9223372036854775807 + 1',
  '-9223372036854775808 % -1',
  'b"\\xff".size()',
  "r'\\d'.size()",
  'cel.bind(x, self.size, x + x)',
  'self.map.exists(k, v, v > 1)',
  'format.dns1123Label().validate("a").hasValue()',
  'sets.contains([1], [1])',
  'self.size in [1, 2, 3] ? "x" : dyn(1)',
  'object.spec.size > 1',
  'request.operation == "CREATE"',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'variables.size',
  'params.x',
  'semver("1.2.3").major()',
  'lists.range(5)',
  '"a".lowerAscii().split("").reverse()',
  'math.greatest(1, 2.5)',
  'string(1.0)',
  'double("nan") == double("nan")',
  'self.embedded.metadata.name',
  'self.free',
  'self.__proto__',
  'self.constructor',
  '!!!!!!!true',
  '- - - 1',
  'a.b.c.d(e.f(g))',
  `"${'a'.repeat(300)}".contains("b")`,
];

/** An expression: of a grammar, or one that is good with things changed. */
export function celExpression(random: Random): string {
  if (random.chance(0.35)) return expression(random, 4);
  const seed = random.one(SEEDS);
  if (random.chance(0.15)) return seed;
  return random.chance(0.7) ? mangledText(random, seed) : `${seed} ${random.one(OPERATORS)} ${random.one(SEEDS)}`;
}

const OPERATORS = ['&&', '||', '==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', 'in', '?'];
const ATOMS = [
  'self',
  'oldSelf',
  'object',
  'oldObject',
  'params',
  'request',
  'null',
  'true',
  'false',
  '1',
  '0',
  '2u',
  '-1',
  '1.5',
  '"a"',
  "''",
  'b"x"',
  '[]',
  '{}',
  'self.spec',
  'self.size',
  'self.parts',
  'self.tags',
  'self.free',
  'self.map',
  'x',
  '9223372036854775807',
  '0xff',
  '1e308',
  'int',
  'self.port',
  'self.at',
  'self.ratio',
  'object.metadata.name',
  'namespaceObject.metadata.labels',
];
const METHODS = [
  'size',
  'startsWith',
  'matches',
  'contains',
  'split',
  'format',
  'indexOf',
  'replace',
  'getHost',
  'isSorted',
  'min',
  'orValue',
  'sum',
  'compareTo',
  'add',
  'asInteger',
  'getHours',
  'family',
  'charAt',
  'x',
];
const FUNCTIONS = [
  'size',
  'int',
  'uint',
  'string',
  'double',
  'bytes',
  'type',
  'dyn',
  'duration',
  'timestamp',
  'quantity',
  'ip',
  'cidr',
  'url',
  'has',
  'isQuantity',
  'semver',
  'bool',
  'optional.of',
  'x',
];
const MACROS = ['all', 'exists', 'exists_one', 'map', 'filter', 'transformList', 'transformMap'];

function expression(random: Random, depth: number): string {
  if (depth <= 0) return random.one(ATOMS);
  const inner = (): string => expression(random, depth - 1);
  switch (random.below(11)) {
    case 0:
    case 1:
      return `${inner()} ${random.one(OPERATORS.slice(0, -1))} ${inner()}`;
    case 2:
      return `(${inner()})`;
    case 3:
      return `${random.one(['!', '-'])}${inner()}`;
    case 4:
      return `${inner()}.${random.one(METHODS)}(${list(random, inner)})`;
    case 5:
      return `${random.one(FUNCTIONS)}(${list(random, inner)})`;
    case 6:
      return `${inner()} ? ${inner()} : ${inner()}`;
    case 7:
      return `${inner()}.${random.one(MACROS)}(${random.one(['x', 'y', 'self', '1'])}, ${inner()})`;
    case 8:
      return random.chance(0.5) ? `[${list(random, inner)}]` : `{${inner()}: ${inner()}}`;
    case 9:
      return `${inner()}[${random.chance(0.2) ? '?' : ''}${inner()}]`;
    default:
      return random.one(ATOMS);
  }
}

function list(random: Random, inner: () => string): string {
  return Array.from({ length: random.below(3) }, inner).join(', ');
}
