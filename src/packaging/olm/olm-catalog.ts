import { parseAllDocuments } from 'yaml';
import { isRecord, messageOf } from '../../kubernetes/index.js';
import { PackageError } from '../errors.js';
import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';
import { bundleContents, type Fields, fieldsAt, listAt, textAt } from './bundle-contents.js';
import { compareSemanticVersions, isVersionRange, semanticVersionOf } from './semantic-version.js';

export interface CatalogOptions {
  /** Image of the bundle, as the catalog's users pull it; best with a digest. */
  readonly image: string;
  /** The catalog so far, in YAML. @default - none: the bundle is the first of its package */
  readonly previous?: string | undefined;
}

const [PACKAGE, CHANNEL, BUNDLE] = ['olm.package', 'olm.channel', 'olm.bundle'] as const;

/**
 * A file-based catalog with a bundle added to it: its package, an entry with the upgrade edges in each of its channels, and the bundle. Entries of other bundles stay as
 * they are; the same bundle is replaced.
 *
 * @example
 * ```ts
 * const first = olmCatalog(memcachedBundle.files(), { image: 'registry.example.com/memcached-bundle:0.1.0' });
 * ```
 *
 * @throws PackageError if the files are not a bundle, the previous catalog cannot be read, or the result has a problem of {@link catalogProblems}
 */
export function olmCatalog(files: readonly PackageFile[], { image, previous }: CatalogOptions): string {
  const bundle = bundleFacts(files);
  const before = previous === undefined ? [] : documentsOf(previous);
  const { packageName, name } = bundle;
  const others = before.filter(
    (each) => each['schema'] !== CHANNEL && !isThe(each, BUNDLE, packageName, name) && !isThe(each, PACKAGE, undefined, packageName),
  );
  const packages = [{ ...(before.find((each) => isThe(each, PACKAGE, undefined, packageName)) ?? {}), ...packageOf(bundle) }];
  const channels = channelsWith(
    before.filter((each) => each['schema'] === CHANNEL),
    bundle,
  );
  const text = [...packages, ...channels, ...others, bundleOf(bundle, image)].map(yamlText).join('---\n');
  const [problem] = catalogProblems(text);
  if (problem !== undefined) throw new PackageError(`catalog: ${problem}`);
  return text;
}

/**
 * Problems that keep a file-based catalog from being served, or bundles of it from being upgraded: each a sentence with the remedy.
 *
 * @example
 * ```ts
 * console.log(catalogProblems(olmCatalog(memcachedBundle.files(), { image: 'registry.example.com/memcached-bundle:0.1.0' }))); // []
 * ```
 *
 * @throws PackageError if the text is not YAML
 */
export function catalogProblems(text: string): readonly string[] {
  const all = documentsOf(text);
  const bySchema = (schema: string): readonly Fields[] => all.filter((each) => each['schema'] === schema);
  const channels = bySchema(CHANNEL);
  return [
    ...bySchema(PACKAGE).flatMap((each) => {
      const [name, channel] = [textAt(each, 'name'), textAt(each, 'defaultChannel')];
      const isThere = channels.some((other) => textAt(other, 'package') === name && textAt(other, 'name') === channel);
      return isThere ? [] : [`package ${name}: defaultChannel '${channel}' is not a channel of it; name one`];
    }),
    ...channels.flatMap((channel) => channelProblems(channel, bySchema(BUNDLE), bySchema(PACKAGE))),
    ...bySchema(BUNDLE).flatMap((bundle, index, bundles) => {
      const [name, packageName] = [textAt(bundle, 'name'), textAt(bundle, 'package')];
      const isTwice = bundles.findIndex((other) => textAt(other, 'name') === name && textAt(other, 'package') === packageName) !== index;
      const isListed = channels.some(
        (channel) => textAt(channel, 'package') === packageName && entriesOf(channel).some((entry) => textAt(entry, 'name') === name),
      );
      return [
        ...(isTwice ? [`bundle ${name}: is there twice; keep one`] : []),
        ...(isListed ? [] : [`bundle ${name}: is in no channel of ${packageName}; add an entry, or leave it out`]),
      ];
    }),
  ];
}

