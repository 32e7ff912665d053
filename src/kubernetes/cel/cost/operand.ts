import type { Expr } from '../syntax/index.js';
import type { CelType } from '../types/index.js';
import { copied, type FieldPath } from './path.js';
import { type SizeRange, UNKNOWN } from './range.js';

/** A target or an argument of a call, as the costs of functions look at it. */
export interface Operand {
  readonly type: CelType;
  /** Empty where the value is not read from a variable. */
  readonly path: FieldPath;
  readonly expr?: Expr;
  /** The size of a value, as far as the expression alone shows it. */
  readonly size?: SizeRange | undefined;
}

/** Upper bounds of a call's cost, with its arguments, and of its result's size. */
export interface CallCost {
  readonly cost: bigint;
  readonly resultSize?: SizeRange | undefined;
}

/** One overload of a function, and what it is called with. */
export interface Call {
  readonly name: string;
  /** Its arguments as declared: `string.(string)`, `(list(A), int)`. */
  readonly signature: string;
  readonly target?: Operand | undefined;
  readonly args: readonly Operand[];
}

/** Looks up the size that the schema gives the value at a path. */
export type SizeOfPath = (path: FieldPath) => SizeRange | undefined;

/** Scalars have a size that needs no schema. */
export const knownSize = ({ size }: Operand): SizeRange => size ?? UNKNOWN;

export function sizeIn(operand: Operand, sizeOfPath: SizeOfPath): SizeRange {
  return operand.size ?? sizeOfPath(operand.path) ?? UNKNOWN;
}

/** The elements of a list operand; `undefined` for one without a type of its own. */
export function elementsOf({ type, path }: Operand): Operand | undefined {
  const element = type.kind === 'list' ? type.item : undefined;
  if (element === undefined) return undefined;
  return { type: element, path: path.length === 0 ? path : copied(path, '@items') };
}
