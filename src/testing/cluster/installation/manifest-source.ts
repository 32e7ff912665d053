import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from '../../../kubernetes/index.js';
import { TestClusterError } from '../errors.js';

/** The objects of what was given: an object itself, a YAML text, the path of a YAML file or of a folder of them. @throws TestClusterError */
export function objectsOf(source: KubernetesObject | string): readonly KubernetesObject[] {
  if (typeof source !== 'string') return itemsOf(source, 'an object of manifests');
  // A path has one line and names a file; every manifest has more than one line, or is JSON.
  return /[\n{]/.test(source) ? parsed(source, 'a YAML text of manifests') : filesOf(source).flatMap((file) => parsed(read(file), file));
}

const MANIFEST_FILE = /\.(ya?ml|json)$/;

function filesOf(path: string): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
  } catch (error) {
    throw new TestClusterError(`manifests: ${path}: there is no such file or folder`, { cause: error });
  }
  const files = readdirSync(path).filter((name) => MANIFEST_FILE.test(name));
  if (files.length === 0) throw new TestClusterError(`manifests: ${path}: the folder holds no .yaml, .yml or .json`);
  return files.sort().map((name) => join(path, name));
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TestClusterError(`manifests: ${file}: cannot be read`, { cause: error });
  }
}

function parsed(text: string, where: string): readonly KubernetesObject[] {
  const documents = parseAllDocuments(text);
  if ('empty' in documents) return [];
  return documents.flatMap((document, index) => {
    const place = documents.length === 1 ? where : `${where}, document ${index + 1}`;
    const [problem] = document.errors;
    if (problem !== undefined) throw new TestClusterError(`manifests: ${place}: ${problem.message}`);
    return itemsOf(document.toJS(), place);
  });
}

/** A List is what it lists; an empty document is nothing. */
function itemsOf(value: unknown, place: string): readonly KubernetesObject[] {
  if (value === null || value === undefined) return [];
  const { apiVersion, kind, metadata, items } = value as Partial<KubernetesObject> & { readonly items?: unknown };
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item) => itemsOf(item, place));
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof metadata !== 'object')
    throw new TestClusterError(`manifests: ${place}: is no Kubernetes object: it needs apiVersion, kind and metadata`);
  return [value as KubernetesObject];
}
