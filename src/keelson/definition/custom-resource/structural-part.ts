import { isRecord, type Json, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import { mapOf } from '../option-shape.js';

/** A schema, and what keeps a part from being merged into it. Paths begin with a dot, or are empty. */
export interface Merged {
  readonly schema: StructuralSchema;
  readonly problems: readonly Problem[];
}

type Node = Readonly<Record<string, unknown>>;

/** Fields of every object: the definition says nothing of them, so all that is below them may be added. */
const OBJECT_FIELDS: readonly string[] = ['apiVersion', 'kind', 'metadata'];
/** Keywords with several entries, of which a part adds its own. */
const LISTS: readonly string[] = ['required', 'x-kubernetes-validations', 'allOf'];

/** Adds the keywords of `structural`, word for word, to the schema that the other options make. A keyword that is there already is a problem: one of the two would be lost. */
export function mergeStructural(schema: StructuralSchema, structural: StructuralSchema | undefined): Merged {
  if (structural === undefined) return { schema, problems: [] };
  const problems: Problem[] = [];
  const merged = mergedNode(schema as Node, structural as Node, { path: '', isOpen: false, problems });
  return { schema: merged as StructuralSchema, problems };
}

interface Place {
  readonly path: string;
  /** Whether fields may be added. */
  readonly isOpen: boolean;
  readonly problems: Problem[];
}

function mergedNode(node: Node, part: Node, place: Place): Node {
  const merged: Record<string, unknown> = { ...node };
  for (const [keyword, value] of Object.entries(part)) {
    const own = node[keyword];
    if (keyword === 'properties') merged[keyword] = mergedProperties(own, value, place);
    else if (own === undefined) merged[keyword] = value;
    else if (LISTS.includes(keyword) && Array.isArray(own) && Array.isArray(value)) merged[keyword] = joined(own, value);
    else if (JSON.stringify(own) !== JSON.stringify(value))
      place.problems.push({
        path: `${place.path}.${keyword}`,
        message: `is said by the definition already (${shortened(own)}); change it there, or leave it out here`,
      });
  }
  return merged;
}

/** Names of `required` in order, as those of the definition are; each once. */
function joined(own: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const all = [...own, ...added];
  return all.every((each) => typeof each === 'string') ? [...new Set(all)].sort() : all;
}

function mergedProperties(own: unknown, part: unknown, { path, isOpen, problems }: Place): unknown {
  const wrong = mapOf(() => [])(part, `${path}.properties`);
  problems.push(...wrong);
  if (wrong.length > 0 || !isRecord(part)) return own;
  const merged: Record<string, unknown> = { ...(isRecord(own) ? own : {}) };
  for (const [name, value] of Object.entries(part)) {
    const at = `${path}.properties.${name}`;
    const field = merged[name];
    if (isRecord(field) && isRecord(value))
      merged[name] = mergedNode(field, value, { path: at, isOpen: isOpen || (path === '' && OBJECT_FIELDS.includes(name)), problems });
    else if (isOpen && isRecord(value)) merged[name] = value;
    else if (isRecord(value))
      problems.push({ path: at, message: 'is not a field of the definition; declare it in spec, status or fields' });
    else problems.push({ path: at, message: 'is not a schema; write an object such as { maxLength: 40 }' });
  }
  return merged;
}

function shortened(value: unknown): string {
  const said = JSON.stringify(value as Json);
  return said.length > 40 ? `${said.slice(0, 40)}…` : said;
}
