import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { JsonPathError, type PathNode } from './node.js';

/**
 * The values at a path; a key that is missing is not an error, it leads nowhere.
 *
 * Source: client-go, `util/jsonpath/jsonpath.go`, with missing keys allowed.
 * @throws JsonPathError when a list was expected, an index is out of bounds, or values cannot be compared.
 */
export function findByPath(path: readonly PathNode[], root: Json): readonly Json[] {
  let values: readonly Json[] = [root];
  for (const node of path) values = step(node, values);
  return values;
}

function step(node: PathNode, values: readonly Json[]): readonly Json[] {
  switch (node.node) {
    case 'field':
      return values.flatMap((value) => (isJsonObject(value) && Object.hasOwn(value, node.name) ? [value[node.name] as Json] : []));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(descendants);
    case 'slice':
      return values.flatMap((value) => (value === null ? [] : sliced(node, value)));
    case 'union':
      return node.paths.flatMap((path) => path.reduce<readonly Json[]>((found, next) => step(next, found), values));
    case 'filter':
      return values.flatMap((value) => filtered(node, value));
    case 'literal':
      return values.map(() => node.value);
  }
}

function childrenOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The value itself and every map and list below it that is not empty. */
function descendants(value: Json): readonly Json[] {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendants)];
}

function sliced({ from, to, step: stride = 1 }: Extract<PathNode, { node: 'slice' }>, value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw new JsonPathError(`${typeof value} is not array or slice`);
  const list = value as readonly Json[];
  const { length } = list;
  const start = (from ?? 0) < 0 ? (from ?? 0) + length : (from ?? 0);
  const wraps = to !== undefined && (to.index < 0 || (to.index === 0 && to.isDerived));
  const end = to === undefined ? length : wraps ? to.index + length : to.index;
  if (start === end) return [];
  if (start < 0 || start >= length) throw new JsonPathError(`array index out of bounds: index ${start}, length ${length}`);
  if (end < 0 || end > length) throw new JsonPathError(`array index out of bounds: index ${end - 1}, length ${length}`);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (stride <= 0) throw new JsonPathError('step must be > 0');
  return list.slice(start, end).filter((_, index) => index % stride === 0);
}

function filtered(node: Extract<PathNode, { node: 'filter' }>, value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw new JsonPathError('value is not array or slice and cannot be filtered');
  return (value as readonly Json[]).filter((item) => (node.operator === 'exists' ? exists(node.left, item) : compares(node, item)));
}

function exists(path: readonly PathNode[], item: Json): boolean {
  try {
    return findByPath(path, item).length > 0;
  } catch (error) {
    if (JsonPathError.isJsonPathError(error)) return false;
    throw error;
  }
}

function compares({ left, operator, right }: Extract<PathNode, { node: 'filter' }>, item: Json): boolean {
  const lefts = findByPath(left, item);
  if (lefts.length === 0) return false;
  const rights = findByPath(right, item);
  if (rights.length === 0) return false;
  if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
  return compare(lefts[0] as Json, operator, rights[0] as Json);
}

function kindOf(value: Json): 'bool' | 'float' | 'int' | 'string' {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  throw new JsonPathError('invalid type for comparison');
}

/** Go compares only values of one kind. */
function compare(left: Json, operator: string, right: Json): boolean {
  const kind = kindOf(left);
  if (kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (kind === 'bool') throw new JsonPathError('invalid type for comparison');
  const [a, b] = [left as string, right as string];
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}
