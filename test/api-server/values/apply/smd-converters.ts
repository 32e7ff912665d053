import {
  FieldSet,
  fieldPath,
  type TypedValue,
  type TypeRef,
  typedValue,
  type Versions,
} from '../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';
import type { SmdCase } from './smd-cases.js';

type TypeOf = (apiVersion: string) => TypeRef | undefined;
type Convert = Versions['convert'];

/**
 * The converters of the recorded cases are code, not data: these do what their names and the expected objects say.
 */
export function convertersOf({ converter, ignoreFilter, types }: SmdCase, typeOf: TypeOf): Versions {
  const convert = CONVERTERS[converter];
  if (convert === undefined) throw new Error(`no converter ${converter}`);
  return { convert: convert(typeOf), resetFields: ignoreFilter ? ignored(types, converter) : () => undefined };
}

const CONVERTERS: Readonly<Record<string, (typeOf: TypeOf) => Convert>> = {
  '*fixture.dummyConverter': () => (typed, apiVersion) => ({ ...typed, apiVersion }),
  'merge_test.renamingConverter': (typeOf) => (typed, apiVersion) => {
    const rename = (name: string): string =>
      name.endsWith(typed.apiVersion) ? `${name.slice(0, -typed.apiVersion.length)}${apiVersion}` : name;
    return retyped(typeOf, apiVersion, mapKeys(typed.value, rename));
  },
  'merge_test.repeatingConverter': (typeOf) => (typed, apiVersion) => {
    const version = Number(apiVersion.slice(1));
    if (typeOf(apiVersion) === undefined) return undefined;
    const repeat = (name: string, depth: number): string => (depth === 0 ? name : name.charAt(0).repeat(version));
    return retyped(typeOf, apiVersion, mapKeys(typed.value, repeat));
  },
  'merge_test.reliantFieldsConverter': (typeOf) => (typed, apiVersion) => {
    if (typed.apiVersion === apiVersion) return typed;
    const [from, to] =
      apiVersion === 'v1' ? ['required_field_bar', 'field_foo_rely_on_bar'] : ['field_foo_rely_on_bar', 'required_field_bar'];
    // What gives the hundred recordings of this case their worth: an object without the field cannot be converted.
    if (apiVersion === 'v1' && !JSON.stringify(typed.value).includes(from)) throw new Error(`${from} is missing`);
    return retyped(
      typeOf,
      apiVersion,
      mapKeys(typed.value, (name) => (name === from ? to : name)),
    );
  },
};

function retyped(typeOf: TypeOf, apiVersion: string, value: Json): TypedValue {
  const type = typeOf(apiVersion);
  if (type === undefined) throw new Error(`no type for ${apiVersion}`);
  return typedValue(value, { type, apiVersion });
}

function mapKeys(value: Json, rename: (name: string, depth: number) => string, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mapKeys(item, rename, depth));
  if (typeof value !== 'object' || value === null) return value;
  // Two fields may come to one name: the last by the old names stays.
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [rename(name, depth), mapKeys(field as Json, rename, depth + 1)]));
}

/** The seven cases with a filter do not carry it; their expected sets lack exactly these fields. */
function ignored(types: SmdCase['types'], converter: string): Versions['resetFields'] {
  if (converter === '*fixture.dummyConverter') return () => FieldSet.of(fieldPath('string'), fieldPath('obj'));
  // The case that goes up to v4 ignores one field under the name it has in each version, the two others ignore it at v2 alone.
  const isOfAllVersions = 'v4' in types;
  return (apiVersion) => {
    if (!isOfAllVersions && apiVersion !== 'v2') return undefined;
    return FieldSet.of(fieldPath('mapOfMapsRecursive', isOfAllVersions ? 'c'.repeat(Number(apiVersion.slice(1))) : 'c'));
  };
}
