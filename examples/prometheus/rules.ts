import { stringify } from 'yaml';
import { InvalidObject } from './assets.js';
import type { PrometheusRule } from './kinds.js';
import { problemOfPromql } from './promql.js';

type Group = NonNullable<PrometheusRule['spec']['groups']>[number];
type Rule = NonNullable<Group['rules']>[number];

/** Most bytes of rules in a ConfigMap: half of what the API server takes, since all of it counts there. */
export const MOST_BYTES = 512 * 1024;

/** A fault in a PrometheusRule, by the path of its field. */
export interface RuleProblem {
  readonly path: string;
  readonly message: string;
}

const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;

// #region problems
/** Problems that Prometheus would refuse rules for: one such rule would keep it from loading any other. */
export function ruleProblems({ groups = [] }: PrometheusRule['spec']): RuleProblem[] {
  return groups.flatMap(({ rules = [], labels = {} }, group) => [
    ...labelProblems(labels, `spec.groups[${group}].labels`),
    ...rules.flatMap((rule, index) => problemsOf(rule, `spec.groups[${group}].rules[${index}]`)),
  ]);
}
// #endregion

function problemsOf(rule: Rule, path: string): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const refuse = (field: string, message: string): void => void problems.push({ path: `${path}.${field}`, message });
  const { record = '', alert = '' } = rule;
  if (record !== '' && alert !== '') refuse('alert', 'stands beside record; a rule records a series or raises an alert');
  if (record === '' && alert === '') refuse('record', 'is missing, as is alert; a rule has one of them');
  if (record !== '' && !METRIC.test(record)) refuse('record', `${record} is not a name of a series`);
  const notForRecords = (['annotations', 'for', 'keep_firing_for'] as const).filter((field) => rule[field] !== undefined);
  if (record !== '') for (const field of notForRecords) refuse(field, 'is for alerts');
  const problem = problemOfPromql(String(rule.expr));
  if (problem !== undefined) refuse('expr', problem);
  problems.push(...labelProblems(rule.labels ?? {}, `${path}.labels`), ...labelProblems(rule.annotations ?? {}, `${path}.annotations`));
  return problems;
}

function labelProblems(labels: Readonly<Record<string, string>>, path: string): RuleProblem[] {
  return Object.keys(labels)
    .filter((name) => !LABEL.test(name) || name === '__name__')
    .map((name) => ({ path, message: `${name} is not a name of a label` }));
}

export interface RuleFile {
  readonly name: string;
  readonly text: string;
}

/** @throws InvalidObject if Prometheus would refuse it, or no ConfigMap could hold it */
export function ruleFileOf({ metadata, spec }: PrometheusRule): RuleFile {
  const [problem] = ruleProblems(spec);
  if (problem !== undefined) throw new InvalidObject(`${problem.path}: ${problem.message}`);
  const groups = (spec.groups ?? []).map(({ rules = [], labels = {}, ...group }) => ({
    ...group,
    // Labels of a group are newer than this Prometheus: its rules get them.
    rules: rules.map((rule) => ({
      ...rule,
      expr: String(rule.expr),
      ...(Object.keys(labels).length === 0 ? {} : { labels: { ...labels, ...rule.labels } }),
    })),
  }));
  const file = { name: `${metadata.namespace}-${metadata.name}-${metadata.uid}.yaml`, text: stringify({ groups }, { version: '1.1' }) };
  const bytes = sizeOf(file);
  if (bytes > MOST_BYTES) throw new InvalidObject(`its file has ${bytes} bytes, and a ConfigMap holds ${MOST_BYTES}; divide it`);
  return file;
}

// #region split
/** Files by ConfigMap, in the order of their names: each is filled before the next begins. There is always one, so that the Pods need not change for the first rule. */
export function splitRuleFiles(files: readonly RuleFile[]): readonly (readonly RuleFile[])[] {
  const parts: RuleFile[][] = [[]];
  let bytes = 0;
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const size = sizeOf(file);
    if (bytes + size > MOST_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(file);
    bytes += size;
  }
  return parts;
}
// #endregion

const sizeOf = ({ name, text }: RuleFile): number => name.length + Buffer.byteLength(text);
