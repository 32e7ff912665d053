import { groupVersionOf, isRecord, type Json } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import type { PackageModel } from '../package/index.js';
import { fieldsAt, listAt, textAt } from './bundle-contents.js';
import type { InstalledObjects } from './installed-objects.js';
import { ownedDefinitions } from './kind-presentations.js';
import type { InstallMode, OlmBundleOptions } from './olm-bundle-options.js';
import { webhookDefinitions } from './webhook-definitions.js';

const MODES: readonly InstallMode[] = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

/** `<package>.v<version>`, the name of the bundle in catalogs. */
export function bundleName({ name, version }: Pick<PackageModel, 'name' | 'version'>): string {
  return `${name}.v${version}`;
}

/** The ClusterServiceVersion: what OLM installs, and what consoles show of it. */
export function clusterServiceVersion(model: PackageModel, options: OlmBundleOptions, installed: InstalledObjects): object {
  const { installModes = ['AllNamespaces'], replaces, skips = [], maturity = 'alpha', requires = [] } = options;
  const { description = model.description ?? '', icon, minKubeVersion, displayName, provider } = options;
  const webhooks = webhookDefinitions(installed);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: bundleName(model), annotations: annotationsOf(model, options, installed) },
    spec: {
      displayName,
      ...(description === '' ? {} : { description }),
      version: model.version,
      ...(replaces === undefined ? {} : { replaces }),
      ...(skips.length === 0 ? {} : { skips }),
      minKubeVersion,
      maturity,
      keywords: model.keywords ?? [],
      maintainers:
        options.maintainers ??
        (model.maintainers ?? []).filter(({ email }) => email !== undefined).map(({ name, email }) => ({ name, email })),
      provider,
      links: options.links ?? linksOf(model),
      // An empty list is worse than none: OLM's validators take the first of it.
      ...(icon === undefined ? {} : { icon: [icon] }),
      installModes: MODES.map((type) => ({ type, supported: installModes.includes(type) })),
      install: installOf(installed),
      customresourcedefinitions: {
        owned: ownedDefinitions(installed.crds, options.kinds ?? {}, model.operator),
        ...(requires.length === 0 ? {} : { required: requires }),
      },
      ...(webhooks.length === 0 ? {} : { webhookdefinitions: webhooks }),
      relatedImages: relatedImages(model, options, installed),
    },
  };
}

function annotationsOf(
  model: PackageModel,
  options: OlmBundleOptions,
  { deployments }: InstalledObjects,
): Readonly<Record<string, string>> {
  const { samples = [], capabilities = 'Basic Install', categories, provider, skipRange } = options;
  for (const sample of samples) checkSample(model, sample);
  const repository = model.sources?.[0];
  return {
    'alm-examples': JSON.stringify(samples, undefined, 2),
    capabilities,
    categories: categories.join(', '),
    containerImage: imagesOf(deployments)[0] ?? '',
    ...(model.description === undefined ? {} : { description: model.description }),
    ...(repository === undefined ? {} : { repository }),
    support: provider.name,
    ...(skipRange === undefined ? {} : { 'olm.skipRange': skipRange }),
    ...options.annotations,
  };
}

/** @throws PackageError for a sample that the API server would refuse */
function checkSample({ operator }: PackageModel, sample: object): void {
  const [apiVersion, kind] = [textAt(sample, 'apiVersion'), textAt(sample, 'kind')];
  const { group, version: name } = groupVersionOf(apiVersion);
  const definition = operator?.customResources.find((known) => known.kind === kind && known.group === group);
  const version = definition?.versionList.find((known) => known.name === name);
  const [problem] = version?.problemsOf?.(sample as Json) ?? [];
  if (problem !== undefined) throw new PackageError(`samples: ${kind} ${textAt(sample, 'metadata', 'name')}: ${problem}`);
}

function installOf({ deployments, clusterRules, rules, serviceAccountName }: InstalledObjects): object {
  return {
    strategy: 'deployment',
    spec: {
      deployments: deployments.map((deployment) => ({
        name: textAt(deployment, 'metadata', 'name'),
        label: fieldsAt(deployment, 'metadata', 'labels'),
        spec: fieldsAt(deployment, 'spec'),
      })),
      ...(clusterRules.length === 0 ? {} : { clusterPermissions: [{ serviceAccountName, rules: clusterRules }] }),
      ...(rules.length === 0 ? {} : { permissions: [{ serviceAccountName, rules }] }),
    },
  };
}

function linksOf({ home, sources = [] }: PackageModel): readonly object[] {
  return [...(home === undefined ? [] : [{ name: 'Home', url: home }]), ...sources.map((url) => ({ name: 'Source', url }))];
}

/** Images that a mirror must have: those of the containers, and those that the author names. */
function relatedImages(
  { name }: PackageModel,
  { relatedImages: given = [] }: OlmBundleOptions,
  { deployments }: InstalledObjects,
): readonly object[] {
  const own = imagesOf(deployments).map((image, index) => ({ name: index === 0 ? name : `${name}-${index + 1}`, image }));
  return [...own, ...given.filter(({ image }) => !own.some((other) => other.image === image))];
}

function imagesOf(deployments: readonly Json[]): readonly string[] {
  const containers = deployments.flatMap((deployment) =>
    ['initContainers', 'containers'].flatMap((list) => listAt(deployment, 'spec', 'template', 'spec', list)),
  );
  return [...new Set(containers.filter(isRecord).map((container) => textAt(container, 'image')))];
}
