import { createJsonPatch, equalJson, type Json, type JsonPatchOperation } from '@keelson/kubernetes/apimachinery';
import { JsonPatch } from 'cdk8s';
import { PackageError } from '../errors.js';
import { objectFileName } from '../object-file-name.js';
import type { PackageFile } from '../package-file.js';
import { yamlText } from '../yaml-text.js';
import { identityKey, type ManifestFields, selectorOf } from './identity.js';
import { kustomizationText } from './kustomization-text.js';

export type Objects = ReadonlyMap<string, Json>;

/**
 * The files of an overlay: what turns the base's objects into those of other values.
 *
 * Objects that are gone are deleted, new ones are resources, changed ones are patched with JSON Patch: a strategic merge patch can neither reorder a list nor
 * take an item out of a list without keys.
 */
export function overlayFiles(name: string, base: Objects, objects: Objects): readonly PackageFile[] {
  const before = new Map([...base].map(([key, object]) => [identityKey(object), { key, object }]));
  const after = new Map([...objects].map(([key, object]) => [identityKey(object), { key, object }]));
  const files: PackageFile[] = [];
  const add = (path: string, text: string): string => {
    if (files.some((file) => file.path === path)) {
      throw new PackageError(`overlays.${name}: two objects would be written to ${path}; give their constructs other ids`);
    }
    files.push({ path, text });
    return path;
  };
  const patches = [...before].flatMap(([identity, { key, object }]) => {
    const changed = after.get(identity)?.object;
    const path = `patches/${objectFileName(key)}.yaml`;
    if (changed === undefined) return [{ path: add(path, yamlText(deletionOf(object))) }];
    if (equalJson(changed, object)) return [];
    return [{ path: add(path, yamlText(patchOf(object, changed))), target: selectorOf(object) }];
  });
  const added = [...after].filter(([identity]) => !before.has(identity));
  const resources = added.map(([, { key, object }]) => add(`${objectFileName(key)}.yaml`, yamlText(object)));
  return [{ path: 'kustomization.yaml', text: kustomizationText({ resources: ['../../base', ...resources], patches }) }, ...files];
}

function deletionOf(object: Json): object {
  const { apiVersion, kind, metadata } = object as unknown as ManifestFields;
  const { name, namespace } = metadata;
  return { $patch: 'delete', apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

function patchOf(object: Json, changed: Json): readonly object[] {
  const patch = createJsonPatch(object, changed);
  // cdk8s applies it in place.
  if (equalJson(JsonPatch.apply(structuredClone(object), ...patch.map(operationOf)) as Json, changed)) return patch;
  throw new TypeError(`the patch of ${identityKey(object)} does not make what it was made for: this is a bug of keelson`);
}

function operationOf(operation: JsonPatchOperation): JsonPatch {
  return operation.op === 'remove' ? JsonPatch.remove(operation.path) : JsonPatch[operation.op](operation.path, operation.value);
}
