import type { Json } from '@keelson/kubernetes/apimachinery';
import { BodyProblem } from './body-problem.js';
import { scanJson } from './json-scan.js';
import { jsonSyntaxError, MAX_DEPTH } from './json-syntax.js';
import { duplicateFields } from './json-walk.js';
import type { ParsedBody } from './parsed-body.js';

/** Go reads 10,000 levels. Code that walks an object calls itself for each level, and a process whose stack is full may end for good. */
const MAX_KEPT_DEPTH = 1000;

/**
 * Reads JSON as the API server does: names are case-sensitive, fields given twice are reported. Deeper than {@link MAX_KEPT_DEPTH} is refused.
 *
 * `JSON.parse` does the work. One pass over the text counts its fields: only if the value has fewer, or a number may be too large, the text is walked exactly.
 * @throws BodyProblem with Go's words.
 */
export function parseJson(bytes: Uint8Array): ParsedBody {
  // Buffer's decoder keeps a byte order mark, which Go refuses too.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = parsed(text, bytes);
  const { fields, depth, hasLargeNumber } = scanJson(text);
  if (depth > MAX_DEPTH) throw new BodyProblem(jsonSyntaxError(bytes) ?? 'exceeded max depth');
  if (depth > MAX_KEPT_DEPTH) {
    const found = `the object is nested ${depth} levels deep; keelson's in-process API server keeps ${MAX_KEPT_DEPTH} at most`;
    throw new BodyProblem(found, { kind: 'value' });
  }
  const strictProblems = hasLargeNumber || fields !== countFields(value) ? duplicateFields(text) : [];
  return { value, strictProblems };
}

function parsed(text: string, bytes: Uint8Array): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BodyProblem(jsonSyntaxError(bytes) ?? error.message);
  }
}

/** Not recursive: the value may be nested 10,000 deep. */
function countFields(root: Json): number {
  let count = 0;
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) if (typeof item === 'object' && item !== null) open.push(item);
      continue;
    }
    const object = value as { readonly [name: string]: Json };
    for (const name in object) {
      count += 1;
      const field = object[name];
      if (typeof field === 'object' && field !== null) open.push(field);
    }
  }
  return count;
}
