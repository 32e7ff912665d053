import { type FieldChange, fieldChangeText } from '@keelson/runtime/internal/journal';
import type { Plan } from './plan-report.js';
import { changeLine, objectText, podsText, problemLines, summaryText } from './plan-text.js';

/** A comment on a pull request: the sums are read at a glance, and fields are folded. */
export function planMarkdown(plan: Plan): string {
  const { changes, restarts, status, knownAfter, notes } = plan;
  const parts = [
    `**${escaped(summaryText(plan))}**`,
    list('Failed or not judged', problemLines(plan)),
    list(
      'Pods that will restart',
      restarts.map(({ object, pods, because }) => `${objectText(object)}: ${podsText(pods)}, for ${because.join(', ')}`),
    ),
    ...changes.map((change) => folded(changeLine(change), change.fields)),
    ...status.map(({ object, fields }) => folded(`status of ${objectText(object)}`, fields)),
    list(
      'Known after calls outside, which are not made',
      knownAfter.map(({ subject, needs }) => `${subject}: ${needs}`),
    ),
    ...notes.map((note) => `_${escaped(note)}_`),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const list = (head: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${head}:\n\n${lines.map((line) => `- ${escaped(line).replaceAll('\n', ' ')}`).join('\n')}`;

function folded(summary: string, fields: readonly FieldChange[]): string {
  if (fields.length === 0) return `<code>${inHtml(summary)}</code>`;
  const lines = fields.map((field) => inHtml(fieldChangeText(field))).join('\n');
  // As HTML: a value that holds a fence of Markdown must not end it.
  return `<details><summary><code>${inHtml(summary)}</code></summary>\n<pre>${lines}</pre>\n</details>`;
}

const inHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message of another program must not become a heading, a link or a mention. */
const escaped = (text: string): string => inHtml(text).replace(/[\\`*_[\]#|~@]/g, '\\$&');
