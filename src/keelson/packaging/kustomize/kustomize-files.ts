import { messageOf } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import { objectFileName } from '../object-file-name.js';
import { modelOf, type Package, type PackageModel } from '../package/index.js';
import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';
import { kustomizationText } from './kustomization-text.js';
import { mergeSchemaText } from './merge-schema.js';
import { followNamespace } from './namespace-texts.js';
import { type Objects, overlayFiles } from './overlay-files.js';
import { readmeText } from './readme-text.js';

/**
 * The files of a Kustomize base with overlays, in the order of their paths.
 *
 * Guarantees: `kustomize build` of the base writes the plain manifests with the default values, and of an overlay those with its values. Patches of an overlay on
 * top merge lists of custom resources by their keys. The same package gives the same bytes.
 *
 * @example
 * ```ts
 * for (const { path } of kustomizeFiles(memcachedPackage)) console.log(path); // base/kustomization.yaml, base/deployment.yaml, ...
 * ```
 *
 * @throws PackageError if the values of an overlay are refused, or its name cannot be a folder
 */
export function kustomizeFiles(source: Package): readonly PackageFile[] {
  const model = modelOf(source);
  const base = model.plain({});
  const folders = [
    { folder: 'base', name: undefined, values: {} },
    ...Object.entries(model.overlays(model.namespace)).map(([name, values]) => ({ folder: `overlays/${name}`, name, values })),
  ];
  const obstacles = new Map<string, string>();
  const parts = folders.flatMap(({ folder, name, values }) => {
    const objects = name === undefined ? base : overlayObjects(model, name, values);
    const follow = followed(model, name, objects);
    if ('obstacle' in follow) obstacles.set(folder, follow.obstacle);
    const files = [...(name === undefined ? baseFiles(base) : overlayFiles(name, base, objects)), ...transformerFiles(follow)];
    return files.map(({ path, text }) => ({ path: `${folder}/${path}`, text }));
  });
  const files = [
    { path: 'README.md', text: readmeText(model, obstacles) },
    { path: 'kustomization.yaml', text: kustomizationText({ resources: ['base'] }) },
    ...parts,
  ];
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function baseFiles(base: Objects): readonly PackageFile[] {
  const taken = new Map<string, string>();
  const resources = [...base].map(([key, object]) => {
    const path = `${objectFileName(key)}.yaml`;
    const other = taken.get(path);
    if (other !== undefined)
      throw new PackageError(`${key} and ${other} would be written to the same file, base/${path}; give the constructs other ids`);
    taken.set(path, key);
    return { path, text: yamlText(object) };
  });
  return [
    {
      path: 'kustomization.yaml',
      text: kustomizationText({ resources: resources.map(({ path }) => path), openapi: { path: 'openapi.json' } }),
    },
    { path: 'openapi.json', text: mergeSchemaText([...base.values()]) },
    ...resources,
  ];
}

const NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** A namespace that neither a user nor a value has. */
const PROBE = 'x7-keelson-probe-7x';

function overlayObjects(model: PackageModel, name: string, values: object): Objects {
  if (!NAME.test(name))
    throw new PackageError(`overlays.${name}: the name of an overlay is a folder; write lower case letters, digits and dashes`);
  try {
    return model.plain(values);
  } catch (error) {
    throw new PackageError(`overlays.${name}: ${messageOf(error)}`, { cause: error });
  }
}

type Followed = ReturnType<typeof followNamespace>;

function followed(model: PackageModel, name: string | undefined, objects: Objects): Followed {
  const elsewhere = model.plain(name === undefined ? {} : (model.overlays(PROBE)[name] ?? {}), PROBE);
  return followNamespace(model.namespace, [...objects.values()], [...elsewhere.values()]);
}

function transformerFiles(follow: Followed): readonly PackageFile[] {
  if ('obstacle' in follow) return [];
  return [
    { path: 'follow-namespace/kustomization.yaml', text: kustomizationText({ resources: ['transformer.yaml'] }) },
    { path: 'follow-namespace/transformer.yaml', text: follow.text },
  ];
}
