import { type FieldChange, fieldChangeText } from '@keelson/runtime/internal/journal';
import type { NamedObject, Plan, PlannedChange } from './plan-report.js';

const SIGNS: Readonly<Record<PlannedChange['action'], string>> = { create: '+', change: '~', delete: '-', recreate: '-/+' };
const COLOURS: Readonly<Record<PlannedChange['action'], number>> = { create: 32, change: 33, delete: 31, recreate: 31 };

/** For people: what could not be judged first, then the changes, and last the sums. */
export function planText(plan: Plan, hasColours: boolean): string {
  const { changes, restarts, status, knownAfter, notes } = plan;
  const paint = (code: number, text: string): string => (hasColours ? `\u001B[${code}m${text}\u001B[0m` : text);
  const parts = [
    section('Failed or not judged:', problemLines(plan)),
    changes.map((change) => `${paint(COLOURS[change.action], changeLine(change))}\n${fieldLines(change.fields)}`).join(''),
    section(
      'Status:',
      status.map(({ object, fields }) => `${objectText(object)}\n${indented(fieldLines(fields))}`.trimEnd()),
    ),
    section(
      'Known after calls outside, which are not made:',
      knownAfter.map(({ subject, needs }) => `${subject}: ${needs}`),
    ),
    section(
      'Pods that will restart:',
      restarts.map(({ object, pods, because }) => `${objectText(object)}: ${podsText(pods)}, for ${because.join(', ')}`),
    ),
    notes.map((note) => `Note: ${note}\n`).join(''),
    `${summaryText(plan)}\n`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export function problemLines({ failures, unfit }: Plan): readonly string[] {
  return [
    ...failures.map(({ subject, message }) => `${subject}: ${message}`),
    ...unfit.map(({ object, place, message }) => `${objectText(object)} (${place}) does not fit the schema of this release: ${message}`),
  ];
}

export function summaryText({ summary }: Plan): string {
  const { create, change, delete: deleted, recreate, status, restartingPods, knownAfter, failed } = summary;
  const more = [
    ...(status === 0 ? [] : [`${status} with another status`]),
    ...(knownAfter === 0 ? [] : [`${knownAfter} known after calls outside`]),
    ...(failed === 0 ? [] : [`${failed} failed or not judged`]),
  ];
  const changes = [`${create} to create`, `${change} to change`, `${deleted} to delete`, `${recreate} to recreate`, ...more].join(', ');
  return `Plan: ${changes}. ${restartingPods === 0 ? 'No Pod will restart' : `${podsText(restartingPods)} will restart`}.`;
}

export function changeLine({ action, object, owner }: PlannedChange): string {
  return `${SIGNS[action]} ${action} ${objectText(object)}${owner === undefined ? '' : ` of ${owner}`}`;
}

export const objectText = ({ kind, namespace, name }: NamedObject): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

export const podsText = (pods: number): string => (pods === 1 ? '1 Pod' : `${pods} Pods`);

const fieldLines = (fields: readonly FieldChange[]): string => fields.map((field) => `    ${fieldChangeText(field)}\n`).join('');

const section = (head: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${head}\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}\n`).join('')}`;

const indented = (text: string): string => text.replace(/^ {4}/gm, '  ');
