/** CEL as text: tokens, the parser with its macros, the tree that it makes, and problems with their places. */
export {
  ACCUMULATOR,
  type CallNode,
  type Expr,
  type FoldNode,
  type ListNode,
  type LiteralValue,
  type MapNode,
  type SelectNode,
  type StructNode,
} from './ast.js';
export { childrenOf, qualifiedName } from './expression-tree.js';
export { parse } from './parser.js';
export { type CelProblem, positionAt, renderProblems } from './problem.js';
