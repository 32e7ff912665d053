import { RE2JS } from 're2js';
import { defined, InvalidObject } from './assets.js';
import type { Relabeling } from './endpoint-schema.js';

/** One step as Prometheus reads it. */
export interface RelabelConfig {
  readonly source_labels?: readonly string[] | undefined;
  readonly separator?: string | undefined;
  readonly target_label?: string | undefined;
  readonly regex?: string | undefined;
  readonly modulus?: number | undefined;
  readonly replacement?: string | undefined;
  readonly action?: string | undefined;
}

const ACTIONS = new Set([
  'replace',
  'keep',
  'drop',
  'hashmod',
  'labelmap',
  'labeldrop',
  'labelkeep',
  'lowercase',
  'uppercase',
  'keepequal',
  'dropequal',
]);
const WITH_TARGET = new Set(['replace', 'hashmod', 'lowercase', 'uppercase', 'keepequal', 'dropequal']);
/** Names of labels that every release of Prometheus takes. */
export const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Labels may be put together from what the regex has found. Source: prometheus `model/relabel/relabel.go`. */
const TARGET = /^(?:(?:[a-zA-Z_]|\$(?:\{\w+\}|\w+))+\w*)+$/;

/** @throws InvalidObject for a step that Prometheus would refuse, and with it the whole configuration */
export function relabelConfigsOf(steps: readonly Relabeling[] = [], field: string): RelabelConfig[] {
  return steps.map((step, index) => {
    const problem = problemOf(step);
    if (problem !== undefined) throw new InvalidObject(`${field}[${index}]: ${problem}`);
    return defined({
      source_labels: step.sourceLabels,
      separator: step.separator,
      target_label: step.targetLabel,
      regex: step.regex,
      modulus: step.modulus,
      replacement: step.replacement,
      action: step.action.toLowerCase(),
    });
  });
}

function problemOf(step: Relabeling): string | undefined {
  const { targetLabel = '', regex, modulus = 0, replacement = '$1' } = step;
  const action = step.action.toLowerCase();
  if (!ACTIONS.has(action)) return `there is no action ${step.action}`;
  if (action === 'hashmod' && modulus === 0) return 'hashmod needs a modulus above 0';
  if (WITH_TARGET.has(action) && targetLabel === '') return `${action} needs a targetLabel`;
  if (WITH_TARGET.has(action) && !(action === 'replace' ? TARGET : LABEL).test(targetLabel))
    return `${targetLabel} is not a name of a label`;
  if (action === 'labelmap' && !TARGET.test(replacement)) return `${replacement} is not a name of a label`;
  if (action === 'labeldrop' || action === 'labelkeep') {
    const beside = (['sourceLabels', 'targetLabel', 'modulus', 'separator', 'replacement'] as const).find(
      (name) => step[name] !== undefined,
    );
    if (beside !== undefined) return `${action} takes a regex alone, not ${beside}`;
  }
  return regex === undefined ? undefined : problemOfRegex(regex);
}

function problemOfRegex(regex: string): string | undefined {
  try {
    RE2JS.compile(`^(?:${regex})$`);
    return undefined;
  } catch (error) {
    return `regex: ${(error as Error).message}`;
  }
}
