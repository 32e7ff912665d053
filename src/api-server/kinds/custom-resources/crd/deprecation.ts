import { compareVersions } from '@keelson/kubernetes/apimachinery';
import { type DefinitionSpec, type DefinitionVersion, versionsOf } from './definition.js';

/** The problem of the text of a deprecation. */
export function deprecationProblems(deprecated: boolean, warning: string | undefined): readonly string[] {
  if (warning === undefined || warning === null) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const strange = firstUnprintable(warning);
  return [
    ...(Buffer.byteLength(warning) > 256 ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...(strange === undefined ? [] : [`must only contain printable UTF-8 characters; non-printable character found at index ${strange}`]),
  ];
}

/** In bytes. */
function firstUnprintable(text: string): number | undefined {
  let index = 0;
  for (const character of text) {
    if (!/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return index;
    index += Buffer.byteLength(character);
  }
  return undefined;
}

/** The warning that every request for a deprecated version brings. */
export function deprecationWarningOf(
  { name, deprecated, deprecationWarning }: DefinitionVersion,
  spec: DefinitionSpec,
): string | undefined {
  if (deprecated !== true) return undefined;
  if (deprecationWarning !== undefined && deprecationWarning !== null) return deprecationWarning;
  const [better] = versionsOf(spec)
    .filter((version) => version.served && version.deprecated !== true && compareVersions(name, version.name) > 0)
    .sort((left, right) => compareVersions(left.name, right.name));
  const own = `${spec.group}/${name} ${spec.names.kind} is deprecated`;
  return better === undefined ? own : `${own}; use ${spec.group}/${better.name} ${spec.names.kind}`;
}
