import { type CelMap, type CelOptional, type CelValue, celError, isError, kindOf, optional } from './value.js';

const UNINDEXED = celError("unsupported index type 'string' in list");

/** `value.field` */
export function selectField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map':
      return entryOf(value as CelMap, field);
    case 'optional':
      return selectOptional(value, field);
    case 'list':
      return UNINDEXED;
    default:
      return celError(`no such key: ${field}`);
  }
}

function entryOf(map: CelMap, field: string): CelValue {
  const value = map.get(field);
  return value === undefined ? celError(`no such key: ${field}`) : value;
}

/** `value.?field` */
export function selectOptional(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map': {
      const found = (value as CelMap).get(field);
      return found !== undefined && isError(found) ? found : optional(found);
    }
    case 'optional': {
      const inner = (value as CelOptional).value;
      return inner === undefined ? value : selectOptional(inner, field);
    }
    case 'list':
      return UNINDEXED;
    default:
      return optional(undefined);
  }
}

/** `has(value.field)` */
export function hasField(value: CelValue, field: string): CelValue {
  switch (kindOf(value)) {
    case 'error':
      return value;
    case 'map': {
      const found = (value as CelMap).get(field);
      return found !== undefined && isError(found) ? found : found !== undefined;
    }
    case 'list':
      return UNINDEXED;
    case 'optional': {
      const inner = (value as CelOptional).value;
      return inner === undefined ? false : hasField(inner, field);
    }
    default:
      return false;
  }
}
