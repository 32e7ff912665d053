import { type Quantity, quantityAmount, quantityText } from '@keelson/kubernetes/apimachinery';
import type { ResourceList } from '../pod-resources/index.js';

/** The subject of one rule of a LimitRange. */
export interface Constraint {
  /** `Container`, `Pod`, `PersistentVolumeClaim`. */
  readonly type: string;
  readonly resource: string;
  readonly enforced: Quantity;
}

/** The resources that an object asks for; without limits where it can have none. */
export interface Asked {
  readonly requests: ResourceList;
  readonly limits?: ResourceList;
}

/** Largest number whose thousandths fit 64 bits. */
const MOST_EXACT = (2n ** 63n - 1n) / 1000n;
const ZERO: Quantity = { unscaled: 0n, exponent: 0, format: 'DecimalSI' };

export function minimumProblem({ type, resource, enforced }: Constraint, { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(resource), limits?.get(resource)];
  const least = `minimum ${resource} usage per ${type} is ${quantityText(enforced)}`;
  if (request === undefined) return `${least}.  No request is specified`;
  const [asked, most, bound] = comparable(request, limit ?? ZERO, enforced);
  if (asked < bound) return `${least}, but request is ${quantityText(request)}`;
  return limit !== undefined && most < bound ? `${least}, but limit is ${quantityText(limit)}` : undefined;
}

export function maximumProblem({ type, resource, enforced }: Constraint, { requests, limits }: Asked): string | undefined {
  const request = requests.get(resource);
  const greatest = `maximum ${resource} usage per ${type} is ${quantityText(enforced)}`;
  const limit = limits?.get(resource);
  if (limits === undefined && request === undefined) return `${greatest}.  No request is specified`;
  if (limits !== undefined && limit === undefined) return `${greatest}.  No limit is specified`;
  const [asked, most, bound] = comparable(request ?? ZERO, limit ?? ZERO, enforced);
  if (limit !== undefined && most > bound) return `${greatest}, but limit is ${quantityText(limit)}`;
  return request !== undefined && asked > bound ? `${greatest}, but request is ${quantityText(request)}` : undefined;
}

export function ratioProblem({ type, resource, enforced }: Constraint, { requests, limits }: Asked): string | undefined {
  const [request = ZERO, limit = ZERO] = [requests.get(resource), limits?.get(resource)];
  const [asked, most] = comparable(request, limit, enforced);
  const greatest = `${resource} max limit to request ratio per ${type} is ${quantityText(enforced)}`;
  if (asked === 0n) return `${greatest}, but no request is specified or request is 0`;
  if (most === 0n) return `${greatest}, but no limit is specified or limit is 0`;
  const ratio = Number(most) / Number(asked);
  const isExact = quantityAmount(enforced) <= MOST_EXACT;
  const isBeyond = isExact ? ratio * 1000 > Number(quantityAmount(enforced, -3)) : ratio > Number(quantityAmount(enforced));
  return isBeyond ? `${greatest}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** All in thousandths, or, where that is too much for one of them, in whole units. */
function comparable(...quantities: readonly [Quantity, Quantity, Quantity]): readonly [bigint, bigint, bigint] {
  const isExact = quantities.every((quantity) => quantityAmount(quantity) <= MOST_EXACT);
  const [request, limit, enforced] = quantities;
  const scale = isExact ? -3 : 0;
  return [quantityAmount(request, scale), quantityAmount(limit, scale), quantityAmount(enforced, scale)];
}
