import type { PackageFact } from '../package/index.js';
import type { ProbedVariable, RefusalRule } from '../template/index.js';
import { conditionText, GoExpressions, goString } from './go-expression.js';

/** A template that fails where the constructs refuse the values; `undefined` if they take all. */
export function refusalsText(
  rules: readonly RefusalRule[],
  variables: readonly ProbedVariable[],
  facts: readonly PackageFact[],
): string | undefined {
  if (rules.length === 0) return undefined;
  const say = new GoExpressions(facts);
  const blocks = rules.map(({ conditions, message }) => {
    const all = conditions.map(({ variable, states }) => `(${conditionText(variables[variable] as ProbedVariable, states, say)})`);
    return `{{- if and ${all.join(' ')} }}\n{{- fail ${goString(messageText(message))} }}\n{{- end }}\n`;
  });
  return `{{- /* Values that contradict each other. */}}\n${blocks.join('')}`;
}

/** Values within a message are left out: the values are the reader's own. */
function messageText(message: RefusalRule['message']): string {
  if (message.type === 'literal') return String(message.value);
  return message.type === 'text' ? message.parts.map((part) => (typeof part === 'string' ? part : '…')).join('') : 'the values are refused';
}
