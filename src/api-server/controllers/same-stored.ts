/** Parts of stored objects are shared between versions where they are equal: comparing them by identity is enough to see most of what stayed. */
export function isSameStored(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
