import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BodyProblem, parseYaml, yamlDocuments } from '@keelson/api-server/internal/values';
import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { TestClusterError } from '../errors.js';

/** An object, and where it was found: for messages. */
export interface Manifest {
  readonly object: KubernetesObject;
  /** `manifests[0]`, `deploy/roles.yaml, document 2`. */
  readonly place: string;
}

/**
 * The objects of the option `manifests`: objects themselves, YAML texts, paths of YAML files and of folders of them. YAML is read as kubectl reads it.
 *
 * @throws TestClusterError naming the file or index, the document and the line
 */
export function manifestsOf(sources: readonly (KubernetesObject | string)[]): readonly Manifest[] {
  return sources.flatMap((source, index) => {
    const place = `manifests[${index}]`;
    if (typeof source !== 'string') return itemsOf(source, place);
    // A path has one line and names a file; every manifest has more than one line, or is JSON.
    if (/[\n{]/.test(source)) return parsed(source, place);
    return filesOf(source).flatMap((file) => parsed(read(file), file));
  });
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
    throw new TestClusterError(`${file}: cannot be read`, { cause: error });
  }
}

function parsed(text: string, where: string): readonly Manifest[] {
  const documents = yamlDocuments(text);
  return documents.flatMap((document, index) => {
    const place = documents.length === 1 ? where : `${where}, document ${index + 1} (line ${document.firstLine})`;
    return itemsOf(valueIn(document.text, place), place);
  });
}

function valueIn(text: string, place: string): unknown {
  try {
    const { value, strictProblems } = parseYaml(Buffer.from(text));
    const [problem] = strictProblems;
    if (problem !== undefined) throw new TestClusterError(`${place}: ${problem}`);
    return value;
  } catch (error) {
    if (!BodyProblem.isBodyProblem(error)) throw error;
    throw new TestClusterError(`${place}: is not valid YAML: ${error.message}${templateHint(text)}`, { cause: error });
  }
}

function templateHint(text: string): string {
  return text.includes('{{') ? '; it looks like a Helm template: render it first, for example with `helm template`' : '';
}

/** A List is what it lists; an empty document is nothing. */
function itemsOf(value: unknown, place: string): readonly Manifest[] {
  if (value === null || value === undefined) return [];
  const { apiVersion, kind, metadata, items } = value as Readonly<Record<string, unknown>>;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.flatMap((item, index) => itemsOf(item, `${place}, items[${index}]`));
  const lacking = [
    ...(typeof apiVersion === 'string' && apiVersion !== '' ? [] : ['apiVersion']),
    ...(typeof kind === 'string' && kind !== '' ? [] : ['kind']),
    ...(typeof metadata === 'object' && metadata !== null ? [] : ['metadata']),
  ];
  if (lacking.length > 0) throw new TestClusterError(`${place}: is not a Kubernetes object: it has no ${lacking.join(' and no ')}`);
  return [{ object: value as KubernetesObject, place }];
}
