import { compareUtf8 } from './go-format.js';
import type { ParsedSelector } from './label-selector.js';

/** One term of a field selector (`status.phase!=Running`). Source of syntax and texts: apimachinery, `pkg/fields/selector.go`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All have to be met; none: everything is selected. */
export type FieldRequirements = readonly FieldRequirement[];

/** The text of `fieldSelector` in a query. Which fields a kind has is its server's to say. */
export function parseFieldSelector(text: string): ParsedSelector<FieldRequirements> {
  const requirements: FieldRequirement[] = [];
  for (const term of termsOf(text).sort(compareUtf8)) {
    if (term === '') continue;
    const parts = /^(?<field>[\s\S]*?)(?<operator>!=|==|=)(?<value>[\s\S]*)$/.exec(term)?.groups;
    if (parts === undefined) return { problem: `invalid selector: '${text}'; can't understand '${term}'` };
    const { field = '', operator, value = '' } = parts;
    const problem = escapeProblem(value);
    if (problem !== undefined) return { problem: `invalid field selector: ${problem}` };
    const unescaped = value.replace(/\\([\\,=])/g, '$1');
    // A term without a name and a value says nothing.
    if (field !== '' || unescaped !== '') requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescaped });
  }
  return { requirements };
}

/** `textOf` gives the text of a field, `''` where the object has none. */
export function matchesFields(requirements: FieldRequirements, textOf: (field: string) => string): boolean {
  return requirements.every(({ field, operator, value }) => (textOf(field) === value) === (operator === '='));
}

/** The text that parses to the same selector. */
export function fieldSelectorText(requirements: FieldRequirements): string {
  return requirements.map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`).join(',');
}

/** Parts between commas; a backslash takes the meaning from what follows. */
function termsOf(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function escapeProblem(value: string): string | undefined {
  let isEscaped = false;
  for (const character of value) {
    if (isEscaped) {
      if (!'\\,='.includes(character)) return `invalid escape sequence: \\${character}`;
      isEscaped = false;
    } else if (character === '\\') isEscaped = true;
    // Go prints the rune as its number.
    else if (character === ',' || character === '=') return `unescaped character in value: ${character.charCodeAt(0)}`;
  }
  return isEscaped ? 'invalid escape sequence: \\' : undefined;
}
