import {
  type CustomResourceModel,
  customResourceDefinitionManifest,
  DefinitionError,
  defineCustomResource,
} from '../../definition/index.js';
import { canonicalJson, isRecord, pluralize } from '../../kubernetes/index.js';
import { interchangeProblems } from '../../structural/index.js';
import { ScaffoldError } from '../errors.js';
import type { CrdDocument, JsonObject } from '../import/index.js';
import { importLines, type KindNames, kindNames } from '../scaffold/index.js';
import { differences } from './differences.js';
import { plainSchema } from './plain-schema.js';
import type { Note } from './schema-writer.js';
import { type VersionParts, versionParts, versionText } from './version-parts.js';
import { indented, literal } from './written.js';

/** A CRD as the definition that makes it. */
export interface Definition {
  readonly names: KindNames;
  readonly group: string;
  /** The version that is stored. */
  readonly version: string;
  /** A module that exports the kind, its type and its controller. */
  readonly text: string;
  readonly notes: readonly Note[];
}

/** Annotations of tools, which do not belong to the definition. */
const TOOLS = ['controller-gen.kubebuilder.io/', 'kubectl.kubernetes.io/', 'cert-manager.io/inject-ca-from'];

/**
 * Writes a CRD as a definition, and proves it: the CRD of the definition is compared with the one that was found, and each difference is in the notes.
 *
 * @throws ScaffoldError for a CRD that the API server would not take either, with the place of each problem
 */
export function definitionOf({ place, crd }: CrdDocument): Definition {
  const spec = record(crd['spec']);
  const found = (Array.isArray(spec['versions']) ? spec['versions'] : []).map((version: unknown) => versionParts(record(version)));
  const storage = found.find(({ isStorage }) => isStorage);
  if (storage === undefined) throw new ScaffoldError(`${place}: spec.versions: no version is stored; one must have storage: true`);
  const isConverted = record(spec['conversion'])['strategy'] === 'Webhook';
  const kept = found.filter((version) => version === storage || (!isConverted && isInterchangeable(version, storage)));
  const options = resourceOptions(crd);
  const notes = [...found.flatMap((version) => notesOf(version, { kept, isConverted })), ...annotationNotes(crd)];
  const model = defined({ options, kept, place });
  notes.push(...remaining(crd, { model, kept, notes }));
  const names = kindNames(String(options['kind']));
  return { names, group: String(options['group']), version: storage.name, text: moduleText({ names, options, kept, storage }), notes };
}

/** Served versions are read as they are stored: a difference in their schemas needs a conversion. */
function isInterchangeable(version: VersionParts, storage: VersionParts): boolean {
  return interchangeProblems(version.schema, storage.schema).length === 0;
}

function notesOf(
  version: VersionParts,
  { kept, isConverted }: { readonly kept: readonly VersionParts[]; readonly isConverted: boolean },
): readonly Note[] {
  if (kept.includes(version)) return version.notes.map((note) => ({ ...note, path: `${version.name}.${note.path}` }));
  const why = isConverted ? 'a webhook converts its objects' : 'its schema and that of the stored version do not fit each other';
  return [{ path: version.name, is: 'left out', what: `${why}; add it to versions, with convert` }];
}

