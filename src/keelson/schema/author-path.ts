const STEP = /^\.(?:properties\[([^\]]*)\]|(items)|(additionalProperties))/;

/** `.properties[spec].properties[list].items.default` → `spec.list[]` and `default`. */
export function authorPath(field: string): { readonly path: string; readonly keyword: string } {
  let rest = field;
  let path = '';
  for (let match = STEP.exec(rest); match !== null; match = STEP.exec(rest)) {
    const [text, property, items] = match;
    if (property !== undefined) path += path === '' ? property : `.${property}`;
    else path += items === undefined ? '.*' : '[]';
    rest = rest.slice(text.length);
  }
  return { path: path === '' ? 'the schema' : path, keyword: rest.replace(/^\./, '') };
}
