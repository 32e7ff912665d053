import type { StructuralSchema } from '../../apimachinery/index.js';

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', "'": "'", '\\': '\\' };

/**
 * Reads a rule's `fieldPath` (`.spec.x`, `['a.b']`) against the schema that carries the rule.
 *
 * @returns the path as the API server appends it to the rule's own, or `undefined` if it leads nowhere
 * @see apiextensions-apiserver, `pkg/apiserver/schema/cel/validation.go` (ValidFieldPath)
 */
export function resolveFieldPath(path: string, schema: StructuralSchema): string | undefined {
  let node: StructuralSchema | undefined = schema;
  let rest = path;
  let rendered = '';
  while (rest !== '') {
    const match: RegExpExecArray | null = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (match === null) return undefined;
    const name: string | undefined = match[1] ?? unescapeQuoted(match[2] ?? '');
    if (name === undefined) return undefined;
    if (node?.properties !== undefined) {
      rendered += rendered === '' ? name : `.${name}`;
      node = Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
    } else if (typeof node?.additionalProperties === 'object') {
      rendered += `[${name}]`;
      node = node.additionalProperties;
    } else return undefined;
    if (node === undefined) return undefined;
    rest = rest.slice(match[0].length);
  }
  return rendered;
}

function unescapeQuoted(text: string): string | undefined {
  let valid = true;
  const result = text.replace(/\\(.)/gs, (_, letter: string) => {
    if (ESCAPES[letter] === undefined) valid = false;
    return ESCAPES[letter] ?? '';
  });
  return valid ? result : undefined;
}
