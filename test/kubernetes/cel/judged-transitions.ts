import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldErrorText, type Json, type StructuralSchema, type ValidationRule } from '../../../src/kubernetes/apimachinery/index.js';
import { createValidator } from '../../../src/kubernetes/structural/index.js';
import { comparedCases } from './compared-transitions.js';
import {
  atomic,
  failing,
  immutable,
  int,
  list,
  listMap,
  long,
  map,
  object,
  string,
  type TransitionCase,
  told,
  withRule,
} from './transition-schemas.js';

/** Changes of one field at a time, each judged by a real API server. */
const transitionCases: Readonly<Record<string, TransitionCase>> = {
  number: {
    schema: withRule(int, 'self >= oldSelf'),
    changes: [
      [1, 2],
      [2, 1],
      [undefined, 1],
      [1, undefined],
    ],
  },
  nullable: {
    schema: { ...immutable(string), nullable: true },
    changes: [
      ['a', null],
      [null, 'a'],
      ['a', 'b'],
      [null, null],
      ['a', 'a'],
    ],
  },
  optional: {
    schema: withRule(int, 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1', { optionalOldSelf: true, message: 'grows from 1' }),
    changes: [
      [1, 2],
      [2, 1],
      [undefined, 1],
      [undefined, 2],
      [2, 2],
      [5, undefined],
    ],
  },
  optionalMessage: {
    schema: withRule(int, 'self >= oldSelf.orValue(3)', {
      optionalOldSelf: true,
      messageExpression: "'was %d'.format([oldSelf.orValue(0)])",
    }),
    changes: [
      [3, 4],
      [4, 3],
      [undefined, 1],
    ],
  },
  optionalMessagePlain: {
    schema: withRule(int, 'self >= oldSelf.orValue(3)', {
      optionalOldSelf: true,
      message: 'fixed',
      messageExpression: "oldSelf.hasValue() ? 'some' : 'none'",
    }),
    changes: [
      [4, 3],
      [undefined, 1],
    ],
  },
  optionalFalse: {
    schema: withRule(int, 'self >= oldSelf', { optionalOldSelf: false }),
    changes: [
      [2, 1],
      [undefined, 1],
    ],
  },
  oldMessage: {
    schema: withRule(int, 'self > 3', { message: 'fixed', messageExpression: "'was %d'.format([oldSelf])" }),
    changes: [
      [4, 3],
      [undefined, 1],
      [2, 2],
      [2, 1],
    ],
  },
  transitionMessage: { schema: withRule(int, 'self >= oldSelf', { messageExpression: "'was %d'.format([oldSelf])" }), changes: [[4, 3]] },
  nullField: {
    schema: immutable(object({ a: { ...string, nullable: true }, b: string, c: string })),
    changes: [
      [{ a: null }, { a: null }],
      [
        { a: null, b: 'x' },
        { a: null, b: 'y' },
      ],
      [{ a: null }, { a: 'x' }],
      [{ a: 'x' }, { a: null }],
      [{ a: null }, {}],
      [
        { a: null, b: 'x' },
        { b: 'x', c: 'x' },
      ],
      [
        { b: 'x', c: 'x' },
        { a: null, b: 'x' },
      ],
    ],
  },
  nullValue: {
    schema: immutable(map({ ...string, nullable: true })),
    changes: [
      [{ a: null }, { a: null }],
      [{ a: null }, { b: null }],
      [{ a: null }, { a: 'x' }],
    ],
  },
  fieldNames: {
    schema: immutable(
      object({ namespace: string, 'x-y': string, '@type': string, a__b: string, a__dash__b: string, 'a-b': string, '1a': string }),
    ),
    changes: ['namespace', 'x-y', '@type', 'a__b', 'a__dash__b', 'a-b', '1a'].map((name) => [{ [name]: 'x' }, { [name]: 'y' }] as const),
  },
  ...comparedCases,
  values: {
    schema: map(immutable(string)),
    changes: [
      [{ a: 'x' }, { a: 'y' }],
      [{ a: 'x' }, { b: 'x' }],
      [{ a: 'x' }, {}],
      [{ a: 'x' }, { a: 'x', b: 'y' }],
    ],
  },
  atomicValues: {
    schema: map(immutable(string), atomic),
    changes: [
      [{ a: 'x' }, { a: 'y' }],
      [{ a: 'x' }, { b: 'y' }],
      [{ a: 'x' }, { a: 'x', b: 'y' }],
    ],
  },
  atomicObject: {
    schema: object({ a: immutable(string), b: string }, atomic),
    changes: [
      [{ a: 'x' }, { a: 'y' }],
      [{ a: 'x' }, { b: 'y' }],
      [
        { a: 'x', b: 'x' },
        { a: 'x', b: 'y' },
      ],
    ],
  },
  atomicRatchet: {
    schema: object({ a: long(string), b: string }, atomic),
    changes: [
      [{ a: 'x' }, { a: 'x', b: 'y' }],
      [{ a: 'x' }, { a: 'z' }],
      [{ a: 'x' }, { a: 'x' }],
    ],
  },
  atomicMapRatchet: {
    schema: map(long(string), atomic),
    changes: [
      [{ a: 'x' }, { a: 'x', b: 'long' }],
      [{ a: 'x' }, { a: 'z' }],
    ],
  },
  mapRatchet: {
    schema: map(long(string)),
    changes: [
      [{ a: 'x' }, { a: 'x', b: 'y' }],
      [{ a: 'x' }, { b: 'x' }],
    ],
  },
  keyed: {
    schema: listMap({ v: immutable(string) }),
    changes: [
      [[{ n: 'a', v: 'x' }], [{ n: 'a', v: 'y' }]],
      [
        [
          { n: 'a', v: 'x' },
          { n: 'b', v: 'y' },
        ],
        [
          { n: 'b', v: 'y' },
          { n: 'a', v: 'x' },
        ],
      ],
      [[{ n: 'a', v: 'x' }], [{ n: 'b', v: 'y' }]],
      [
        [{ n: 'a', v: 'x' }],
        [
          { n: 'b', v: 'y' },
          { n: 'a', v: 'z' },
        ],
      ],
    ],
  },
  keyedItem: {
    schema: listMap(
      { v: int },
      { rule: 'self.v >= oldSelf.v', messageExpression: "'%s was %d'.format([self.n, oldSelf.v])", fieldPath: '.v' },
    ),
    changes: [
      [[{ n: 'a', v: 2 }], [{ n: 'a', v: 1 }]],
      [
        [
          { n: 'a', v: 2 },
          { n: 'b', v: 2 },
        ],
        [
          { n: 'c', v: 1 },
          { n: 'b', v: 1 },
        ],
      ],
      [[{ n: 'a' }], [{ n: 'a', v: 1 }]],
    ],
  },
  keyedRatchet: {
    schema: listMap({ v: long(string), w: string }),
    changes: [
      [
        [
          { n: 'a', v: 'x' },
          { n: 'b', v: 'y' },
        ],
        [
          { n: 'b', v: 'y', w: 'w' },
          { n: 'a', v: 'x' },
        ],
      ],
      [[{ n: 'a', v: 'x' }], [{ n: 'a', v: 'z' }]],
      [[{ n: 'a', v: 'x' }], [{ n: 'b', v: 'x' }]],
    ],
  },
  keyedInAtomic: {
    schema: object({ l: listMap({ v: immutable(string) }) }, atomic),
    changes: [[{ l: [{ n: 'a', v: 'x' }] }, { l: [{ n: 'a', v: 'y' }] }]],
  },
  atomicInKeyed: {
    schema: listMap({ o: object({ p: immutable(string) }, atomic) }),
    changes: [[[{ n: 'a', o: { p: 'x' } }], [{ n: 'a', o: { p: 'y' } }]]],
  },
  plainList: {
    schema: withRule(list(string), 'oldSelf.all(x, x in self)', { message: 'nothing is removed' }),
    changes: [
      [['a'], ['b', 'a']],
      [['a'], ['b']],
      [[], ['b']],
      [['a'], undefined],
    ],
  },
  plainRatchet: {
    schema: list(long(string)),
    changes: [
      [['a'], ['a']],
      [['a'], ['a', 'long']],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  },
  setRatchet: {
    schema: list(long(string), 'set'),
    changes: [
      [['a'], ['a']],
      [['a'], ['a', 'long']],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  },
  objectsRatchet: {
    schema: list(object({ a: long(string), b: string })),
    changes: [
      [[{ a: 'x' }], [{ a: 'x' }]],
      [[{ a: 'x' }], [{ a: 'x', b: 'y' }]],
    ],
  },
  objectRatchet: {
    schema: withRule(object({ a: string, b: object({ c: long(string), d: string }) }), 'has(self.a)', { message: 'a is missing' }),
    changes: [
      [{ b: { c: 'x' } }, { b: { c: 'x' } }],
      [{ b: { c: 'x' } }, { b: { c: 'x', d: 'y' } }],
      [{ b: { c: 'x' } }, { b: { c: 'z' } }],
    ],
  },
  errorRatchet: {
    schema: withRule(object({ a: string, b: string }), "self.b == 'x'"),
    changes: [
      [{ a: 'x' }, { a: 'x' }],
      [{ a: 'x' }, { a: 'y' }],
    ],
  },
  sameList: {
    schema: immutable(list(string)),
    changes: [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [['a'], ['a']],
    ],
  },
  sameAtomic: {
    schema: immutable(list(string, 'atomic')),
    changes: [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
  },
  sameSet: {
    schema: immutable(list(string, 'set')),
    changes: [
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      [['a', 'b'], ['a']],
      [['a'], ['a', 'b']],
    ],
  },
  sameKeyed: {
    schema: immutable(listMap({ v: string })),
    changes: [
      [
        [{ n: 'a', v: 'x' }, { n: 'b' }],
        [{ n: 'b' }, { n: 'a', v: 'x' }],
      ],
      [[{ n: 'a', v: 'x' }], [{ n: 'a', v: 'y' }]],
      [[{ n: 'a' }, { n: 'b' }], [{ n: 'a' }]],
    ],
  },
  sameNumber: {
    schema: immutable({ type: 'number' }),
    changes: [
      [1, 1.5],
      [1.5, 1.5],
      [2, 2],
    ],
  },
  sameIntOrString: {
    schema: immutable({ 'x-kubernetes-int-or-string': true, maxLength: 9 }),
    changes: [
      [1, '1'],
      ['a', 'a'],
      ['a', 1],
    ],
  },
  sameDuration: {
    schema: immutable({ type: 'string', format: 'duration' }),
    changes: [
      ['1h', '60m'],
      ['1h', '61m'],
    ],
  },
  sameTime: {
    schema: immutable({ type: 'string', format: 'date-time' }),
    changes: [
      ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00+01:00'],
      ['2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z'],
    ],
  },
  sameBytes: {
    schema: immutable({ type: 'string', format: 'byte', maxLength: 20 }),
    changes: [
      ['YQ==', 'YQ=='],
      ['YQ==', 'Yg=='],
    ],
  },
  sameMap: {
    schema: immutable(map(int)),
    changes: [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { b: 1 }],
    ],
  },
  sameObject: {
    schema: immutable(object({ a: string, n: { ...string, nullable: true } })),
    changes: [
      [{ a: 'x' }, { a: 'x' }],
      [{ a: 'x' }, {}],
      [{ a: 'x' }, { a: 'x', n: null }],
      [{ n: null }, { n: 'x' }],
    ],
  },
  samePreserved: {
    schema: immutable(object({ a: string }, { 'x-kubernetes-preserve-unknown-fields': true })),
    changes: [
      [
        { a: 'x', z: 1 },
        { a: 'x', z: 2 },
      ],
      [{ a: 'x' }, { a: 'x', z: 2 }],
    ],
  },
  removal: {
    schema: withRule(object({ a: immutable(string), b: string }), '!has(oldSelf.a) || has(self.a)', { message: 'a stays' }),
    changes: [
      [{ a: 'x' }, { b: 'y' }],
      [{ b: 'y' }, { a: 'x' }],
      [{ a: 'x' }, { a: 'y' }],
    ],
  },
  embedded: {
    schema: withRule(
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      'self.metadata.name == oldSelf.metadata.name && self.kind == oldSelf.kind',
      { message: 'same object' },
    ),
    changes: [
      [
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
      ],
      [
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { a: 'b' } } },
      ],
    ],
  },
  messageOfBoth: failing("'%s and %d'.format([self.a, self.n])"),
  messageFails: failing('string(1 / (self.n - 1))', { message: ' fixed ' }),
  preservedSame: {
    schema: immutable(object({ a: string }, { 'x-kubernetes-preserve-unknown-fields': true })),
    changes: [
      [
        { a: 'x', z: { y: [1, null] } },
        { a: 'x', z: { y: [1, null] } },
      ],
      [
        { a: 'x', z: 1 },
        { a: 'x', y: 1 },
      ],
    ],
  },
  messageFailsAlone: failing('string(1 / (self.n - 1))'),
  messageEmpty: failing("self.n > 0 ? ' ' : 'x'", { message: 'fixed' }),
  messageOfLines: failing("'a\\n%d'.format([self.n])", { message: 'fixed' }),
  messageOfReturns: failing("'a\\r%d'.format([self.n])", { message: 'fixed' }),
  messageTrimmed: failing("' a %d  '.format([self.n])"),
  messageTooLong: failing(`'${'x'.repeat(5121)}'`, { message: 'fixed' }),
  messageLong: failing(`'${'x'.repeat(5120)}'`, { message: 'fixed' }),
  messageWithReason: failing("'n is %d'.format([self.n])", { reason: 'FieldValueForbidden', fieldPath: '.n' }),
  plain: told({}),
  invalid: told({ reason: 'FieldValueInvalid', message: ' spaced ' }),
  forbidden: told({ reason: 'FieldValueForbidden', message: 'told' }),
  required: told({ reason: 'FieldValueRequired', message: 'told' }),
  duplicate: told({ reason: 'FieldValueDuplicate', message: 'told' }),
  atField: told({ fieldPath: '.a', message: 'told' }),
  atQuoted: told({ fieldPath: "['b.c']", message: 'told' }),
  atKey: told({ fieldPath: ".m['x.y']", message: 'told' }),
  atDotted: told({ fieldPath: '.m.x', message: 'told' }),
  atNested: told({ fieldPath: '.o.p', message: 'told', reason: 'FieldValueRequired' }),
  atList: told({ fieldPath: '.l', message: 'told', reason: 'FieldValueDuplicate' }),
  ofLines: told({ message: 'told', messageExpression: "'told ' + self.a" }),
};

const rootRule: ValidationRule = {
  rule: "!has(self.spec.root) || self.metadata.name == oldSelf.metadata.name && self.spec.root == oldSelf.spec.?root.orValue('new')",
  message: 'root is new or kept',
};

export const transitionSchema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: object({ root: string, ...Object.fromEntries(Object.entries(transitionCases).map(([name, { schema }]) => [name, schema])) }),
  },
  'x-kubernetes-validations': [rootRule],
};

