/** Makes a value unchangeable, all the way down. What is frozen already is taken to be so throughout. @returns the same value */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
