import type { Problem } from '../errors.js';
import type { LabelSelectorModel } from '../model.js';
import { listOf, record, required, type Shape, text } from '../option-shape.js';

/** Which objects of its kind a policy is about. */
export interface ObjectSelection {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly labelSelector?: LabelSelectorModel | undefined;
}

export const VARIABLES: Shape = listOf(
  record({ name: required(text, 'name the variable'), expression: required(text, 'write CEL') }, 'not part of a variable'),
);

export function objectSelectorOf(select: ObjectSelection | undefined): { readonly objectSelector?: LabelSelectorModel } {
  const { labels, labelSelector } = select ?? {};
  if (labels === undefined && labelSelector === undefined) return {};
  const matchLabels = { ...labelSelector?.matchLabels, ...labels };
  return { objectSelector: { ...labelSelector, ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }) } };
}

/** Words that are not names in CEL. The API server's own list: cel-go 0.26, `parser/gen/CEL.g4` and its reserved identifiers. */
const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(' '),
);

export function variableProblems(variables: readonly { readonly name: string; readonly expression: string }[]): Problem[] {
  return variables.flatMap(({ name, expression }, index) => {
    const path = `variables[${index}]`;
    if (!/^[A-Za-z_]\w*$/.test(name))
      return [{ path: `${path}.name`, message: `'${name}' is not CEL name; write letters, digits and underscores` }];
    if (RESERVED.has(name)) return [{ path: `${path}.name`, message: `'${name}' is a word of CEL; choose another name` }];
    if (variables.findIndex((other) => other.name === name) !== index)
      return [{ path: `${path}.name`, message: `'${name}' is used twice; give each its own` }];
    return expression.trim() === '' ? [{ path: `${path}.expression`, message: 'is empty; write CEL' }] : [];
  });
}
