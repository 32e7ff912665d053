import fc from 'fast-check';

/**
 * Random schemas as the source text that an author would write: what disagrees can be read, copied and run.
 *
 * Everything that converts is drawn, in combinations too: nothing here knows which of them a definition refuses.
 */
type Text = fc.Arbitrary<string>;

const small = fc.integer({ min: -3, max: 12 }).map(String);
const bound = fc.oneof({ weight: 6, arbitrary: small }, fc.constantFrom('0.5', '-0.5', '2.5', '1e3', '4294967296', '-1e12'));
const count = fc.integer({ min: 0, max: 4 }).map(String);
const quoted = fc.constantFrom('a', 'b', 'ab', 'A', '1', 'auto', '', 'é', 'a b').map((text) => JSON.stringify(text));

/** `base`, and up to two of `steps` behind it. */
function chained(base: Text, steps: Text, most = 2): Text {
  return fc.tuple(base, fc.array(steps, { maxLength: most })).map(([text, calls]) => `${text}${calls.join('')}`);
}

function call(name: string, parameter: Text): Text {
  return parameter.map((text) => `${name}(${text})`);
}

const atom = fc.constantFrom(
  ...['a', 'b', 'k', 's', 'é', '1', '_', '.', '\\d', '\\w', '\\W', '\\s', '\\S', '\\b', '\\u017f', '[ab]', '[^a]', '[a-k]', '[^\\s]'],
  ...[
    '[\\S]',
    '[\\W_]',
    '[\\s\\S]',
    '[^\\S ]',
    '[\\]x]',
    '\\.',
    '\\/',
    '(a|b)',
    '(?:s|k)',
    '[é-ü]',
    '\\x41',
    '[\\w-]',
    '\\t',
    '[K]',
    'ab|ba',
  ],
);
const pattern = fc
  .tuple(
    fc.array(fc.tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{1,2}', '*?')), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('^$', '^$', '^', '$', ''),
    fc.constantFrom('', '', 'i', 'u', 'iu', 's', 'is'),
  )
  .map(([parts, anchors, flags]) => {
    const body = parts.map(([text, times]) => `${text.includes('|') && !text.startsWith('(') ? `(?:${text})` : text}${times}`).join('');
    return `/${anchors.includes('^') ? '^' : ''}${body}${anchors.includes('$') ? '$' : ''}/${flags}`;
  });

const plainString = chained(
  fc.constant('z.string()'),
  fc.oneof(
    call('.min', count),
    call('.max', count),
    call('.length', count),
    { weight: 3, arbitrary: call('.regex', pattern) },
    call('.startsWith', quoted),
    call('.endsWith', quoted),
    call('.includes', quoted),
    fc.constantFrom('.lowercase()', '.uppercase()'),
  ),
);

const FORMATS = [
  ...[
    'z.email()',
    'z.ipv4()',
    'z.ipv6()',
    'z.cidrv4()',
    'z.cidrv6()',
    'z.mac()',
    'z.hostname()',
    'z.base64()',
    'z.base64url()',
    'z.uuid()',
  ],
  ...[
    'z.uuidv4()',
    'z.guid()',
    'z.iso.date()',
    'z.iso.time()',
    'z.iso.datetime()',
    'z.iso.datetime({ offset: true })',
    'z.url()',
    'z.hex()',
  ],
  ...[
    'z.iso.datetime({ precision: 0 })',
    'z.iso.datetime({ offset: true, precision: 3 })',
    'k.email()',
    'k.uri()',
    'k.uuid()',
    'k.hostname()',
  ],
  ...['k.ipv4()', 'k.ipv6()', 'k.cidr()', 'k.mac()', 'k.date()', 'k.timestamp()', 'k.microTime()', 'k.bytes()', 'k.duration()', 'k.name()'],
  ...[
    'k.subdomain()',
    'k.labelKey()',
    'k.labelValue()',
    'z.templateLiteral(["v", z.int()])',
    'z.e164()',
    'z.string().check(k.format("duration"))',
  ],
] as const;

const format = chained(fc.constantFrom<string>(...FORMATS), call('.max', fc.constant('300')), 1).map((text) =>
  text.startsWith('z.templateLiteral') ? (text.split('.max')[0] ?? text) : text,
);

const number = chained(
  fc.constantFrom('z.number()', 'z.int()', 'k.int32()', 'k.int64()', 'k.float()', 'k.double()', 'k.port()', 'z.uint32()'),
  fc.oneof(
    call('.min', bound),
    call('.max', bound),
    call('.gt', bound),
    call('.lt', bound),
    call('.multipleOf', fc.constantFrom('2', '5', '3')),
    fc.constantFrom('.positive()', '.nonnegative()', '.negative()', '.int()'),
  ),
);

const literalValue = fc.constantFrom('"a"', '"auto"', '"b"', '1', '2', '-1', '0.5', 'true', 'false');
const fixed = fc.oneof(
  call('z.literal', literalValue),
  fc.uniqueArray(literalValue, { minLength: 1, maxLength: 3 }).map((values) => `z.literal([${values.join(', ')}])`),
  fc.uniqueArray(quoted, { minLength: 1, maxLength: 3 }).map((values) => `z.enum([${values.join(', ')}])`),
);

const scalar: Text = fc.oneof(
  { weight: 4, arbitrary: plainString },
  { weight: 3, arbitrary: format },
  { weight: 4, arbitrary: number },
  { weight: 3, arbitrary: fixed },
  fc.constant('z.boolean()'),
  fc.constantFrom(
    'k.quantity()',
    'k.intOrString()',
    'k.json()',
    'k.labelSelector()',
    'k.preserveUnknown()',
    'k.set(k.int32())',
    'k.set(z.string())',
  ),
);

const unionOf = (options: Text, most: number): Text =>
  fc.array(options, { minLength: 2, maxLength: most }).map((texts) => `z.union([${texts.join(', ')}])`);

const smallUnion = unionOf(fc.oneof(plainString, format, number, fixed), 3);
const scalarUnion = unionOf(fc.oneof({ weight: 6, arbitrary: fc.oneof(plainString, format, number, fixed) }, smallUnion), 3);

/** Names that need escapes in CEL and that it cannot reach among them. */
const fieldName = fc.constantFrom('a', 'b', 'c', 'a', 'b', 'c', 'x-y', 'namespace', 'in', '@type');

const fallback = fc.constantFrom(
  '"a"',
  '1',
  '3',
  '{}',
  '[]',
  'true',
  '{ a: "a" }',
  '{ a: 1 }',
  '[1]',
  '["a"]',
  '{ a: {} }',
  '{ a: undefined }',
  '[{}]',
);
const modifier = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('', '', '.optional()', '.optional()', '.nullable()', '.nullish()', '.readonly()') },
  call('.default', fallback),
  call('.prefault', fallback),
  call('.default', fallback).map((text) => `${text}.optional()`),
  call('.default', fallback).map((text) => `${text}.nullable()`),
);

