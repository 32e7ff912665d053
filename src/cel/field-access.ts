import { type CelMap, type CelOptional, type CelValue, celError, isError, kindOf, optional } from './value.js';

/** `value.field` */
export function selectField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map':
      return (value as CelMap).get(field) ?? celError(`no such key: ${field}`);
    case 'optional':
      return selectOptional(value, field);
    case 'list':
      return celError("unsupported index type 'string' in list");
    default:
      return celError(`no such key: ${field}`);
  }
}

/** `value.?field` */
export function selectOptional(value: CelValue, field: string): CelValue {
  if (isError(value)) return value;
  const inner = kindOf(value) === 'optional' ? (value as CelOptional).value : value;
  if (inner === undefined) return value;
  if (kindOf(inner) !== 'map') return celError('no such overload');
  return optional((inner as CelMap).get(field));
}

/** `has(value.field)` */
export function hasField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map':
      return (value as CelMap).get(field) !== undefined;
    case 'optional': {
      const inner = (value as CelOptional).value;
      return inner === undefined ? false : hasField(inner, field);
    }
    default:
      return false;
  }
}