export interface Transition {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
}

const TRANSITION_KIND = { apiVersion: 'transitions.example.com/v1', kind: 'Transition' } as const;

function objectOf(name: string, spec: Json): Json {
  return { ...TRANSITION_KIND, metadata: { name }, spec };
}

const rootChanges: TransitionCase['changes'] = [
  ['new', 'new'],
  ['new', 'other'],
  [undefined, 'new'],
  [undefined, 'other'],
];

export const transitions: readonly Transition[] = [...Object.entries(transitionCases), ['root', { changes: rootChanges }] as const].flatMap(
  ([field, { changes }]) =>
    changes.map(([before, after], index) => {
      const name = `${field.toLowerCase()}-${index}`;
      const specOf = (value: Json | undefined): Json => (value === undefined ? {} : { [field]: value });
      return { name, before: objectOf(name, specOf(before)), after: objectOf(name, specOf(after)) };
    }),
);

export interface TransitionVerdict {
  /** What is wrong with creating what the object is changed to. */
  readonly create: readonly string[];
  readonly update: readonly string[];
  /** Violated rules that the update is spared. */
  readonly warnings: readonly string[];
}

const validator = createValidator(transitionSchema);

export function transitionVerdictOf({ before, after }: Transition): TransitionVerdict {
  const warnings: string[] = [];
  const create = validator.validate(after).map(fieldErrorText).sort();
  const update = validator
    .validate(after, { old: before, onWarning: (text) => warnings.push(text) })
    .map(fieldErrorText)
    .sort();
  return { create, update, warnings: warnings.sort() };
}

export const transitionVerdictsFile: string = join(__dirname, 'golden', 'transition-verdicts.json');

export function recordedTransitions(): Readonly<Record<string, TransitionVerdict>> {
  return JSON.parse(readFileSync(transitionVerdictsFile, 'utf8')) as Record<string, TransitionVerdict>;
}