/** Options of the definition but the versions; names that follow from the kind are left out. */
function resourceOptions(crd: JsonObject): JsonObject {
  const spec = record(crd['spec']);
  const names = record(spec['names']);
  const kind = String(names['kind']);
  const differing = (name: string, usual: string): unknown =>
    names[name] === undefined || names[name] === usual ? undefined : names[name];
  const metadata = record(crd['metadata']);
  const options = {
    group: spec['group'],
    kind,
    plural: differing('plural', pluralize(kind.toLowerCase())),
    singular: differing('singular', kind.toLowerCase()),
    listKind: differing('listKind', `${kind}List`),
    shortNames: names['shortNames'],
    categories: names['categories'],
    scope: spec['scope'] === 'Cluster' ? 'Cluster' : undefined,
    labels: metadata['labels'],
    annotations: ownAnnotations(metadata),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const isTools = (name: string): boolean => TOOLS.some((prefix) => name.startsWith(prefix));

function ownAnnotations(metadata: JsonObject): JsonObject | undefined {
  const own = Object.entries(record(metadata['annotations'])).filter(([name]) => !isTools(name));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function annotationNotes(crd: JsonObject): readonly Note[] {
  const names = Object.keys(record(record(crd['metadata'])['annotations'])).filter(isTools);
  return names.length === 0 ? [] : [{ path: 'metadata.annotations', is: 'left out', what: names.join(', ') }];
}

interface Kept {
  readonly options: JsonObject;
  readonly kept: readonly VersionParts[];
}

/** The definition itself, made from the values that the text spells. @throws ScaffoldError */
function defined({ options, kept, place }: Kept & { readonly place: string }): CustomResourceModel {
  const versions = Object.fromEntries(
    kept.map(({ name, isStorage, parts, options: rest }) => [
      name,
      {
        ...(isStorage && kept.length > 1 ? { storage: true } : {}),
        ...rest,
        ...Object.fromEntries(Object.entries(parts).map(([part, { schema }]) => [part, schema])),
      },
    ]),
  );
  try {
    return defineCustomResource({ ...options, versions } as unknown as Parameters<typeof defineCustomResource>[0]).customResource;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const problems = error.problems.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    throw new ScaffoldError(`${place}: cannot be defined; mend it first:${problems}`, { cause: error });
  }
}

/** Differences between the CRD of the definition and the one that was found which no note names yet. */
function remaining(
  crd: JsonObject,
  { model, kept, notes }: { readonly model: CustomResourceModel; readonly kept: readonly VersionParts[]; readonly notes: readonly Note[] },
): readonly Note[] {
  const made = customResourceDefinitionManifest(model, { conversionWebhook: false }) as unknown as JsonObject;
  return [
    ...changedFacts(resourceFacts(crd), resourceFacts(made), ''),
    ...kept.flatMap(({ name }) => changedVersion(name, { crd, made, notes })),
  ];
}

function changedVersion(
  name: string,
  { crd, made, notes }: { readonly crd: JsonObject; readonly made: JsonObject; readonly notes: readonly Note[] },
): readonly Note[] {
  const [before, after] = [versionOf(crd, name), versionOf(made, name)];
  const isNoted = (place: string): boolean =>
    notes.some(
      ({ path }) => path === place || place.startsWith(`${path}.`) || place.startsWith(`${path}[`) || path === `${name}.the object`,
    );
  // Fields of every object may be left out of a schema.
  const isImplied = (path: string): boolean =>
    /^\.(apiVersion|kind|metadata)$/.test(path) && record(schemaOf(before)['properties'])[path.slice(1)] === undefined;
  const schemas = differences(schemaOf(before), schemaOf(after)).flatMap(({ path, is }): Note[] =>
    is !== 'other' || isImplied(path) || isNoted(`${name}${path}`) ? [] : [changed(`${name}${path}`)],
  );
  return [...schemas, ...changedFacts(versionFacts(before), versionFacts(after), `${name}.`)];
}

const changed = (path: string): Note => ({ path, is: 'left out', what: 'the definition says it otherwise' });

const changedFacts = (before: JsonObject, after: JsonObject, prefix: string): readonly Note[] =>
  Object.keys(before).flatMap((fact) =>
    canonicalJson(before[fact] ?? null) === canonicalJson(after[fact] ?? null) ? [] : [changed(`${prefix}${fact}`)],
  );

function versionOf(manifest: JsonObject, name: string): JsonObject {
  const versions = record(manifest['spec'])['versions'];
  return record(Array.isArray(versions) ? versions.find((version) => record(version)['name'] === name) : undefined);
}

const schemaOf = (version: JsonObject): JsonObject => plainSchema(record(record(version['schema'])['openAPIV3Schema']));

/** Everything of a CRD but its versions, with the values that the API server would fill in. */
function resourceFacts(manifest: JsonObject): JsonObject {
  const spec = record(manifest['spec']);
  const { kind, plural, singular, listKind, shortNames, categories } = record(spec['names']);
  const { labels } = record(manifest['metadata']);
  return {
    group: spec['group'],
    scope: spec['scope'],
    names: [kind, plural, singular ?? String(kind).toLowerCase(), listKind ?? `${String(kind)}List`, shortNames ?? [], categories ?? []],
    labels: record(labels),
    annotations: ownAnnotations(record(manifest['metadata'])) ?? {},
  };
}

function versionFacts(version: JsonObject): JsonObject {
  const { served, storage, deprecated, deprecationWarning, subresources, additionalPrinterColumns, selectableFields } = version;
  const { status, scale } = record(subresources);
  const columns = Array.isArray(additionalPrinterColumns) ? additionalPrinterColumns.map(record) : [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = record(scale);
  return {
    served,
    storage,
    deprecated: [deprecated ?? false, deprecationWarning],
    'subresources.status': status !== undefined,
    'subresources.scale': [specReplicasPath, statusReplicasPath, labelSelectorPath ?? ''],
    columns: columns.map(({ name, type, format, description, priority, jsonPath }) => [
      name,
      type,
      format ?? '',
      description ?? '',
      priority ?? 0,
      jsonPath,
    ]),
    selectableFields: selectableFields ?? [],
  };
}

function moduleText({ names, options, kept, storage }: Kept & { readonly names: KindNames; readonly storage: VersionParts }): string {
  const { kind, variable, file } = names;
  const nameIn =
    ({ name }: VersionParts) =>
    (part: string) =>
      kept.length === 1 ? part : `${part}Of${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const consts = kept.flatMap((version) =>
    Object.entries(version.parts).map(([part, { text }]) => `const ${nameIn(version)(part)} = ${text};\n`),
  );
  const head = Object.entries(options).map(([option, value]) => `${option}: ${literal(value)},`);
  const versions = kept.map((version) =>
    versionText(version, { isMarked: version === storage && kept.length > 1, nameOf: nameIn(version) }),
  );
  const body = `${consts.join('\n')}
export const ${kind} = defineCustomResource({
${indented(head.join('\n'))}
  versions: {
${indented(indented(versions.join('\n')))}
  },
});

/** An object as the controller sees it: defaults applied. */
export interface ${kind} extends Resource<typeof ${kind}> {}

/** The desired children, the status and the conditions of ${kind} objects go into \`done()\`; \`owns\` names the kinds of the children. */
export const ${variable}Controller = defineController({
  name: '${file}',
  for: ${kind},
  reconcile({ done }) {
    return done();
  },
});
`;
  const used = ['defineController', 'defineCustomResource', 'type Resource', ...(/\bk\./.test(consts.join('')) ? ['k'] : [])];
  return `${importLines({ keelson: used, ...(/\bz\./.test(consts.join('')) ? { zod: ['z'] } : {}) })}\n${body}`;
}

const record = (value: unknown): JsonObject => (isRecord(value) ? value : {});