function channelProblems(channel: Fields, bundles: readonly Fields[], packages: readonly Fields[]): readonly string[] {
  const [name, packageName] = [textAt(channel, 'name'), textAt(channel, 'package')];
  const where = `channel ${name} of ${packageName}`;
  const entries = entriesOf(channel);
  const names = entries.map((entry) => textAt(entry, 'name'));
  const isKnown = (entry: string): boolean =>
    bundles.some((bundle) => textAt(bundle, 'name') === entry && textAt(bundle, 'package') === packageName);
  const superseded = new Set(entries.flatMap((entry) => [textAt(entry, 'replaces'), ...skipsOf(entry)]));
  const heads = names.filter((entry) => !superseded.has(entry));
  return [
    ...(packages.some((each) => textAt(each, 'name') === packageName)
      ? []
      : [`${where}: the catalog has no such package; add olm.package`]),
    ...names.filter((entry, index) => names.indexOf(entry) !== index).map((entry) => `${where}: ${entry} is there twice; keep one`),
    ...names
      .filter((entry) => !isKnown(entry))
      .map((entry) => `${where}: ${entry} has no bundle in the catalog; add olm.bundle, or leave the entry out`),
    ...entries.flatMap((entry) => rangeProblem(where, entry)),
    ...(heads.length === 1 ? [] : [headProblem(where, heads, names)]),
    ...entries.flatMap((entry) => cycleProblem(where, entry, entries)),
  ];
}

function rangeProblem(where: string, entry: Fields): readonly string[] {
  const range = textAt(entry, 'skipRange');
  return range === '' || isVersionRange(range)
    ? []
    : [`${where}: skipRange '${range}' of ${textAt(entry, 'name')} is not a range of versions; write it like >=1.0.0 <1.2.0`];
}

function headProblem(where: string, heads: readonly string[], names: readonly string[]): string {
  if (names.length === 0) return `${where}: has no entries; add the bundle, or leave the channel out`;
  return heads.length === 0
    ? `${where}: each entry is replaced by another; one must be the newest`
    : `${where}: ${heads.join(' and ')} are replaced by none, and OLM takes one newest; let one of them replace or skip the others`;
}

function cycleProblem(where: string, start: Fields, entries: readonly Fields[]): readonly string[] {
  const seen = new Set<string>();
  for (let entry: Fields | undefined = start; entry !== undefined; ) {
    const name = textAt(entry, 'name');
    if (seen.has(name))
      return name === textAt(start, 'name') ? [`${where}: ${name} replaces itself by way of others; break the circle`] : [];
    seen.add(name);
    const next = textAt(entry, 'replaces');
    entry = entries.find((other) => textAt(other, 'name') === next);
  }
  return [];
}

interface BundleFacts {
  readonly name: string;
  readonly packageName: string;
  readonly channels: readonly string[];
  readonly defaultChannel: string;
  readonly csv: Fields;
}

const PREFIX = 'operators.operatorframework.io.bundle';

/** @throws PackageError if the files have no ClusterServiceVersion, or do not say to which package it belongs */
function bundleFacts(files: readonly PackageFile[]): BundleFacts {
  const { csv, annotations } = bundleContents(files);
  const texts = (key: string): string => String(annotations[`${PREFIX}.${key}`] ?? '');
  const channels = texts('channels.v1')
    .split(',')
    .filter((channel) => channel !== '');
  const packageName = texts('package.v1');
  if (csv === undefined || packageName === '' || channels.length === 0)
    throw new PackageError(
      'olmCatalog: the files are not a bundle; they need a ClusterServiceVersion in manifests/, and package and channels in metadata/annotations.yaml',
    );
  const defaultChannel = texts('channel.default.v1');
  return {
    name: textAt(csv.fields, 'metadata', 'name'),
    packageName,
    channels,
    defaultChannel: defaultChannel === '' ? (channels[0] ?? '') : defaultChannel,
    csv: csv.fields,
  };
}

