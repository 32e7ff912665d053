import { writeFileSync } from 'node:fs';
import type { Json, ValidationRule } from '../../src/kubernetes/apimachinery/index.js';
import { compileRule } from '../../src/kubernetes/cel/index.js';
import {
  judgedExpressions,
  judgedObject,
  judgedSchema,
  knownDifferences,
  type Verdict,
  verdictsFile,
} from '../kubernetes/cel/judged-expressions.js';
import { judgedForms, judgedFormsSchema } from '../kubernetes/cel/judged-forms.js';
import { describeCluster, isStatus, type StatusCause, type TestObject } from './harness/index.js';

const GROUP = 'cel.example.com';
/** Few enough that their estimated costs together stay below what one CRD may cost. */
const RULES_PER_DEFINITION = 40;

const hasLineBreak = (expression: string): boolean => expression.includes('\n');
/** The server wants a message for a rule of several lines. */
const ruleOf = (expression: string): ValidationRule =>
  hasLineBreak(expression) ? { rule: expression, message: 'rule of several lines' } : { rule: expression };

function definitionOf(plural: string, expressions: readonly string[]): TestObject {
  const kind = plural[0]?.toUpperCase() + plural.slice(1, -1);
  const openAPIV3Schema = { ...judgedSchema, 'x-kubernetes-validations': expressions.map(ruleOf) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Cluster',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as TestObject;
}

/** Names of definitions hold no digits at the end of a kind: `aa`, `ab` … */
const lettersOf = (index: number): string => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));

/** A pattern for texts that end so. */
const endingWith = (text: string): RegExp =>
  new RegExp(
    `${text
      .replace(/selfType/g, 'selfType\u0000')
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('selfType\u0000', 'selfType\\d*')}$`,
  );

const causesOf = (body: unknown): readonly StatusCause[] => (isStatus(body) ? (body.details?.causes ?? []) : []);

const REFUSAL = /: ((?:compilation failed: |program instantiation failed: |cel expression must evaluate)[\s\S]*)$/;

/** The server's refusals by position of the rule; rules refused for their cost alone are `cost`. */
function refusalsIn(body: unknown): { readonly texts: ReadonlyMap<number, string>; readonly cost: ReadonlySet<number> } {
  const texts = new Map<number, string>();
  const cost = new Set<number>();
  for (const { field, message = '' } of causesOf(body)) {
    const index = /x-kubernetes-validations\[(\d+)\]\.rule$/.exec(field ?? '')?.[1];
    if (index === undefined) continue;
    const refusal = REFUSAL.exec(message)?.[1];
    if (refusal === undefined) cost.add(Number(index));
    // The root's type has a random name.
    else texts.set(Number(index), refusal.replace(/selfType\d+/g, 'selfType'));
  }
  return { texts, cost };
}

function ourVerdict(expression: string): Verdict {
  const result = compileRule(ruleOf(expression), judgedSchema, { isResourceRoot: true });
  if (!result.ok) return { compile: result.problems.map((problem) => problem.detail).join('\n') };
  const failure = result.compiled.check(judgedObject as Json);
  return failure === undefined ? {} : { evaluate: failure.message };
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

describeCluster('CEL as the API server speaks it', (cluster) => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const serverVerdicts = new Map<string, Verdict>();
  const tooDear = new Set<string>();

  test('every rule is accepted or refused exactly where the server does so, with the same text', async () => {
    const { body } = await cluster.request('POST', `${definitions}?dryRun=All`, definitionOf('judgeds', judgedExpressions));
    const { texts, cost } = refusalsIn(body);
    for (const [index, expression] of judgedExpressions.entries()) {
      const compile = texts.get(index);
      serverVerdicts.set(expression, compile === undefined ? {} : { compile });
      if (!cost.has(index) || compile !== undefined) continue;
      tooDear.add(expression);
      serverVerdicts.set(expression, { dear: true });
    }
    expect(texts.size).toBeGreaterThan(200);
    const compared = judgedExpressions.filter((expression) => !knownDifferences.has(expression));
    const ours = compared.map((expression) => ({ expression, refusal: ourVerdict(expression).compile }));
    const theirs = compared.map((expression) => ({ expression, refusal: serverVerdicts.get(expression)?.compile }));
    expect(ours).toEqual(theirs);
  });

  test('every accepted rule finds of an object what the server finds, in the same words', async () => {
    const accepted = [...serverVerdicts]
      .filter(([expression, verdict]) => verdict.compile === undefined && !tooDear.has(expression) && !knownDifferences.has(expression))
      .map(([expression]) => expression);
    expect(accepted.length).toBeGreaterThan(400);
    const chunks = chunksOf(accepted, RULES_PER_DEFINITION);
    const answers = await Promise.all(chunks.map((expressions, index) => judge(`judged${lettersOf(index)}s`, expressions)));
    const ours = new Map(accepted.map((expression) => [expression, ourVerdict(expression).evaluate]));
    expect([...new Set([...ours.values()].filter((message) => message !== undefined))].sort()).toEqual([...new Set(answers.flat())].sort());
    for (const [expression, evaluate] of ours) if (evaluate !== undefined) serverVerdicts.set(expression, { evaluate });
    if (process.env['KEELSON_RECORD'] === '1')
      writeFileSync(
        verdictsFile,
        `${JSON.stringify(Object.fromEntries([...serverVerdicts].filter(([expression]) => !knownDifferences.has(expression))), null, 1)}\n`,
      );
  });

  test.each(judgedForms.map((rule) => [JSON.stringify(rule), rule] as const))('the form of %s is judged alike', async (_, rule) => {
    const definition = definitionOf('forms', []);
    const [version] = (definition as unknown as { spec: { versions: { schema: object }[] } }).spec.versions;
    const spec = { ...judgedFormsSchema, 'x-kubernetes-validations': [rule] };
    Object.assign(version as object, { schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } });
    const { body } = await cluster.request('POST', `${definitions}?dryRun=All`, definition);
    const theirs = causesOf(body).map(({ field = '', message = '' }) => ({
      field: field.replace(/^.*\]\.x-kubernetes-validations\[0\]\./, ''),
      message,
    }));
    const result = compileRule(rule, judgedFormsSchema);
    const ours = (result.ok ? [] : result.problems).map(({ field, detail }) => ({
      field,
      message: expect.stringMatching(endingWith(detail)),
    }));
    expect(theirs).toEqual(ours);
  });

  /** The messages about the object under these rules. */
  async function judge(plural: string, expressions: readonly string[]): Promise<readonly string[]> {
    const definition = definitionOf(plural, expressions);
    await cluster.must('POST', definitions, definition);
    const path = `${definitions}/${plural}.${GROUP}`;
    await cluster.untilServed(`${plural}.${GROUP}`);
    const { kind } = (definition as unknown as { spec: { names: { kind: string } } }).spec.names;
    const resource = { ...judgedObject, apiVersion: `${GROUP}/v1`, kind };
    const answered = await cluster.request('POST', `/apis/${GROUP}/v1/${plural}?dryRun=All`, resource);
    await cluster.must('DELETE', path);
    return causesOf(answered.body).map(({ message = '' }) => message.replace(/^Invalid value: (?:"object": )?/, ''));
  }
});
