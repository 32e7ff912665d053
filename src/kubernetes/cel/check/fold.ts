import type { Expr, FoldNode } from '../syntax/index.js';
import { type CelList, type CelMap, type CelValue, celError, elementsOf, goTypeName, kindOf } from '../values/index.js';

/** A list that a fold fills in place. */
export interface Collector extends CelList {
  readonly collected: CelValue[];
  error?: CelValue;
}

/** `accumulator + [element]`, perhaps under a condition; `undefined` for any other fold. */
export function appendedElement(fold: FoldNode): { readonly filter?: Expr; readonly element: Expr } | undefined {
  const { step } = fold;
  if (fold.init.node !== 'list' || step.node !== 'call' || fold.variable === '#unused') return undefined;
  const [first, second] = step.args;
  if (step.name === '_+_' && second?.node === 'list' && second.elements.length === 1) return { element: second.elements[0] as Expr };
  if (step.name !== '_?_:_' || first === undefined || second?.node !== 'call' || second.name !== '_+_') return undefined;
  const list = second.args[1];
  return list?.node === 'list' ? { filter: first, element: list.elements[0] as Expr } : undefined;
}

/** cel-go's error for a value that has no elements. */
export function notIterable(value: CelValue): CelValue {
  return celError(`got '${goTypeName(value) ?? 'ref.Val'}', expected iterable type`);
}

/** Elements or keys; with two variables index and element, or key and value. */
export function iterator(over: CelValue, pairs: boolean): Iterable<readonly [CelValue, CelValue]> | undefined {
  if (kindOf(over) === 'list') {
    const elements = elementsOf(over as CelList);
    return elements.map((element, index) => (pairs ? [BigInt(index), element] : [element, null]));
  }
  if (kindOf(over) !== 'map') return undefined;
  const map = over as CelMap;
  return [...map.keys()].map((key) => [key, pairs ? (map.get(key) ?? null) : null]);
}
