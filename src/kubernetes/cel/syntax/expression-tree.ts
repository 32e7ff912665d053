import type { Expr } from './ast.js';

/** The nodes directly below a node. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.node) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

/** Levels of calls and selections. */
export function depthOf(expr: Expr): number {
  let deepest = 0;
  const visit = (node: Expr, depth: number): void => {
    const level = node.node === 'call' || node.node === 'select' ? depth + 1 : depth;
    deepest = Math.max(deepest, level);
    for (const child of childrenOf(node)) visit(child, level);
  };
  visit(expr, 0);
  return deepest;
}

/** Nodes of a tree, shared ones counted each time; `known` spares counting a subtree again. */
export function sizeOf(expr: Expr, known: Map<Expr, number>): number {
  const counted = known.get(expr);
  if (counted !== undefined) return counted;
  const size = childrenOf(expr).reduce((sum, child) => sum + sizeOf(child, known), 1);
  known.set(expr, size);
  return size;
}

/** A chain of one operator as a balanced tree. */
export function balance(name: string, terms: readonly Expr[], positions: readonly number[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle] : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1] : build(middle + 1, high);
    return { node: 'call', name, args: [left as Expr, right as Expr], at: positions[middle] ?? 0 };
  };
  return build(0, positions.length - 1);
}

/** `a.b.c` when a selection is made of names alone. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.node === 'ident') return expr.name;
  if (expr.node !== 'select' || expr.test) return undefined;
  const operand = qualifiedName(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}
