import { admit } from '@keelson/testing';
import { parse } from 'yaml';
import type { PrometheusRule } from './kinds.js';
import { prometheusRule } from './prometheus-objects.js';
import { MOST_BYTES, ruleFileOf, ruleProblems, splitRuleFiles } from './rules.js';
import { ruleChecks } from './webhooks.js';

type Rule = NonNullable<NonNullable<PrometheusRule['spec']['groups']>[number]['rules']>[number];
const problemsOf = (rule: Rule): string[] =>
  ruleProblems({ groups: [{ name: 'g', rules: [rule] }] }).map(
    ({ path, message }) => `${path.replace('spec.groups[0].rules[0].', '')}: ${message}`,
  );

test.each<Rule>([
  { alert: 'Down', expr: 'up == 0', for: '5m', labels: { severity: 'page' }, annotations: { text: '{{ $labels.job }}' } },
  { record: 'job:requests:rate5m', expr: 'sum by (job) (rate(http_requests_total{code!~"5.."}[5m]))' },
  { record: 'one', expr: 1 },
])('a rule that Prometheus takes is taken: %j', (rule) => {
  expect(problemsOf(rule)).toEqual([]);
});

// #region refused
test.each<[string, Rule]>([
  ['expr: cannot be parsed from character 7 on: it ends too early', { alert: 'A', expr: 'sum(up' }],
  ['expr: cannot be parsed from character 5 on: it ends too early', { alert: 'A', expr: 'up {' }],
  ['expr: no expression found', { alert: 'A', expr: ' ' }],
  ['record: is missing, as is alert; a rule has one of them', { expr: 'up' }],
  ['alert: stands beside record; a rule records a series or raises an alert', { alert: 'A', record: 'a', expr: 'up' }],
  ['record: a-b is not a name of a series', { record: 'a-b', expr: 'up' }],
  ['for: is for alerts', { record: 'a', expr: 'up', for: '1m' }],
  ['labels: a-b is not a name of a label', { alert: 'A', expr: 'up', labels: { 'a-b': '1' } }],
])('%s', (problem, rule) => {
  expect(problemsOf(rule)).toEqual([problem]);
});
// #endregion

describe('the webhook', () => {
  const bad = prometheusRule([{ name: 'g', rules: [{ alert: 'A', expr: 'sum(' }] }]);

  test('refuses a bad rule when it is new, and when it changes', async () => {
    expect(await admit(ruleChecks, { object: bad })).toMatchObject({ allowed: false, causes: [{ field: 'spec.groups[0].rules[0].expr' }] });
    expect((await admit(ruleChecks, { object: bad, old: prometheusRule([]) })).causes).toHaveLength(1);
  });

  test('lets one live that was there before', async () => {
    const object = { ...bad, metadata: { ...bad.metadata, labels: { note: 'x' } } };
    expect(await admit(ruleChecks, { object, old: bad })).toMatchObject({ allowed: true });
  });
});

describe('files', () => {
  test('a file is what Prometheus loads: labels of a group are those of its rules', () => {
    const rule = prometheusRule([
      { name: 'g', interval: '1m', labels: { team: 'a', tier: 'x' }, rules: [{ alert: 'A', expr: 1, labels: { team: 'b' } }] },
    ]);
    const { name, text } = ruleFileOf(rule);
    expect(name).toBe('shop-rules-uid-of-rules.yaml');
    expect(parse(text)).toEqual({
      groups: [{ name: 'g', interval: '1m', rules: [{ alert: 'A', expr: '1', labels: { team: 'b', tier: 'x' } }] }],
    });
  });

  // #region split
  test('2D-4 each ConfigMap is filled before the next begins, whatever order the files come in', () => {
    const file = (name: string, bytes: number) => ({ name, text: 'x'.repeat(bytes - 1) });
    const half = MOST_BYTES / 2;
    const parts = splitRuleFiles([file('c', 1), file('a', half), file('b', half)]);
    expect(parts.map((files) => files.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
    expect(splitRuleFiles([])).toEqual([[]]);
  });
  // #endregion

  test('2D-4 one that is larger than a ConfigMap is refused, and bytes count, not characters', () => {
    const rule = (text: string) => prometheusRule([{ name: 'g', rules: [{ alert: 'A', expr: 'up', annotations: { text } }] }]);
    expect(() => ruleFileOf(rule('é'.repeat(200 * 1024)))).not.toThrow();
    expect(() => ruleFileOf(rule('é'.repeat(300 * 1024)))).toThrow('a ConfigMap holds 524288; divide it');
  });
});
