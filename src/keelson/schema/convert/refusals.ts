/** Forms of zod that the API lacks: the form, the reason, and the replacement. */
export const REFUSED_TYPES: Readonly<Record<string, string>> = {
  any: 'z.any() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields',
  unknown: 'z.unknown() has no schema; write k.json() for any JSON value, or k.preserveUnknown() for an object with unknown fields',
  never: 'z.never() accepts nothing; leave the field out, the API server prunes what is not declared',
  undefined: 'z.undefined() has no JSON form; write .optional() on the field',
  void: 'z.void() has no JSON form; leave the field out',
  null: 'z.null() alone says nothing; write .nullable() on the schema of the value',
  nan: 'z.nan() has no JSON form; write z.number()',
  date: 'z.date() has no JSON form: the API carries text; write k.timestamp() (or k.microTime(), k.date())',
  bigint: 'a bigint has no JSON form; write k.int64() (safe up to 2^53 - 1) or, for more, z.string() with a pattern',
  symbol: 'z.symbol() has no JSON form; write z.string()',
  function: 'z.function() has no JSON form; a resource carries data only',
  promise: 'z.promise() has no JSON form; a resource carries data only',
  file: 'z.file() has no JSON form; write k.bytes(), or a reference to a ConfigMap or Secret',
  map: 'z.map() has no JSON form; write z.record(z.string(), value), or k.listMap(item, key) to keep an order',
  set: 'z.set() has no JSON form; write k.set(item)',
  tuple: 'z.tuple() has no structural schema (items have one schema); write z.object() with named fields',
  intersection: 'z.intersection() cannot be merged faithfully; write one z.object(), with { ...a.shape, ...b.shape } or a.extend(b.shape)',
  lazy: 'z.lazy() cannot be unrolled: a structural schema is finite; write the levels out, or k.preserveUnknown() (k.json() for any JSON value) where it recurses',
  transform: 'a transform runs code, the API server has only the schema; transform in the reconciler, or write a defaulting webhook',
  pipe: 'a pipe, transform, preprocess, codec or stringbool runs code, the API server has only the schema; declare the stored form and convert it in the reconciler',
  catch: '.catch() hides invalid values, the API server refuses them; write .default() for an absent value',
  success: 'z.success() has no schema; write z.boolean()',
  custom:
    'z.custom() and z.instanceof() run code, the API server has only the schema; write a z.object(), or k.structural(schema) with a schema by hand',
};

export const REFUSED_CHECKS: Readonly<Record<string, string>> = {
  custom:
    ".refine(), .superRefine() and .check(fn) run code, the API server has only the schema; write .check(k.rule('…')) with a CEL rule, or a validating webhook",
  overwrite:
    '.trim(), .toLowerCase(), .normalize() and .overwrite() change the value, the API server stores what it receives; write a pattern, or a defaulting webhook',
  property: '.check(z.property()) has no schema; write the condition on the property itself',
  properties: '.check(z.properties()) has no schema; write the condition on the properties themselves',
  mime_type: 'z.mime() is about files; a resource carries JSON',
  max_size: '.max() on a map or set has no schema; use k.set(item).max(n) or .check(k.maxProperties(n))',
  min_size: '.min() on a map or set has no schema; use k.set(item).min(n) or .check(k.minProperties(n))',
  size_equals: '.size() has no schema; use k.set(item).length(n)',
  bigint_format: 'a bigint has no JSON form; write k.int64()',
};
