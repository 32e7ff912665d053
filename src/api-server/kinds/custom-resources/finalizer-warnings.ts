import { goQuote, qualifiedNameProblems } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../../contract/index.js';

const STANDARD = ['orphan', 'foregroundDeletion', 'kubernetes'];

/** Advice on names of finalizers that a write adds. Source: apiextensions-apiserver, `pkg/registry/customresource/{strategy,validator}.go`. */
export function finalizerWarnings(object: JsonObject, old?: JsonObject): readonly string[] {
  const before = old === undefined ? [] : finalizersOf(old);
  const added = [...new Set(finalizersOf(object))].filter((finalizer) => !before.includes(finalizer)).sort();
  return added.flatMap((finalizer) =>
    [...problemsOf(finalizer), ...adviceFor(finalizer)].map((text) => `metadata.finalizers: ${goQuote(finalizer)}: ${text}`),
  );
}

function finalizersOf({ metadata }: JsonObject): readonly string[] {
  const finalizers = isObject(metadata) ? metadata['finalizers'] : undefined;
  return Array.isArray(finalizers) ? (finalizers as readonly string[]) : [];
}

function problemsOf(finalizer: string): readonly string[] {
  return qualifiedNameProblems(finalizer);
}

function adviceFor(finalizer: string): readonly string[] {
  if (finalizer.includes('/') || STANDARD.includes(finalizer)) return [];
  const path = finalizer.includes('.') ? ' including a path (/)' : '';
  return [`prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
}
