import type { Allowed } from './allowances.js';
import type { Finding } from './finding.js';
import { type Level, RULES } from './rules.js';

const HEADINGS: Readonly<Record<Level, string>> = { breaking: 'Breaking', review: 'To be reviewed', info: 'For information' };

/** The findings for people, by weight and then by object. */
export function diffText({ open, allowed }: Allowed, shows: readonly Level[]): string {
  const parts = shows.flatMap((level) => {
    const findings = open.filter((finding) => finding.level === level);
    return findings.length === 0 ? [] : [`${HEADINGS[level]}:\n${groupsOf(findings)}`];
  });
  const counted = (['breaking', 'review', 'info'] as const).map(
    (level) => `${open.filter((finding) => finding.level === level).length} ${level}`,
  );
  return [...parts, `Diff: ${counted.join(', ')}${allowed.length === 0 ? '' : `, ${allowed.length} allowed`}.`].join('\n\n');
}

function groupsOf(findings: readonly Finding[]): string {
  const objects = new Map<string, Finding[]>();
  for (const finding of findings) objects.set(finding.object, [...(objects.get(finding.object) ?? []), finding]);
  return [...objects].map(([object, own]) => [`  ${object}`, ...own.map(lineOf)].join('\n')).join('\n');
}

function lineOf({ rule, path, message, isRatcheted }: Finding): string {
  const ratcheting =
    isRatcheted === undefined
      ? ''
      : isRatcheted
        ? ' (objects that have such a value can still be updated)'
        : ' (objects that have such a value cannot be updated)';
  return `    ${[path, message].filter(Boolean).join(': ')}${ratcheting}  [${rule}]\n      ${RULES[rule].why}`;
}
