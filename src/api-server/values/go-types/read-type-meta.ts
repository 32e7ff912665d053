import { groupVersionProblem } from '@keelson/kubernetes/apimachinery';
import { DecodeRun } from './decode-run.js';
import { GoDecodeError } from './errors.js';
import { scalarCodec } from './scalar-codecs.js';

/** The `apiVersion` and `kind` of a document; empty where it has none. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

const STRUCT = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const FIELDS = [
  { name: 'apiVersion', slot: { jsonName: 'apiVersion', owner: '' } },
  { name: 'kind', slot: { jsonName: 'kind', owner: '' } },
] as const;

/**
 * Kind and version of a document, read before its type is known, as the server does: with Go's own decoder, which takes `Kind` and `APIVERSION` too.
 *
 * @throws GoDecodeError with the server's text
 */
export function readTypeMeta(document: unknown): TypeMeta {
  const run = new DecodeRun({ isStored: false });
  const text = scalarCodec('string', 'string');
  const meta = { apiVersion: '', kind: '' };
  try {
    run.finish(() => {
      if (document === null) return;
      if (typeof document !== 'object' || Array.isArray(document)) return run.mismatch(document, STRUCT);
      for (const [key, value] of Object.entries(document)) {
        const field = FIELDS.find(({ name }) => name.toLowerCase() === key.toLowerCase());
        if (field === undefined || value === null) continue;
        run.enter(field.slot);
        meta[field.name] = text.decode(value, run) as string;
        run.leave();
      }
    });
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error))
      throw new GoDecodeError(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
    throw error;
  }
  const problem = groupVersionProblem(meta.apiVersion);
  if (problem !== undefined) throw new GoDecodeError(problem);
  return meta;
}
