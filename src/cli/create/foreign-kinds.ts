import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScaffoldError } from '../errors.js';
import type { ForeignKind } from '../scaffold/index.js';
import { type FoundProject, SOURCES } from './found-project.js';
import { kindsOf } from './project-kind.js';

/** A kind that a project can import. */
interface KnownKind extends ForeignKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The default of `keelson import --out`. It is outside of the sources, and the compiler and the image of a project see the sources alone. */
const DEFAULT_IMPORTS = 'imports';

/** Built-in kinds that are asked and not kept: there is nothing to watch. */
export const UNWATCHED_KINDS: readonly string[] = [
  'Binding',
  'ComponentStatus',
  'LocalSubjectAccessReview',
  'SelfSubjectAccessReview',
  'SelfSubjectReview',
  'SelfSubjectRulesReview',
  'SubjectAccessReview',
  'TokenReview',
];

/**
 * A kind of others: one that `keelson import` has written below the sources, or one of `keelson/kinds`.
 *
 * @param reference the name under which it is imported, or `Kind.group`, or `Kind.version.group`
 * @throws ScaffoldError for a name without a kind or with several, and for a kind that cannot be watched
 */
export async function foreignKind(reference: string, project: FoundProject, directory: string): Promise<ForeignKind> {
  const known = [...(await importedKinds(join(directory, SOURCES), '.')), ...(await builtinKinds())];
  const [found, ...more] = known.filter((each) => namesOf(each).includes(reference));
  if (found === undefined) throw await unknownKind(reference, { project, known, directory });
  if (more.length > 0) throw severalKinds(reference, [found, ...more]);
  if (isBuiltin(found) && UNWATCHED_KINDS.includes(found.kind))
    throw new ScaffoldError(`${reference}: the API server keeps no objects of this kind, so a controller has nothing to watch`);
  return found;
}

const isBuiltin = ({ module }: ForeignKind): boolean => module === 'keelson/kinds';
const longName = ({ kind, version, group }: KnownKind): string => `${kind}.${version}.${group}`;
const namesOf = (known: KnownKind): readonly string[] => [known.name, `${known.kind}.${known.group}`, longName(known)];

function severalKinds(reference: string, kinds: readonly KnownKind[]): ScaffoldError {
  const names = kinds.map((each) => (kinds.some((other) => other !== each && other.name === each.name) ? longName(each) : each.name));
  if (new Set(names).size < names.length) {
    const files = kinds.map(({ module }) => `${SOURCES}/${module.replace(/^\.\//, '').replace(/\.js$/, '.ts')}`);
    return new ScaffoldError(`${reference}: ${files.join(' and ')} export the same kind; delete all but one`);
  }
  return new ScaffoldError(`${reference}: several kinds have this name; write one of ${names.join(', ')}`);
}

async function unknownKind(
  reference: string,
  { project, known, directory }: { readonly project: FoundProject; readonly known: readonly KnownKind[]; readonly directory: string },
): Promise<ScaffoldError> {
  const outside = await importedKinds(join(directory, DEFAULT_IMPORTS), DEFAULT_IMPORTS).catch(() => []);
  const misplaced = outside.find((each) => namesOf(each).includes(reference));
  if (misplaced !== undefined)
    return new ScaffoldError(
      `${reference}: ${misplaced.module.replace(/\.js$/, '.ts')} is outside of ${SOURCES}, where neither the compiler nor the image of the project looks; write it there: keelson import --out ${SOURCES}/imports`,
    );
  const versions = known.filter(({ kind }) => kind === reference);
  if (versions.length > 0) return severalKinds(reference, versions);
  const imported = known.filter((each) => !isBuiltin(each)).map(({ name }) => name);
  const here = [...kindsOf(project.sources), ...imported];
  const hint = here.length === 0 ? `no kind is in ${SOURCES}` : `in ${SOURCES} ${here.length === 1 ? 'is' : 'are'} ${here.join(', ')}`;
  return new ScaffoldError(
    `${reference}: neither the project nor keelson/kinds has this kind (${hint}). A kind of the project is made with keelson create kind; one of others is imported from its CRD: keelson import --out ${SOURCES}/imports crd.yaml`,
  );
}

async function builtinKinds(): Promise<readonly KnownKind[]> {
  // Six hundred names, which only this needs.
  const kinds: Readonly<Record<string, unknown>> = await import('@keelson/kubernetes/kinds');
  return Object.entries(kinds).flatMap(([name, value]): KnownKind[] => {
    if (!isKind(value)) return [];
    const { group, version, kind, scope } = value;
    return [{ name, group, version, kind, module: 'keelson/kinds', isNamespaced: scope === 'Namespaced' }];
  });
}

function isKind(value: unknown): value is Readonly<Record<'group' | 'version' | 'kind' | 'scope', string>> {
  return typeof value === 'function' && 'plural' in value && 'scope' in value;
}

/** Every `export const Name: Kind<…> = defineKind({ … })` of a folder, as `keelson import` writes it. */
async function importedKinds(folder: string, shown: string): Promise<readonly KnownKind[]> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts') && !entry.endsWith('.test.ts')).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8');
      const module = `${shown}/${file.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`;
      return [...text.matchAll(/^export const (\w+): Kind<[^=]*= (?:\/\*.*?\*\/ )?defineKind\(\{([^}]*)\}\)/gm)].map(
        ([, name = '', fields = '']): KnownKind => ({
          name,
          module,
          group: textOf(fields, 'group'),
          version: textOf(fields, 'version'),
          kind: textOf(fields, 'kind'),
          isNamespaced: textOf(fields, 'scope') === 'Namespaced',
        }),
      );
    }),
  );
  return found.flat();
}

const textOf = (fields: string, field: string): string => new RegExp(`\\b${field}: '([^']*)'`).exec(fields)?.[1] ?? '';
