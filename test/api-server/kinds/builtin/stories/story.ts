import { groupVersionPath, type Json } from '../../../../../src/kubernetes/apimachinery/index.js';

export type Fields = { readonly [field: string]: Json };

/** A kind as paths and bodies name it. */
export interface KindOfStory {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** One request, to be sent to our registry and to a real server. */
export interface Ask {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: Json;
}

export interface Story {
  readonly title: string;
  readonly asks: readonly Ask[];
}

/** Where the stories' objects live. */
export const NAMESPACE = 'stories';

export type Step =
  /** The whole object, written anew (its name and kind are filled in). */
  | { readonly put: Fields; readonly of?: string }
  /** A merge patch. */
  | { readonly patch: Json; readonly of?: string }
  | { readonly delete: Fields }
  | { readonly get: string }
  | { readonly post: Fields };

export function namespaced(apiVersion: string, kind: string, plural: string): KindOfStory {
  return { apiVersion, kind, plural, isNamespaced: true };
}

export function clusterWide(apiVersion: string, kind: string, plural: string): KindOfStory {
  return { apiVersion, kind, plural, isNamespaced: false };
}

/** What happens to one object: it is created, then the steps. */
export function story(kind: KindOfStory, title: string, object: Fields, ...steps: readonly Step[]): Story {
  const name = nameOf(kind, title, object);
  return {
    title: `${kind.kind} ${title}`,
    asks: [{ method: 'POST', path: pathOf(kind), body: bodyOf(kind, name, object) }, ...steps.map((step) => askOf(kind, name, step))],
  };
}

function nameOf({ kind }: KindOfStory, title: string, { metadata }: Fields): string {
  const { name } = (metadata ?? {}) as { name?: string };
  return (
    name ??
    `${kind} ${title}`
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
  );
}

function bodyOf({ apiVersion, kind }: KindOfStory, name: string, { metadata, ...rest }: Fields): Json {
  const { generateName } = (metadata ?? {}) as { generateName?: string };
  return { apiVersion, kind, metadata: { ...(generateName === undefined ? { name } : {}), ...(metadata as object) }, ...rest };
}

function askOf(kind: KindOfStory, name: string, step: Step): Ask {
  const path = `${pathOf(kind)}/${name}`;
  const at = 'of' in step && step.of !== undefined ? `${path}/${step.of}` : path;
  if ('put' in step) return { method: 'PUT', path: at, body: bodyOf(kind, name, step.put) };
  if ('patch' in step) return { method: 'PATCH', path: at, body: step.patch };
  if ('delete' in step) return { method: 'DELETE', path, body: step.delete };
  if ('post' in step) return { method: 'POST', path: pathOf(kind), body: bodyOf(kind, name, step.post) };
  return { method: 'GET', path: step.get === '' ? path : `${path}/${step.get}` };
}

function pathOf({ apiVersion, plural, isNamespaced }: KindOfStory): string {
  return `${groupVersionPath(apiVersion)}${isNamespaced ? `/namespaces/${NAMESPACE}` : ''}/${plural}`;
}
