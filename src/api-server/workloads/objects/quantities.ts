import { compareQuantities, parseQuantity } from '@keelson/kubernetes/apimachinery';

/** A count, or its part of a total: `25%` is rounded as Kubernetes does in each place. Source: apimachinery `pkg/util/intstr`. */
export function scaledCount(value: number | string, total: number, rounding: 'down' | 'up'): number {
  if (typeof value === 'number') return value;
  const percent = Number(/^(\d+)%$/.exec(value)?.[1] ?? Number.NaN);
  if (Number.isNaN(percent)) throw new RangeError(`${JSON.stringify(value)} is not a percentage: the server would not have taken it`);
  const count = (percent * total) / 100;
  return rounding === 'up' ? Math.ceil(count) : Math.floor(count);
}

/** Orders two quantities. A text that is not a quantity is less than any: the server would not have taken it. */
export function compareAmounts(left: string, right: string): number {
  const [one, two] = [parseQuantity(left), parseQuantity(right)];
  if (typeof one === 'string' || typeof two === 'string') return (typeof one === 'string' ? 0 : 1) - (typeof two === 'string' ? 0 : 1);
  return compareQuantities(one, two);
}
