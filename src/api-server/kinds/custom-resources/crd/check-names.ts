import { dns1035LabelProblems, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import type { DefinitionNames } from './definition.js';

/** One error for all that is wrong with a DNS-1035 label. */
export function labelErrors(
  path: string,
  value: string,
  { label = value, prefix = '' }: { readonly label?: string; readonly prefix?: string } = {},
): readonly FieldError[] {
  const problems = dns1035LabelProblems(label);
  return problems.length === 0 ? [] : [invalid(path, value, prefix + problems.join(','))];
}

/** Form of names, in a spec and in a status; {@link missingNames} reports missing ones. */
export function nameErrors(names: DefinitionNames, path: string): readonly FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames, categories } = names;
  const prefix = 'may have mixed case, but should otherwise match: ';
  const simple = (field: string, value: string) => (value === '' ? [] : labelErrors(`${path}.${field}`, value));
  const mixed = (field: string, value: string) =>
    value === '' ? [] : labelErrors(`${path}.${field}`, value, { label: value.toLowerCase(), prefix });
  return [
    ...simple('plural', plural),
    ...simple('singular', singular),
    ...mixed('kind', kind),
    ...mixed('listKind', listKind),
    ...(shortNames ?? []).flatMap((name, index) => labelErrors(`${path}.shortNames[${index}]`, name)),
    ...(kind !== '' && kind === listKind ? [invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')] : []),
    ...(categories ?? []).flatMap((name, index) => labelErrors(`${path}.categories[${index}]`, name)),
  ];
}

export function missingNames(names: DefinitionNames, path: string): readonly FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((field) => (names[field] ?? '') === '')
    .map((field) => required(`${path}.${field}`));
}
