import { canonicalJson, isRecord } from '@keelson/kubernetes/apimachinery';
import { ScaffoldError } from '../errors.js';
import type { JsonObject } from '../import/index.js';
import { type Difference, differences } from './differences.js';
import type { Note } from './note-lines.js';
import { rootOf } from './version-parts.js';

/** A version that is compared, and the fields that a form stands for as a whole. */
export interface ComparedVersion {
  readonly name: string;
  readonly wholes: readonly string[];
}

/** Annotations of tools, which do not belong to a definition. */
const TOOLS = ['controller-gen.kubebuilder.io/', 'kubectl.kubernetes.io/', 'cert-manager.io/inject-ca-from'];
export const isOfTool = (annotation: string): boolean => TOOLS.some((prefix) => annotation.startsWith(prefix));

/** Parts of a CRD that the definition cannot say, by path, with the reason. */
function explained(path: string, found: JsonObject): Omit<Note, 'path'> | undefined {
  if (path.startsWith(ANNOTATIONS) && isOfTool(path.slice(ANNOTATIONS.length))) return { is: 'left out', what: 'a tool wrote it' };
  if (path === 'spec.conversion') return { is: 'left out', what: 'the webhook that converts is code: write convert' };
  if (path === 'spec.preserveUnknownFields')
    return { is: 'pruned', what: 'the CRD keeps fields that its schema does not have; apiextensions.k8s.io/v1 cannot create such a one' };
  const versions = record(found['spec'])['versions'];
  const isVersion = Array.isArray(versions) && versions.some((version) => record(version)['name'] === path);
  return isVersion ? { is: 'left out', what: 'a webhook converts its objects: add it to versions, with convert' } : undefined;
}

const ANNOTATIONS = 'metadata.annotations.';

/**
 * The differences between a CRD that was found and the one that its definition makes, leaf by leaf.
 *
 * @throws ScaffoldError for a difference without a known reason: the translation has lost something
 */
export function crdDifferences(
  { place, found }: { readonly place: string; readonly found: JsonObject },
  made: JsonObject,
  versions: readonly ComparedVersion[],
): readonly Note[] {
  const lost: string[] = [];
  const notes = leaves(factsOf(found), factsOf(made), '').flatMap((leaf): Note[] => {
    const known = explained(leaf.path, found);
    if (known === undefined) lost.push(`${leaf.path}: ${shown(leaf)}`);
    return known === undefined ? [] : [{ path: leaf.path, ...known }];
  });
  for (const version of versions) {
    const below = schemaDifferences(versionOf(found, version.name), versionOf(made, version.name), version);
    notes.push(...below.notes);
    lost.push(...below.lost);
  }
  refuseLost(lost, place);
  return notes;
}

/** The differences between the schemas of a version; `lost` are those without a known reason. */
export function schemaDifferences(
  found: JsonObject,
  made: JsonObject,
  version: ComparedVersion,
): { readonly notes: readonly Note[]; readonly lost: readonly string[] } {
  const all = differences(withObjectFields(rootOf(found)), withObjectFields(rootOf(made)));
  return {
    notes: unique(all.flatMap((difference) => (isKnown(difference) ? [noteOf(difference, version)] : []))),
    lost: all
      .filter((difference) => !isKnown(difference))
      .map((difference) => `${version.name}${difference.path}${dotted(difference.keyword)}: ${shown(difference)}`),
  };
}

function refuseLost(lost: readonly string[], place: string): void {
  if (lost.length === 0) return;
  throw new ScaffoldError(
    `${place}: its definition would make another CustomResourceDefinition. This is a fault of keelson: please report it with the CRD. ` +
      `The differences:${lost.map((line) => `\n  ${line}`).join('')}`,
  );
}

const dotted = (keyword: string): string => (keyword === '' ? '' : `.${keyword}`);

interface Known extends Difference {
  readonly is: Exclude<Difference['is'], 'other'>;
}

const isKnown = (difference: Difference): difference is Known => difference.is !== 'other';

