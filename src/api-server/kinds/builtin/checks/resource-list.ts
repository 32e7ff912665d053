import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityText,
  roundUpQuantity,
} from '@keelson/kubernetes/apimachinery';

/** Amounts by resource, in canonical spelling: `{ cpu: '500m' }`. */
export type ResourceList = Record<string, number | string>;

const ZERO: Quantity = { unscaled: 0n, exponent: 0, format: 'DecimalSI' };

/** @throws RangeError for a text that decoding should have refused */
export function quantityOf(value: number | string): Quantity {
  const quantity = parseQuantity(String(value));
  if (typeof quantity === 'string') throw new RangeError(`${value} is not a quantity: ${quantity}`);
  return quantity;
}

export function compareAmounts(left: number | string, right: number | string): number {
  return compareQuantities(quantityOf(left), quantityOf(right));
}

export function isNegativeAmount(value: number | string): boolean {
  return compareQuantities(quantityOf(value), ZERO) < 0;
}

export function isZeroAmount(value: number | string): boolean {
  return compareQuantities(quantityOf(value), ZERO) === 0;
}

export function sumOfAmounts(left: number | string, right: number | string): string {
  return quantityText(addQuantities(quantityOf(left), quantityOf(right)));
}

/** Only such a spelling may be finer than a thousandth. */
const FINE = /[nu]$|e-/;

/** The server keeps no amount finer than a thousandth. Source: kubernetes `pkg/apis/core/v1/defaults.go` (`SetDefaults_ResourceList`). */
export function roundResourceList(list: ResourceList | undefined): void {
  if (list === undefined) return;
  for (const [name, amount] of Object.entries(list)) {
    if (FINE.test(String(amount))) list[name] = quantityText(roundUpQuantity(quantityOf(amount), -3));
  }
}

const HUGE_PAGES = 'hugepages-';

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** The size of one page, of `hugepages-2Mi`; nothing for what is not a size. */
export function hugePageSize(name: string): Quantity | undefined {
  const size = parseQuantity(name.slice(HUGE_PAGES.length));
  return typeof size === 'string' ? undefined : size;
}

/** Names without a domain, and those of the project itself. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Whether more may be limited than requested. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}
