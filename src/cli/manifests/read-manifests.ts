import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BodyProblem, parseYaml, yamlDocuments } from '@keelson/api-server/internal/values';
import { isRecord, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Terminal } from '../terminal.js';
import { filesAt } from './given-files.js';

/** An object, and where it was found. */
export interface FoundManifest {
  /** `deploy/main.yaml, document 2 (line 14)`. */
  readonly place: string;
  readonly object: KubernetesObject;
  /** Fields that the document has twice, in the words of the API server. */
  readonly strictProblems: readonly string[];
}

/** A path, a text or a document that holds no object. */
export interface UnreadManifest {
  readonly place: string;
  readonly problem: string;
}

export interface ManifestReading {
  readonly found: readonly FoundManifest[];
  readonly unread: readonly UnreadManifest[];
}

/** Reads the objects of files, folders, patterns and `-` for standard input. Every problem is returned: one file hides none of the others. */
export async function readManifests(
  paths: readonly string[],
  { directory, readInput }: Pick<Terminal, 'directory' | 'readInput'>,
): Promise<ManifestReading> {
  const collected: Collecting = { found: [], unread: [] };
  for (const path of paths) {
    if (path === '-') {
      readText(await readInput(), 'standard input', collected);
      continue;
    }
    const given = await filesAt(path, directory);
    if ('problem' in given) collected.unread.push({ place: path, problem: given.problem });
    else for (const file of given.files) await readFileInto(collected, file, directory);
  }
  return collected;
}

export interface Collecting {
  readonly found: FoundManifest[];
  readonly unread: UnreadManifest[];
}

async function readFileInto(collected: Collecting, file: string, directory: string): Promise<void> {
  const text = await readFile(resolve(directory, file), 'utf8').catch((error: unknown) => {
    collected.unread.push({ place: file, problem: `cannot be read: ${messageOf(error)}` });
    return undefined;
  });
  if (text !== undefined) readText(text, file, collected);
}

/** Adds the objects of a text, and what could not be read of it. */
export function readText(text: string, where: string, collected: Collecting): void {
  const documents = yamlDocuments(text);
  if (documents.length === 0) collected.unread.push({ place: where, problem: 'is empty' });
  for (const [index, document] of documents.entries()) {
    const place = documents.length === 1 ? where : `${where}, document ${index + 1} (line ${document.firstLine})`;
    try {
      const { value, strictProblems } = parseYaml(Buffer.from(document.text));
      takeValue({ value, strictProblems }, place, collected);
    } catch (error) {
      if (!BodyProblem.isBodyProblem(error)) throw error;
      collected.unread.push({ place, problem: `is not valid YAML: ${error.message}${templateHint(document.text)}` });
    }
  }
}

function templateHint(text: string): string {
  return text.includes('{{') ? '; it looks like a Helm template: render it first, for example with `helm template`' : '';
}

interface Parsed {
  readonly value: unknown;
  readonly strictProblems: readonly string[];
}

/** A List is what it lists; an empty document is nothing. */
function takeValue({ value, strictProblems }: Parsed, place: string, collected: Collecting): void {
  if (value === null || value === undefined) return;
  if (!isRecord(value)) {
    collected.unread.push({ place, problem: 'is not a Kubernetes object: it has no apiVersion and no kind' });
    return;
  }
  const { kind, items } = value;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    for (const [index, item] of items.entries()) takeValue({ value: item, strictProblems }, `${place}, items[${index}]`, collected);
    return;
  }
  const lacking = ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string' || value[field] === '');
  if (!isRecord(value['metadata'])) lacking.push('metadata');
  if (lacking.length > 0) collected.unread.push({ place, problem: `is not a Kubernetes object: it has no ${lacking.join(' and no ')}` });
  else collected.found.push({ place, object: value as unknown as KubernetesObject, strictProblems });
}