function noteOf({ path, is }: Known, { name, wholes }: ComparedVersion): Note {
  const field = path.slice(1);
  if (is === 'description' && /^(apiVersion|kind|metadata)$/.test(field)) return { path: `${name}${path}`, is: 'own text' };
  const whole = wholes.find((each) => field === each || field.startsWith(`${each}.`) || field.startsWith(`${each}[`));
  return { path: `${name}.${whole ?? (field === '' ? 'the object' : field)}`, is };
}

/** One note for a form that stands for a whole. */
function unique(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [`${note.is} ${note.path}`, note])).values()];
}

/** The schema with the fields that every object has, whatever its schema says. */
function withObjectFields(schema: JsonObject): JsonObject {
  const fields = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  const properties = record(schema['properties']);
  const typed = Object.entries(fields).map(([name, type]) => [name, { ...type, ...record(properties[name]) }]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(typed) } };
}

function versionOf(crd: JsonObject, name: string): JsonObject {
  const versions = record(crd['spec'])['versions'];
  return record(Array.isArray(versions) ? versions.find((version) => record(version)['name'] === name) : undefined);
}

/** Everything of a CRD but its schemas, with the values that the API server would fill in. */
function factsOf(crd: JsonObject): JsonObject {
  const [metadata, spec] = [record(crd['metadata']), record(crd['spec'])];
  const { kind, plural, singular, listKind, shortNames, categories } = record(spec['names']);
  const versions = Array.isArray(spec['versions']) ? spec['versions'].map(record) : [];
  return {
    metadata: { name: metadata['name'], labels: record(metadata['labels']), annotations: record(metadata['annotations']) },
    spec: {
      group: spec['group'],
      scope: spec['scope'],
      names: {
        kind,
        plural,
        singular: singular || String(kind).toLowerCase(),
        listKind: listKind || `${String(kind)}List`,
        shortNames: shortNames ?? [],
        categories: categories ?? [],
      },
      conversion: record(spec['conversion'])['strategy'] ?? 'None',
      preserveUnknownFields: spec['preserveUnknownFields'] ?? false,
    },
    ...Object.fromEntries(versions.map((version) => [String(version['name']), versionFacts(version)])),
  };
}

function versionFacts(version: JsonObject): JsonObject {
  const { served, storage, deprecated, deprecationWarning, additionalPrinterColumns, selectableFields } = version;
  const { status, scale } = record(version['subresources']);
  const columns = Array.isArray(additionalPrinterColumns) ? additionalPrinterColumns.map(record) : [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = record(scale);
  return {
    served,
    storage,
    deprecated: deprecated ?? false,
    deprecationWarning,
    subresources: {
      status: status !== undefined,
      scale: isRecord(scale) ? { specReplicasPath, statusReplicasPath, labelSelectorPath: labelSelectorPath ?? '' } : undefined,
    },
    additionalPrinterColumns: columns.map(({ name, type, format, description, priority, jsonPath }) => ({
      name,
      type,
      format: format ?? '',
      description: description ?? '',
      priority: priority ?? 0,
      jsonPath,
    })),
    selectableFields: selectableFields ?? [],
  };
}

interface Leaf {
  readonly path: string;
  readonly found: unknown;
  readonly made: unknown;
}

function leaves(found: unknown, made: unknown, path: string): readonly Leaf[] {
  if (isRecord(found) && isRecord(made)) {
    const names = [...new Set([...Object.keys(found), ...Object.keys(made)])];
    return names.flatMap((name) => leaves(found[name], made[name], path === '' ? name : `${path}.${name}`));
  }
  if (Array.isArray(found) && Array.isArray(made) && found.length === made.length)
    return found.flatMap((each, index) => leaves(each, made[index], `${path}[${index}]`));
  return canonicalJson((found ?? null) as never) === canonicalJson((made ?? null) as never) ? [] : [{ path, found, made }];
}

function shown({ found, made }: Pick<Leaf, 'found' | 'made'>): string {
  return `${shortened(found)} became ${shortened(made)}`;
}

function shortened(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const record = (value: unknown): JsonObject => (isRecord(value) ? value : {});
