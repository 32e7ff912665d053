import { equalJson, type KubernetesObject, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { type Finding, findingOf, shown } from './finding.js';
import type { RuleId } from './rules.js';
import { schemaChanges } from './schema-changes.js';

interface Version {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: Readonly<Record<string, string>> };
  readonly additionalPrinterColumns?: readonly { readonly name: string }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

interface DefinitionSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: Readonly<Record<string, string | readonly string[]>>;
  readonly versions?: readonly Version[];
  readonly conversion?: { readonly strategy?: string };
}

/** Compares two CustomResourceDefinitions of one name. */
export function crdChanges(object: string, before: KubernetesObject, after: KubernetesObject): readonly Finding[] {
  const [old, now] = [specOf(before), specOf(after)];
  const found = (rule: RuleId, path: string, message: string): Finding => findingOf(rule, object, path, message);
  const [oldVersions, newVersions] = [versionsOf(old), versionsOf(now)];
  return [
    ...(old.scope === now.scope ? [] : [found('scope-changed', '', `${old.scope} → ${now.scope}`)]),
    ...nameChanges(old, now, found),
    ...versionChanges(oldVersions, newVersions, found),
    ...conversionChanges(old, now, found),
    ...[...oldVersions.values()].flatMap((version) => {
      const next = newVersions.get(version.name);
      return next === undefined ? [] : changesOfVersion(object, version, next);
    }),
  ];
}

type Found = (rule: RuleId, path: string, message: string) => Finding;

function specOf({ spec }: KubernetesObject & { readonly spec?: unknown }): DefinitionSpec {
  return (spec ?? {}) as DefinitionSpec;
}

function versionsOf({ versions = [] }: DefinitionSpec): ReadonlyMap<string, Version> {
  return new Map(versions.map((version) => [version.name, version]));
}

function nameChanges({ names: old = {} }: DefinitionSpec, { names: now = {} }: DefinitionSpec, found: Found): readonly Finding[] {
  const changed = (rule: RuleId, name: string): readonly Finding[] =>
    equalJson(old[name] as never, now[name] as never) ? [] : [found(rule, `names.${name}`, `${shown(old[name])} → ${shown(now[name])}`)];
  return [
    ...['kind', 'listKind', 'plural', 'singular'].flatMap((name) => changed('names-changed', name)),
    ...['shortNames', 'categories'].flatMap((name) => changed('short-names-changed', name)),
  ];
}

function versionChanges(old: ReadonlyMap<string, Version>, now: ReadonlyMap<string, Version>, found: Found): readonly Finding[] {
  const storageOf = (versions: ReadonlyMap<string, Version>): string | undefined =>
    [...versions.values()].find(({ storage }) => storage === true)?.name;
  const [oldStorage, newStorage] = [storageOf(old), storageOf(now)];
  return [
    ...[...old.values()].flatMap(({ name, served, deprecated }) => {
      const next = now.get(name);
      if (next === undefined) return [found('version-removed', name, 'is no longer in the definition')];
      return [
        ...(served === true && next.served !== true ? [found('version-unserved', name, 'is no longer served')] : []),
        ...(deprecated !== true && next.deprecated === true ? [found('version-deprecated', name, 'is deprecated')] : []),
      ];
    }),
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => found('version-added', name, 'is new')),
    ...(oldStorage === newStorage ? [] : [found('storage-changed', '', `${oldStorage} → ${newStorage}`)]),
  ];
}

function conversionChanges({ conversion: old }: DefinitionSpec, { conversion: now }: DefinitionSpec, found: Found): readonly Finding[] {
  const [before, after] = [old?.strategy ?? 'None', now?.strategy ?? 'None'];
  return before === after ? [] : [found('conversion-changed', '', `${before} → ${after}`)];
}

function changesOfVersion(object: string, old: Version, now: Version): readonly Finding[] {
  const found: Found = (rule, path, message) => findingOf(rule, object, `${old.name}${path === '' ? '' : ` ${path}`}`, message);
  const [before, after] = [old.schema?.openAPIV3Schema, now.schema?.openAPIV3Schema];
  const inVersion = before === undefined || after === undefined ? [] : schemaChanges(object, before, after, '');
  return [
    ...inVersion.map((finding) => ({ ...finding, path: `${old.name}${finding.path === '' ? '' : ` ${finding.path}`}` })),
    ...(old.subresources?.status !== undefined && now.subresources?.status === undefined
      ? [found('subresource-removed', 'status', 'is no longer served')]
      : []),
    ...scaleChanges(old, now, found),
    ...removedFrom(columnsOf(old), columnsOf(now)).map((name) => found('column-removed', name, 'is no longer a column')),
    ...removedFrom(selectableOf(old), selectableOf(now)).map((path) =>
      found('selectable-field-removed', path, 'can no longer be selected by'),
    ),
  ];
}

function scaleChanges({ subresources: old }: Version, { subresources: now }: Version, found: Found): readonly Finding[] {
  if (old?.scale === undefined || equalJson(old.scale, now?.scale)) return [];
  if (now?.scale === undefined) return [found('subresource-removed', 'scale', 'is no longer served')];
  return [found('scale-changed', 'scale', `${shown(old.scale)} → ${shown(now.scale)}`)];
}

const columnsOf = ({ additionalPrinterColumns = [] }: Version): readonly string[] => additionalPrinterColumns.map(({ name }) => name);
const selectableOf = ({ selectableFields = [] }: Version): readonly string[] => selectableFields.map(({ jsonPath }) => jsonPath);

function removedFrom(before: readonly string[], after: readonly string[]): readonly string[] {
  return before.filter((name) => !after.includes(name));
}
