import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import { GROUP } from './ship-definitions.js';

/** Texts that YAML writes in each of its ways, and that it takes for something else. */
export const UGLY_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '~',
    'yes',
    'on',
    'y',
    'true',
    'null',
    '<<',
    '=',
    '-',
    '--',
    '---a',
    '...',
    '.',
    '.5',
    '.5_0',
    '1.',
    '1e3',
    '1e400',
    '0x1F',
    '0o17',
    '0b11',
  ],
  ...[
    '0b-1',
    '-0o7',
    '017',
    '1_000',
    '+1',
    '1:30',
    '.inf',
    '-.Inf',
    '.nan',
    '2001-01-02',
    '2001-02-30',
    '2001-1-2T3:4:5Z',
    '2001-1-2 3:4:5.6',
  ],
  ...[
    'a: b',
    'a:b',
    'a:',
    ':a',
    '? a',
    '?a',
    '- a',
    '-a',
    'a #b',
    'a#b',
    '#a',
    '[a',
    'a[',
    '{a',
    '&a',
    '*',
    '!a',
    '|',
    '>a',
    '%a',
    '@a',
    '`a',
    ',',
  ],
  ...[
    "'",
    "a'b",
    "'a: b",
    '"',
    'a"b',
    '"a',
    'a\\b',
    '\\',
    'a\tb',
    '\ta',
    'a ',
    ' a',
    'a  b',
    'ü',
    '\u00a0',
    '😀',
    '\ufeffa',
    'a\ufeffb',
    '\ue000',
  ],
  ...[
    'a\nb',
    'a\n',
    '\na',
    '\n',
    'a\n\n',
    ' a\nb',
    'a \nb',
    'a\n b',
    'a\nb ',
    'a\tb\nc',
    'a\r\nb',
    'a\u0007b',
    'a\u2028b',
    'a\u2028 b',
    'a\nb\u2029',
  ],
  ...['a \u0085 b', 'a\u0085\u0085b', '<&>', 'self.a == 1 ?\n  "x" : \'y\'\n', `${'long '.repeat(40)}end`],
];

interface Definition extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export const cargoDefinition: Definition = cargoWith(UGLY_TEXTS);

/** What is written in protobuf in a way of its own, and texts wherever texts may stand. */
export function cargoWith(texts: readonly string[]): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `cargos.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind: 'Cargo', plural: 'cargos', singular: 'cargo', listKind: 'CargoList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'Goods.\n\nOf several lines: "quoted", <marked> & ü 😀.',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    texts: { type: 'string', enum: texts.filter((text) => text !== '') },
                    ...Object.fromEntries(texts.map((text, index) => [`d${index}`, { type: 'string', default: text, description: text }])),
                    kept: {
                      type: 'object',
                      properties: Object.fromEntries(['yes', 'a b', '<<', 'ü', 'x'.repeat(140)].map((name) => [name, { type: 'string' }])),
                    },
                    numbers: { type: 'number', enum: [0, -1, 1.5, 1e21, 1e-7, 123456789012], default: 0 },
                    whole: { type: 'integer', minimum: -5, maximum: 9007199254740991, default: -3, format: 'int64' },
                    zero: { type: 'integer', minimum: 0, maximum: 0, default: 0 },
                    part: { type: 'number', minimum: -0.5, maximum: 1e300, multipleOf: 0.25, default: 0.25, exclusiveMinimum: true },
                    no: { type: 'boolean', default: false },
                    yes: { type: 'boolean', default: true },
                    empty: { type: 'object', default: {}, properties: { a: { type: 'string', default: '' } } },
                    list: { type: 'array', default: [], items: { type: 'string' }, minItems: 0, maxItems: 0, uniqueItems: false },
                    map: {
                      type: 'object',
                      additionalProperties: { type: 'array', items: { type: 'integer' } },
                      maxProperties: 0,
                      minProperties: 0,
                    },
                    full: { type: 'object', default: { a: 1, b: ['x'] }, 'x-kubernetes-preserve-unknown-fields': true },
                    many: {
                      type: 'object',
                      'x-kubernetes-preserve-unknown-fields': true,
                      enum: [{}, { a: { b: [1, [2, []], { c: 'd', e: { f: 'g\nh' } }] }, 'x\ny': 1, ['z'.repeat(140)]: [true] }],
                    },
                    short: { type: 'string', minLength: 0, maxLength: 0, pattern: '^[a-z]*\\d"\'$' },
                    keyed: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['name', 'yes'],
                      items: {
                        type: 'object',
                        required: ['name', 'yes'],
                        properties: { name: { type: 'string' }, yes: { type: 'string', default: 'no' } },
                      },
                    },
                    judged: {
                      type: 'object',
                      maxProperties: 3,
                      properties: { a: { type: 'integer' } },
                      'x-kubernetes-validations': [
                        {
                          rule: 'has(self.a) ?\n  self.a > 1 :\n  true\n',
                          message: 'a: b',
                          messageExpression: '"a: " + "b"',
                          reason: 'FieldValueForbidden',
                          fieldPath: '.a',
                        },
                        { rule: 'oldSelf.hasValue() || true', message: 'm: n', optionalOldSelf: true },
                      ],
                    },
                    told: { type: 'string', maxLength: 3, 'x-kubernetes-validations': rules(texts) },
                    turned: {
                      type: 'string',
                      not: { pattern: '^z' },
                      oneOf: [{ pattern: '^a' }, { pattern: '^b' }],
                      anyOf: [{ minLength: 1 }, { maxLength: 2 }],
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}

function rules(texts: readonly string[]): readonly JsonObject[] {
  const messages = texts.filter((text) => text.trim() !== '' && !/[\r\n]/.test(text));
  return messages.map((message, index) => ({ rule: `self != "${index}"`, message }));
}
