import type { StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';

const KEYWORDS = new Set([
  'type',
  'format',
  'enum',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'default',
  'pattern',
  'anyOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]);

/** The rules of apiextensions that the built-in types could break, told a second time: what breaks one, with its path. */
export function structuralProblems(schema: StructuralSchema, path = ''): string[] {
  const own = [...unknownKeywords(schema), ...typeProblems(schema), ...listProblems(schema)].map((problem) => `${path}: ${problem}`);
  const children = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => [`${path}.${name}`, child] as const),
    ...(schema.items === undefined ? [] : [[`${path}[]`, schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object' ? [[`${path}{}`, schema.additionalProperties] as const] : []),
  ];
  return [...own, ...children.flatMap(([place, child]) => structuralProblems(child, place))];
}

function unknownKeywords(schema: StructuralSchema): string[] {
  return Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
}

function typeProblems(schema: StructuralSchema): string[] {
  const free = schema['x-kubernetes-int-or-string'] ?? schema['x-kubernetes-preserve-unknown-fields'];
  return [
    ...(schema.type === undefined && free !== true ? ['no type'] : []),
    ...(schema.type !== undefined && schema['x-kubernetes-int-or-string'] === true ? ['int-or-string with a type'] : []),
    ...(schema.properties !== undefined && schema.additionalProperties !== undefined ? ['properties and additionalProperties'] : []),
    ...(schema.type === 'array' && schema.items === undefined ? ['no items'] : []),
    ...(schema.type === 'object' && typeof schema.default === 'object' ? ['an object has a default'] : []),
  ];
}

function listProblems(schema: StructuralSchema): string[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const items = schema.items ?? {};
  const open = keys.filter((key) => !items.required?.includes(key) && items.properties?.[key]?.default === undefined);
  return [
    ...(schema['x-kubernetes-list-type'] === 'map' && keys.length === 0 ? ['a map without keys'] : []),
    ...open.map((key) => `the list key ${key} is neither required nor defaulted`),
    ...keys.filter((key) => items.properties?.[key]?.type === undefined).map((key) => `the list key ${key} is not a scalar`),
    ...(schema['x-kubernetes-list-type'] === 'set' && items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
      ? ['a set of objects']
      : []),
  ];
}