const around = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 2, arbitrary: fc.constant('k.immutable') });

const fields = (schema: Text, most: number): fc.Arbitrary<readonly (readonly [string, string])[]> =>
  fc.uniqueArray(
    fc
      .tuple(fieldName, schema, modifier, around)
      .map(([name, text, end, call]) => [name, call === '' ? `${text}${end}` : `${call}(${text}${end})`] as const),
    { maxLength: most, selector: ([name]) => name },
  );

const objectText = (entries: readonly (readonly [string, string])[]): string =>
  `z.object({ ${entries.map(([name, text]) => `${JSON.stringify(name)}: ${text}`).join(', ')} })`;

function object(schema: Text): Text {
  return fc.tuple(fields(schema, 3), fc.constantFrom('', '', '', 'oneOf', 'atMostOneOf', 'atLeastOneOf', 'min')).map(([entries, check]) => {
    const text = objectText(entries);
    if (check === 'min') return `${text}.check(k.minProperties(1))`;
    const free = entries.filter(([, field]) => /\.(optional|nullish)\(\)\)?$/.test(field)).map(([name]) => JSON.stringify(name));
    return check === '' || free.length < 2 ? text : `${text}.check(k.${check}(${free.join(', ')}))`;
  });
}

function objectUnion(schema: Text): Text {
  return fc.array(fields(schema, 2), { minLength: 2, maxLength: 3 }).map((variants) => `z.union([${variants.map(objectText).join(', ')}])`);
}

function discriminatedUnion(schema: Text): Text {
  const tags = fc.constantFrom(['"x"', '"y"', '"z"'], ['1', '2', '3'], ['true', 'false', '"both"']);
  return fc
    .tuple(fc.array(fields(schema, 2), { minLength: 2, maxLength: 3 }), tags, fc.constantFrom('t', 't', '@type', 'x-t'))
    .map(([variants, values, name]) => {
      const options = variants.map((entries, index) =>
        objectText([[name, `z.literal(${values[index]})`], ...entries.filter(([field]) => field !== name)]),
      );
      return `z.discriminatedUnion(${JSON.stringify(name)}, [${options.join(', ')}])`;
    });
}

function collection(schema: Text): Text {
  const nullable = fc.constantFrom('', '', '', '.nullable()');
  const inner = fc.tuple(schema, nullable).map((parts) => parts.join(''));
  return fc.oneof(
    chained(call('z.array', inner), fc.oneof(call('.min', count), call('.max', count), call('.length', count))),
    inner.map((text) => `z.record(z.string(), ${text})`),
    fc
      .tuple(inner, fc.constantFrom('', '.default(1)', '.optional()'))
      .map(([text, end]) => `z.partialRecord(z.enum(["a", "b"]), ${text}${end})`),
    fc.tuple(inner, fc.constantFrom('', '.default(1)', '.optional()')).map(([text, end]) => `z.record(z.enum(["a", "b"]), ${text}${end})`),
    fields(schema, 2).map(
      (entries) => `k.listMap(${objectText([['name', 'z.string()'], ...entries.filter(([name]) => name !== 'name')])}, "name").max(5)`,
    ),
  );
}

/** The text of a whole schema, as it stands behind `spec:`. */
export const { schemaText } = fc.letrec<{ schemaText: string }>((tie) => ({
  schemaText: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: scalarUnion },
    { weight: 4, arbitrary: object(tie('schemaText')) },
    { weight: 2, arbitrary: objectUnion(tie('schemaText')) },
    { weight: 2, arbitrary: discriminatedUnion(tie('schemaText')) },
    { weight: 3, arbitrary: collection(tie('schemaText')) },
  ),
}));