function packageOf({ packageName, defaultChannel, csv }: BundleFacts): object {
  const [icon] = listAt(csv, 'spec', 'icon');
  const description = textAt(csv, 'spec', 'description');
  return {
    schema: PACKAGE,
    name: packageName,
    defaultChannel,
    ...(description === '' ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
  };
}

/** The channels with the entry of the bundle in each of its own, oldest version first. */
function channelsWith(before: readonly Fields[], bundle: BundleFacts): readonly object[] {
  const { name, packageName, channels, csv } = bundle;
  const [replaces, skips] = [textAt(csv, 'spec', 'replaces'), skipsOf(fieldsAt(csv, 'spec'))];
  const skipRange = textAt(csv, 'metadata', 'annotations', 'olm.skipRange');
  const entry = {
    name,
    ...(replaces === '' ? {} : { replaces }),
    ...(skips.length === 0 ? {} : { skips }),
    ...(skipRange === '' ? {} : { skipRange }),
  };
  const isOwn = (channel: Fields): boolean => textAt(channel, 'package') === packageName && channels.includes(textAt(channel, 'name'));
  const added = channels.filter((channel) => !before.some((other) => isOwn(other) && textAt(other, 'name') === channel));
  return [
    ...before.map((channel) =>
      isOwn(channel)
        ? { ...channel, entries: ordered([...entriesOf(channel).filter((other) => textAt(other, 'name') !== name), entry]) }
        : channel,
    ),
    ...added.map((channel) => ({ schema: CHANNEL, package: packageName, name: channel, entries: [entry] })),
  ];
}

function ordered(entries: readonly Fields[]): readonly Fields[] {
  const versionOf = (entry: Fields): ReturnType<typeof semanticVersionOf> =>
    semanticVersionOf(textAt(entry, 'name').replace(/^.*?\.v/, ''));
  return [...entries].sort((left, right) => {
    const [older, newer] = [versionOf(left), versionOf(right)];
    return older === undefined || newer === undefined ? 0 : compareSemanticVersions(older, newer);
  });
}

function bundleOf({ name, packageName, csv }: BundleFacts, image: string): object {
  const spec = fieldsAt(csv, 'spec');
  const kind = (definition: Fields): object => {
    const full = textAt(definition, 'name');
    return { group: full.slice(full.indexOf('.') + 1), kind: textAt(definition, 'kind'), version: textAt(definition, 'version') };
  };
  const { displayName, description, keywords, links, maintainers, maturity, minKubeVersion, provider, installModes } = spec;
  const annotations = fieldsAt(csv, 'metadata', 'annotations');
  const metadata = {
    annotations,
    displayName,
    description,
    installModes,
    keywords,
    links,
    maintainers,
    maturity,
    minKubeVersion,
    provider,
  };
  return {
    schema: BUNDLE,
    name,
    package: packageName,
    image,
    properties: [
      { type: 'olm.package', value: { packageName, version: textAt(spec, 'version') } },
      ...listAt(spec, 'customresourcedefinitions', 'owned').map((owned) => ({ type: 'olm.gvk', value: kind(owned) })),
      ...listAt(spec, 'customresourcedefinitions', 'required').map((required) => ({ type: 'olm.gvk.required', value: kind(required) })),
      { type: 'olm.csv.metadata', value: metadata },
    ],
    relatedImages: [{ name: '', image }, ...listAt(spec, 'relatedImages')],
  };
}

function isThe(document: Fields, schema: string, packageName: string | undefined, name: string): boolean {
  return (
    document['schema'] === schema &&
    textAt(document, 'name') === name &&
    (packageName === undefined || textAt(document, 'package') === packageName)
  );
}

function entriesOf(channel: Fields): readonly Fields[] {
  return listAt(channel, 'entries');
}

function skipsOf(entry: Fields): readonly string[] {
  const { skips } = entry;
  return Array.isArray(skips) ? skips.map(String) : [];
}

function documentsOf(text: string): readonly Fields[] {
  try {
    return parseAllDocuments(text, { version: '1.1' })
      .map((document) => {
        if (document.errors[0] !== undefined) throw document.errors[0];
        return document.toJS() as unknown;
      })
      .filter(isRecord);
  } catch (error) {
    throw new PackageError(`catalog: is not YAML: ${messageOf(error).split('\n')[0]}`, { cause: error });
  }
}
