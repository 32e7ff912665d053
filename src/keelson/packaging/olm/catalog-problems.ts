import { isRecord, messageOf } from '@keelson/kubernetes/apimachinery';
import { parseAllDocuments } from 'yaml';
import { PackageError } from '../errors.js';
import { type Fields, listAt, textAt } from './bundle-contents.js';
import { isVersionRange } from './semantic-version.js';

export const PACKAGE = 'olm.package';
export const CHANNEL = 'olm.channel';
export const BUNDLE = 'olm.bundle';

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
  const [packages, channels, bundles] = [bySchema(PACKAGE), bySchema(CHANNEL), bySchema(BUNDLE)];
  return [
    ...packages.flatMap((each) => packageProblems(each, channels)),
    ...twice(packages, (each) => `package ${textAt(each, 'name')}`),
    ...channels.flatMap((channel) => channelProblems(channel, bundles, packages)),
    ...twice(channels, (each) => `channel ${textAt(each, 'name')} of ${textAt(each, 'package')}`),
    ...bundles.flatMap((bundle) => bundleProblems(bundle, channels)),
    ...twice(bundles, (each) => `bundle ${textAt(each, 'name')}`, 'package'),
    ...sameVersions(bundles),
  ];
}

function packageProblems(each: Fields, channels: readonly Fields[]): readonly string[] {
  const [name, channel] = [textAt(each, 'name'), textAt(each, 'defaultChannel')];
  const isThere = channels.some((other) => textAt(other, 'package') === name && textAt(other, 'name') === channel);
  return isThere ? [] : [`package ${name}: defaultChannel '${channel}' is not a channel of it; name one`];
}

function bundleProblems(bundle: Fields, channels: readonly Fields[]): readonly string[] {
  const [name, packageName] = [textAt(bundle, 'name'), textAt(bundle, 'package')];
  const isListed = channels.some(
    (channel) => textAt(channel, 'package') === packageName && entriesOf(channel).some((entry) => textAt(entry, 'name') === name),
  );
  const versions = versionsOf(bundle).length;
  return [
    ...(isListed ? [] : [`bundle ${name}: is in no channel of ${packageName}; add an entry, or leave it out`]),
    ...(textAt(bundle, 'image') === '' ? [`bundle ${name}: has no image; name the one that it is pulled from`] : []),
    ...(versions === 1 ? [] : [`bundle ${name}: has ${versions} properties ${PACKAGE}; one must say its package and version`]),
  ];
}

/** Documents of which there may be one by name, in a scope. */
function twice(documents: readonly Fields[], named: (document: Fields) => string, scope?: string): readonly string[] {
  const keys = documents.map((each) => `${named(each)}\0${scope === undefined ? '' : textAt(each, scope)}`);
  return documents
    .filter((_each, index) => keys.indexOf(keys[index] as string) !== index)
    .map((each) => `${named(each)}: is there twice; keep one`);
}

/** Bundles with the version of another: neither would be the newer one. */
function sameVersions(bundles: readonly Fields[]): readonly string[] {
  return bundles.flatMap((bundle, index) => {
    const [version] = versionsOf(bundle);
    const isSame = (other: Fields): boolean =>
      textAt(other, 'package') === textAt(bundle, 'package') &&
      textAt(other, 'name') !== textAt(bundle, 'name') &&
      versionsOf(other)[0] === version;
    const first = version === undefined ? undefined : bundles.slice(0, index).find(isSame);
    return first === undefined
      ? []
      : [`bundle ${textAt(bundle, 'name')}: has the version ${version}, as ${textAt(first, 'name')} has; give each its own`];
  });
}

/** Versions that properties of a bundle name. */
function versionsOf(bundle: Fields): readonly string[] {
  return listAt(bundle, 'properties')
    .filter((property) => textAt(property, 'type') === PACKAGE)
    .map((property) => textAt(property, 'value', 'version'));
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

export function entriesOf(channel: Fields): readonly Fields[] {
  return listAt(channel, 'entries');
}

export function skipsOf(entry: Fields): readonly string[] {
  const { skips } = entry;
  return Array.isArray(skips) ? skips.map(String) : [];
}

/** @throws PackageError if the text is not YAML */
export function documentsOf(text: string): readonly Fields[] {
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
