import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object as it stands in a file: nothing is known about it but what every object has. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export interface ManifestFile {
  /** Relative to the output folder. */
  readonly name: string;
  readonly bytes: number;
  readonly objects: readonly ManifestObject[];
}

/** Reads what a synthesis has written, so that a report shows what is there and not what was meant. */
export function readManifests(folder: string): ManifestFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, bytes: Buffer.byteLength(text), objects: parseObjects(name, text) };
    });
}

function parseObjects(name: string, text: string): ManifestObject[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${name}: ${error.message}`);
    const object: unknown = document.toJS();
    if (!isManifestObject(object)) throw new Error(`${name}: a document is not a Kubernetes object: it lacks apiVersion, kind or metadata`);
    return object;
  });
}

function isManifestObject(value: unknown): value is ManifestObject {
  if (typeof value !== 'object' || value === null) return false;
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata === 'object' && metadata !== null;
}
