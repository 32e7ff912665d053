/** Whether two values are the same JSON, whatever the order of keys. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => jsonEqual(item, right[index]));
  }
  if (Array.isArray(right)) return false;
  const [fields, others] = [left as Record<string, unknown>, right as Record<string, unknown>];
  const keys = Object.keys(fields);
  return (
    keys.length === Object.keys(others).length && keys.every((key) => Object.hasOwn(others, key) && jsonEqual(fields[key], others[key]))
  );
}
