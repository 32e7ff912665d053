import { PackageError } from '../errors.js';
import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';
import { bundleContents, type Fields, fieldsAt, listAt, textAt } from './bundle-contents.js';
import { BUNDLE, CHANNEL, catalogProblems, documentsOf, entriesOf, PACKAGE, skipsOf } from './catalog-problems.js';
import { compareSemanticVersions, semanticVersionOf } from './semantic-version.js';

export interface CatalogOptions {
  /** Image of the bundle, as the catalog's users pull it; best with a digest. */
  readonly image: string;
  /** The catalog so far, in YAML. @default - none: the bundle is the first of its package */
  readonly previous?: string | undefined;
}

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
  const { displayName, description, maturity, minKubeVersion, provider, installModes } = spec;
  const lists = ['keywords', 'links', 'maintainers'].filter((name) => Array.isArray(spec[name]) && spec[name].length > 0);
  const annotations = fieldsAt(csv, 'metadata', 'annotations');
  // Consoles show this, with the kinds, before they pull the bundle.
  const metadata = {
    annotations,
    apiServiceDefinitions: fieldsAt(spec, 'apiservicedefinitions'),
    crdDescriptions: fieldsAt(spec, 'customresourcedefinitions'),
    displayName,
    description,
    installModes,
    ...Object.fromEntries(lists.map((name) => [name, spec[name]])),
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
