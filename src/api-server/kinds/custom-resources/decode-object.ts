import { apiVersionOf, groupVersionOf, type Json } from '@keelson/kubernetes/apimachinery';
import { type Decoded, draftOf, isObject, type JsonObject } from '../../contract/index.js';
import { badRequest, type StatusError } from '../../status/index.js';
import { GoDecodeError, type GoTypes, readTypeMeta } from '../../values/index.js';
import { coerceMetadata } from './embedded-metadata.js';
import { sorted } from './sorted.js';
import type { VersionSchema } from './version-schema.js';

/** The facts of a definition that decoding needs. */
export interface DecodeParts {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly types: GoTypes;
  /** One for each version of the definition, served or not. */
  readonly schemas: ReadonlyMap<string, VersionSchema>;
}

/**
 * A body as the server takes it over: metadata as Go reads it, fields that the schema does not know dropped and reported.
 *
 * Source: apiextensions-apiserver, `pkg/apiserver/customresource_handler.go` (unstructuredSchemaCoercer).
 * @throws StatusError 400
 */
export function decodeObject(parts: DecodeParts, body: Json): Decoded {
  const given = typeOf(parts, body);
  try {
    const { metadata, ...fields } = body as JsonObject;
    const unknown: string[] = [];
    const coerced = metadata === undefined ? undefined : coerceMetadata(parts.types, metadata, 'metadata');
    const isOwn = given.group === parts.group && given.kind === parts.kind;
    const schema = isOwn ? parts.schemas.get(given.version) : undefined;
    const value = schema === undefined ? fields : schema.coerce(fields, parts.types, { unknown });
    const whole = coerced === undefined ? value : { ...(value as JsonObject), metadata: coerced.metadata };
    return { draft: draftOf(sorted(whole) as JsonObject), strictProblems: [...(coerced?.unknown ?? []), ...unknown] };
  } catch (error) {
    if (!GoDecodeError.isGoDecodeError(error)) throw error;
    throw badRequest(
      `${given.kind} in version ${JSON.stringify(given.version)} cannot be handled as a ${parts.kind}: ${(error as Error).message}`,
    );
  }
}

interface GivenType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** @throws StatusError 400 where the body does not say what it is, or says it wrongly */
function typeOf(parts: DecodeParts, body: Json): GivenType {
  try {
    readTypeMeta(body);
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) throw unrecognized(parts, body, (error as Error).message);
    throw error;
  }
  // Unlike Go types a map has no other spelling of its fields.
  const { apiVersion = '', kind = '' } = isObject(body) ? body : {};
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || kind === '') {
    throw unrecognized(parts, body, `Object 'Kind' is missing in '${JSON.stringify(body)}'`);
  }
  const { group, version } = groupVersionOf(apiVersion);
  if (apiVersion === '') {
    throw badRequest(`the API version in the data () does not match the expected API version (${apiVersionOf(parts)})`);
  }
  return { group, version, kind };
}

/** The bytes that were sent are not known any more: those of the value written anew stand for them. */
function unrecognized({ kind }: DecodeParts, body: Json, text: string): StatusError {
  const bytes = Buffer.from(JSON.stringify(body));
  const encoding = isObject(body) ? 'utf8' : 'hex';
  const shown = `${bytes.subarray(0, SHOWN_BYTES).toString(encoding)}${bytes.length > SHOWN_BYTES ? ' ...' : ''}`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${text} (${shown})`);
}

const SHOWN_BYTES = 30;
