import { isRecord, pluralize } from '@keelson/kubernetes/apimachinery';
import {
  type CustomResourceModel,
  customResourceDefinitionManifest,
  DefinitionError,
  defineCustomResource,
  type Problem,
} from 'keelson/internal/definition';
import { ScaffoldError } from '../errors.js';
import type { CrdDocument, JsonObject } from '../import/index.js';
import { importLines, type KindNames, kindNames } from '../scaffold/index.js';
import { crdDifferences, isOfTool } from './crd-differences.js';
import type { Note } from './note-lines.js';
import { type VersionParts, versionParts, versionText } from './version-parts.js';
import { indented, literal } from './written.js';

/** A CRD as the definition that makes it. */
export interface Definition {
  /** The names in the code; the kind of the API may be another. */
  readonly names: KindNames;
  readonly group: string;
  /** The version that is stored. */
  readonly version: string;
  /** A module that exports the kind, its type and its controller. */
  readonly text: string;
  readonly notes: readonly Note[];
}

/**
 * Writes a CRD as a definition, and proves it: the CRD of the definition is compared with the one that was found, and each difference is in the notes.
 *
 * @param name the kind in the code
 * @throws ScaffoldError for a CRD that the API server would not take either, with the place of each problem
 */
export function definitionOf({ place, crd }: CrdDocument, name: string): Definition {
  const spec = record(crd['spec']);
  const found = (Array.isArray(spec['versions']) ? spec['versions'] : []).map((version: unknown) => versionParts(record(version)));
  const storage = found.find(({ isStorage }) => isStorage);
  if (storage === undefined) throw new ScaffoldError(`${place}: spec.versions: no version is stored; one must have storage: true`);
  const isConverted = record(spec['conversion'])['strategy'] === 'Webhook';
  const kept = isConverted ? [storage] : found;
  const options = resourceOptions(crd);
  const { model, refusals } = defined({ options, kept, place });
  const made = customResourceDefinitionManifest(model, { conversionWebhook: false }) as unknown as JsonObject;
  const compared = kept.map(({ name, writer: { wholes } }) => ({ name, wholes }));
  return {
    names: { ...kindNames(name), plural: model.plural },
    group: model.group,
    version: storage.name,
    text: moduleText({ names: kindNames(name), options: refusals.length === 0 ? options : { ...options, existing: true }, kept, storage }),
    notes: [
      ...crdDifferences({ place, found: crd }, made, compared),
      ...kept.flatMap(wordsOf),
      ...refusals.map(({ path, message }): Note => ({ path, is: 'new', what: message })),
    ],
  };
}

/** Fields of a version that stay word for word. */
export const wordsOf = ({ name, writer }: VersionParts): readonly Note[] =>
  writer.wordForWord.map(({ path, what }) => ({ path: `${name}.${path}`, is: 'structural', what }));

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

function ownAnnotations(metadata: JsonObject): JsonObject | undefined {
  const own = Object.entries(record(metadata['annotations'])).filter(([name]) => !isOfTool(name));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

interface Kept {
  readonly options: JsonObject;
  readonly kept: readonly VersionParts[];
}

/** The definition itself, made from the values that the text spells, and what it would be refused for if it were new. @throws ScaffoldError */
function defined({ options, kept, place }: Kept & { readonly place: string }): {
  readonly model: CustomResourceModel;
  readonly refusals: readonly Problem[];
} {
  const versions = Object.fromEntries(kept.map((version) => [version.name, versionValues(version, kept.length > 1)]));
  const whole = { ...options, versions } as unknown as Parameters<typeof defineCustomResource>[0];
  try {
    return { model: defineCustomResource(whole).customResource, refusals: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const refused = error.problems.filter(({ isForNew }) => isForNew !== true);
    if (refused.length === 0) return { model: defineCustomResource({ ...whole, existing: true }).customResource, refusals: error.problems };
    const problems = refused.map(({ path, message }) => `\n  ${path}: ${message}`).join('');
    throw new ScaffoldError(`${place}: cannot be defined; mend it first:${problems}`, { cause: error });
  }
}

/** A version as values in place of text. */
export function versionValues({ isStorage, parts, options }: VersionParts, isMarked: boolean): JsonObject {
  return {
    ...(isStorage && isMarked ? { storage: true } : {}),
    ...options,
    ...Object.fromEntries(Object.entries(parts).map(([part, { schema }]) => [part, schema])),
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
