/**
 * Makes a value unchangeable, all the way down. A frozen value is taken to be frozen throughout.
 *
 * Without recursion: objects from outside may nest thousands of levels deep.
 *
 * @returns the same value
 */
export function deepFreeze<T>(value: T): T {
  if (!isChangeable(value)) return value;
  const left: object[] = [Object.freeze(value)];
  for (let part = left.pop(); part !== undefined; part = left.pop())
    for (const item of Object.values(part)) if (isChangeable(item)) left.push(Object.freeze(item));
  return value;
}

function isChangeable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value);
}
