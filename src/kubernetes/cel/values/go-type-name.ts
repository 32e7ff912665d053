import { type CelValue, kindOf, typeNameOf } from './value.js';

/** How cel-go's implementation calls the types of values. */
const GO_TYPES: Readonly<Record<string, string>> = {
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  bool: 'types.Bool',
  string: 'types.String',
  bytes: 'types.Bytes',
  null: 'types.Null',
  timestamp: 'types.Timestamp',
  duration: 'types.Duration',
  optional: '*types.Optional',
  type: '*types.Type',
  list: '*types.baseList',
  map: '*types.baseMap',
};

/** The type of a value as messages of cel-go's insides show it; `undefined` where they show an interface. */
export function goTypeName(value: CelValue): string | undefined {
  return typeNameOf(value) === 'kubernetes.URL' ? 'cel.URL' : GO_TYPES[kindOf(value)];
}
