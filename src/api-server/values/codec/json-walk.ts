import { goQuote } from '@keelson/kubernetes/apimachinery';
import { exactNumber } from './exact-number.js';
import { endOfNumber, endOfString } from './json-scan.js';

/** As the server: the rest is left out. */
const MAX_PROBLEMS = 100;

interface Level {
  /** Names of an object so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  /** How the value is called in the path of what it contains. */
  readonly label: string;
  index: number;
}

/**
 * The exact look at a text that is known to be JSON: fields given twice, with their Go paths (`spec.containers[0].name`), in the order of the text.
 *
 * Not recursive: a body may be nested 10,000 deep.
 * Source: sigs.k8s.io/json. Fields of the same path are reported once.
 * @throws BodyProblem for a number that cannot be kept.
 */
export function duplicateFields(text: string): readonly string[] {
  const problems = new Set<string>();
  const levels: Level[] = [];
  let name: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    const level = levels.at(-1);
    switch (character) {
      case '{':
      case '[':
        levels.push({ names: character === '{' ? new Set() : undefined, label: labelOf(levels, name), index: 0 });
        name = undefined;
        break;
      case '}':
      case ']':
        levels.pop();
        name = undefined;
        break;
      case ',':
        name = undefined;
        if (level !== undefined) level.index += 1;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (level?.names !== undefined && name === undefined) {
          name = JSON.parse(text.slice(at, end + 1)) as string;
          if (level.names.has(name) && problems.size < MAX_PROBLEMS) problems.add(`duplicate field ${goQuote(pathOf(levels, name))}`);
          level.names.add(name);
        }
        at = end;
        break;
      }
      default:
        if (character === '-' || (character >= '0' && character <= '9')) {
          const end = endOfNumber(text, at);
          exactNumber(text.slice(at, end));
          at = end - 1;
        }
    }
  }
  return [...problems];
}

function labelOf(levels: readonly Level[], name: string | undefined): string {
  const parent = levels.at(-1);
  if (parent === undefined) return '';
  if (parent.names === undefined) return `[${parent.index}]`;
  return levels.length === 1 ? (name ?? '') : `.${name ?? ''}`;
}

function pathOf(levels: readonly Level[], name: string): string {
  const prefix = levels.map(({ label }) => label).join('');
  return levels.length === 1 ? name : `${prefix}.${name}`;
}
