/** A literal as the parser reads it; ints are bigint, so that 64 bits are exact. */
export type LiteralValue =
  | { readonly kind: 'int' | 'uint'; readonly value: bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' };

/** Every node knows the offset (UTF-16 units) where cel-go would report an error about it. */
interface At {
  readonly at: number;
}

export interface LiteralNode extends At {
  readonly node: 'literal';
  readonly literal: LiteralValue;
}
export interface IdentNode extends At {
  readonly node: 'ident';
  readonly name: string;
}
export interface SelectNode extends At {
  readonly node: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly test: boolean;
}
export interface CallNode extends At {
  readonly node: 'call';
  readonly name: string;
  readonly target?: Expr | undefined;
  readonly args: readonly Expr[];
}
export interface ListNode extends At {
  readonly node: 'list';
  readonly elements: readonly Expr[];
  /** Indices of the elements written `?x`. */
  readonly optional: ReadonlySet<number>;
}
export interface MapNode extends At {
  readonly node: 'map';
  readonly entries: readonly MapEntry[];
}
export interface MapEntry extends At {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}
export interface StructNode extends At {
  readonly node: 'struct';
  readonly name: string;
  readonly fields: readonly StructField[];
}
export interface StructField extends At {
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}
/** The expansion of a macro such as `all` or `map`: a fold over a list or map. */
export interface FoldNode extends At {
  readonly node: 'fold';
  readonly range: Expr;
  readonly variable: string;
  /** Second variable of the two-variable macros. */
  readonly variable2?: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr = LiteralNode | IdentNode | SelectNode | CallNode | ListNode | MapNode | StructNode | FoldNode;

/** Name of the hidden accumulator; not writable in source, so nothing can collide with it. */
export const ACCUMULATOR = '@result';
