import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, StructuralSchema } from '../../../src/kubernetes/apimachinery/index.js';

/** Expressions over {@link judgedSchema}: good ones, bad ones, and every mistake that came to mind. A real API server has judged them. */
export const judgedExpressions: readonly string[] = readJson('expressions.json') as string[];

/** What the API server said: `compile` is the text of its refusal, `evaluate` the message about {@link judgedObject}; neither: the rule holds. */
export interface Verdict {
  readonly compile?: string;
  readonly evaluate?: string;
  /** The server estimates too high a cost to take the rule, so that it was never evaluated. */
  readonly dear?: true;
}

export function recordedVerdicts(): Readonly<Record<string, Verdict>> {
  return readJson('verdicts.json') as Record<string, Verdict>;
}

export const verdictsFile: string = join(__dirname, 'golden', 'verdicts.json');

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, 'golden', name), 'utf8'));
}

const UNHASHABLE = 'the server stumbles over a Go value that it cannot hash; here the values are compared';

/** Where we knowingly differ from the server. */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  ["google.protobuf.Duration{seconds: 1} == duration('1s')", 'protobuf messages are not built: nothing in a custom resource is one'],
  ['-', 'ANTLR reports a second error that follows from the first'],
  ...["dyn(b'x')", 'dyn(format.uri())', "dyn(semver('1.0.0'))"].map((value) => [`${value} in [dyn('x')]`, UNHASHABLE] as const),
  ...['dyn(format.uri())', "dyn(semver('1.0.0'))"].map((value) => [`{${value}: 1}.size() == 1`, UNHASHABLE] as const),
  ["self.spec.l.all(x x == 'a')", 'ANTLR reports a second error that follows from the first'],
]);

const text = (maxLength: number): StructuralSchema => ({ type: 'string', maxLength });

const specProperties: Readonly<Record<string, StructuralSchema>> = {
  s: text(20),
  t: text(20),
  i: { type: 'integer' },
  j: { type: 'integer' },
  d: { type: 'number' },
  b: { type: 'boolean' },
  l: { type: 'array', maxItems: 5, items: text(10) },
  n: { type: 'array', maxItems: 5, items: { type: 'integer' } },
  set: { type: 'array', maxItems: 5, 'x-kubernetes-list-type': 'set', items: text(10) },
  m: { type: 'object', maxProperties: 5, additionalProperties: text(10) },
  mi: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
  o: { type: 'object', properties: { a: text(10), b: { type: 'integer' }, 'x-y': text(5), namespace: text(5) } },
  lo: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', required: ['name'], properties: { name: text(10), v: { type: 'integer' } } },
  },
  ios: { 'x-kubernetes-int-or-string': true, maxLength: 10 },
  dt: { type: 'string', format: 'date-time' },
  da: { type: 'string', format: 'date' },
  du: { type: 'string', format: 'duration' },
  by: { type: 'string', format: 'byte', maxLength: 20 },
  u: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  nul: { type: 'string', nullable: true, maxLength: 5 },
  er: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
};

export const judgedSchema: StructuralSchema = { type: 'object', properties: { spec: { type: 'object', properties: specProperties } } };

/** As a custom resource would carry it, but for `apiVersion` and `kind`. */
export const judgedObject: { readonly [key: string]: Json } = {
  apiVersion: 'g/v1',
  kind: 'K',
  metadata: { name: 'nm' },
  spec: {
    s: 'hello',
    t: 'wörld😀',
    i: 7,
    j: -3,
    d: 2.5,
    b: true,
    l: ['a', 'b', 'cc'],
    n: [3, 1, 2],
    set: ['x', 'y'],
    m: { k: 'v', q: 'w' },
    mi: { one: 1, two: 2 },
    o: { a: 'A', b: 9, 'x-y': 'xy', namespace: 'n' },
    lo: [
      { name: 'p', v: 1 },
      { name: 'r', v: 2 },
    ],
    ios: '50%',
    dt: '2024-02-29T12:30:45.123Z',
    da: '2024-01-02',
    du: '1h30m',
    by: 'aGVsbG8=',
    u: { z: 1 },
    er: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' } },
  },
};
