/** Equality of JSON values as the API server sees it: the order of keys does not matter. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return Array.isArray(value) ? listText(value) : mapText(value as Readonly<Record<string, unknown>>);
}

// Written piece by piece: operators take this text of every child at every run, and lists of entries would cost more than all else.
function listText(list: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) text += (index === 0 ? '' : ',') + canonicalJson(list[index]);
  return `${text}]`;
}

function mapText(map: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const key of Object.keys(map).sort()) {
    const item = map[key];
    if (item !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(item)}`;
  }
  return `{${text}}`;
}

/** Printable ASCII without a quote or a backslash: JSON has nothing to escape in it. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Most texts are plain, and a call of JSON.stringify for each would cost more than writing them. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
