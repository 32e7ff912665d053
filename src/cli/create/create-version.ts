import { join } from 'node:path';
import { isRecord } from '@keelson/kubernetes/apimachinery';
import { type CustomResourceModel, customResourceDefinitionManifest, samplesOf } from 'keelson/internal/definition';
import { ScaffoldError, UsageError } from '../errors.js';
import type { JsonObject } from '../import/index.js';
import { loadModule } from '../load-module.js';
import { importLines, kindNames, versionFile, versionProblem, versionTestFile, versionVariables } from '../scaffold/index.js';
import type { Terminal } from '../terminal.js';
import { literal, noteLines, versionCopy } from '../translate/index.js';
import type { Addition } from './additions.js';
import { type FoundProject, SOURCES } from './found-project.js';
import { fileOfKind, kindsOf } from './project-kind.js';

export interface AddedVersion {
  readonly version: string;
  readonly kind: string | undefined;
  readonly isStorage: boolean;
}

/**
 * @throws UsageError for a name that cannot be, or several kinds to choose from
 * @throws ScaffoldError for a kind that the project does not have, a version that is there, and a kind that cannot be copied
 */
export async function versionAddition(
  { version, kind: given, isStorage }: AddedVersion,
  project: FoundProject,
  terminal: Pick<Terminal, 'directory' | 'progress'>,
): Promise<Addition> {
  const problem = versionProblem(version);
  if (problem !== undefined) throw new UsageError(`keelson create version ${version}: ${problem}`);
  const kind = given ?? onlyKind(project);
  const { name: kindModule } = fileOfKind(kind, project);
  const place = `${SOURCES}/${kindModule}.ts`;
  terminal.progress?.(`loading ${place}`);
  const resource = definitionIn(await loadModule(join(terminal.directory, place), place, ScaffoldError), { kind, place });
  refuseVersions(resource, { version, place });
  const other = resource.storageVersion;
  const { notes, ...copy } = versionCopy(manifestOf(resource, other), { isStorage });
  const names = kindNames(kind);
  const sample = sampleOf(resource, { other, parts: Object.keys(copy.parts), place });
  const options = { ...names, ...copy, version, other, isStorage, kindModule, sample, runner: project.runner };
  const file = `${names.file}-${version}`;
  terminal.progress?.('');
  return {
    files: [
      { path: `${SOURCES}/${file}.ts`, text: versionFile(options) },
      { path: `${SOURCES}/${file}.test.ts`, text: versionTestFile(options) },
    ],
    place,
    lines: linesOf(resource, { file, version, isStorage, ...versionVariables(options) }),
    remarks: [
      ...(isStorage && resource.versionList.length > 1 ? [`Take storage: true out of ${other}: ${version} has it.`] : []),
      ...(notes.length === 0 ? [] : [`${version} is a copy of ${other}, but:`, ...noteLines(notes, { isShort: true })]),
    ],
  };
}

function onlyKind({ sources }: FoundProject): string {
  const kinds = kindsOf(sources);
  const [kind] = kinds;
  if (kinds.length === 1 && kind !== undefined) return kind;
  const found = kinds.length === 0 ? `no file in ${SOURCES} exports a kind` : `the project has ${kinds.join(', ')}`;
  throw new UsageError(`keelson create version: --kind: not given, and ${found}; name the kind`);
}

function definitionIn(
  module: Readonly<Record<string, unknown>>,
  { kind, place }: { readonly kind: string; readonly place: string },
): CustomResourceModel {
  const found: unknown = module[kind];
  if (typeof found === 'function' && 'versionList' in found && Array.isArray(found.versionList))
    return found as unknown as CustomResourceModel;
  throw new ScaffoldError(`${place}: its export ${kind} is not what defineCustomResource returns; export the definition under this name`);
}

function refuseVersions(
  { kind, versionList }: CustomResourceModel,
  { version, place }: { readonly version: string; readonly place: string },
): void {
  if (versionList.some(({ name }) => name === version))
    throw new ScaffoldError(
      `${place}: ${kind} has ${version} already (its versions: ${versionList.map(({ name }) => name).join(', ')}); choose another name, or change it there`,
    );
  const beside = versionList.flatMap(({ name, schema }) =>
    Object.keys(schema.properties ?? {})
      .filter((field) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(field))
      .map((field) => `${name}.${field}`),
  );
  if (beside.length > 0)
    throw new ScaffoldError(
      `${place}: ${kind} has fields beside spec and status (${beside.join(', ')}), which are not copied; add the version by hand, as docs/versions.md shows`,
    );
  if (versionList.some(({ schema }) => schema.properties?.['spec'] === undefined))
    throw new ScaffoldError(
      `${place}: ${kind} has no spec, which the conversion would carry over; add the version by hand, as docs/versions.md shows`,
    );
}

function manifestOf(resource: CustomResourceModel, version: string): JsonObject {
  const { spec } = customResourceDefinitionManifest(resource, { conversionWebhook: false }) as unknown as {
    readonly spec: { readonly versions: readonly JsonObject[] };
  };
  return spec.versions.find(({ name }) => name === version) ?? {};
}

/** The fullest of the objects with which `defineOperator` tries the conversion: without any it would refuse the new version. */
function sampleOf(
  resource: CustomResourceModel,
  { other, parts, place }: { readonly other: string; readonly parts: readonly string[]; readonly place: string },
): string {
  const version = resource.versionList.find(({ name }) => name === other);
  const samples = version === undefined ? [] : samplesOf(resource, version);
  const contents = samples.map((sample) => Object.fromEntries(Object.entries(sample).filter(([part]) => parts.includes(part))));
  const [fullest] = contents.filter(isRecord).sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
  if (fullest === undefined)
    throw new ScaffoldError(
      `${place}: no object of ${other} can be made up from its patterns and rules, with which the conversion could be tried; add the version by hand, with samples, as docs/versions.md shows`,
    );
  return literal(fullest);
}

interface Lines {
  readonly file: string;
  readonly version: string;
  readonly isStorage: boolean;
  readonly value: string;
  readonly conversion: string;
}

/** The parts of the definition that change; three dots stand for what is there. */
function linesOf(
  { versionList, storageVersion, conversions }: CustomResourceModel,
  { file, version, isStorage, value, conversion }: Lines,
): readonly string[] {
  const isMarked = versionList.length > 1;
  // A single version is stored without a mark.
  const before = isStorage || isMarked ? '...' : `${storageVersion}: { storage: true, ... }`;
  // With convert each version needs functions; without it they were the same objects.
  const others = conversions === undefined ? versionList.filter(({ name }) => name !== storageVersion) : [];
  const same = others.map(({ name, schema }) => {
    const parts = schema.properties?.['status'] === undefined ? 'spec' : 'spec, status';
    const keep = `({ ${parts} }) => ({ ${parts} })`;
    return `${name}: { toStorage: ${keep}, fromStorage: ${keep} }`;
  });
  const kept = conversions === undefined ? [] : ['...'];
  const converted = [...kept, ...same, `${isStorage ? storageVersion : version}: ${conversion}`];
  return [
    importLines({ [`./${file}.js`]: [value, conversion] }).trimEnd(),
    `versions: { ${before}, ${version}: ${value} },`,
    `convert: { ${converted.join(', ')} },`,
  ];
}
