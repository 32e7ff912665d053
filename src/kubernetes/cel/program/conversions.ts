/** Conversions of constants are done when a program is made. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'duration',
  'timestamp',
  'dyn',
  'type',
]);

export const isConversion = (name: string): boolean => CONVERSIONS.has(name);
