import { ScaffoldError } from '../errors.js';
import type { FoundProject, SourceFile } from './found-project.js';

/** The file of the project that exports a kind. @throws ScaffoldError when none does */
export function fileOfKind(kind: string, { sources }: FoundProject): SourceFile {
  const found = sources.find(({ text }) => new RegExp(`\\bexport const ${escaped(kind)} = defineCustomResource\\(`).test(text));
  if (found !== undefined) return found;
  const known = kindsOf(sources);
  const hint = known.length === 0 ? 'none is there' : `there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;
  throw new ScaffoldError(`${kind}: no file in src exports a custom resource of this name (${hint}); make it with keelson create kind`);
}

/** Names of the kinds that the project exports. */
export function kindsOf(sources: readonly SourceFile[]): readonly string[] {
  return sources.flatMap(({ text }) => [...text.matchAll(/\bexport const (\w+) = defineCustomResource\(/g)].map(([, name = '']) => name));
}

const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&');
