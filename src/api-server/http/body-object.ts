import { groupVersionOf, type Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type PatchFormat, type Served } from '../contract/index.js';
import { badRequest, unsupportedMediaType } from '../status/index.js';
import { BodyProblem, GoDecodeError, type ParsedBody, parseJson, parseYaml, readTypeMeta } from '../values/index.js';

/** Reads bodies of `application/vnd.kubernetes.protobuf`. */
export interface ProtobufDecoder {
  /**
   * @param fallback the kind of a body that names none
   * @throws GoDecodeError or StatusError
   */
  decode(bytes: Uint8Array, fallback: BodyKind): { readonly value: Json; readonly strictProblems: readonly string[] };
}

export interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export type BodyFormat = 'json' | 'yaml' | 'protobuf';

const FORMATS: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

const SUMMARY_BYTES = 30;
const OPENING_BRACE = 123;

/** An empty Content-Type is JSON. @throws StatusError 415 */
export function bodyFormatOf(contentType: string): BodyFormat {
  const format = contentType === '' ? 'json' : FORMATS[mediaTypeOf(contentType)];
  if (format !== undefined) return format;
  throw unsupportedBody(Object.keys(FORMATS));
}

export function unsupportedBody(accepted: readonly string[]): Error {
  return unsupportedMediaType(`the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`);
}

/** `''` for what Go's `mime.ParseMediaType` refuses: a parameter without a value. */
function mediaTypeOf(contentType: string): string {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  const areGood = parameters.every((parameter, index) =>
    parameter === '' ? index === parameters.length - 1 : /^[^\s=]+=.+$/.test(parameter),
  );
  return areGood ? type.toLowerCase() : '';
}

export interface BodyReader {
  readonly protobuf?: ProtobufDecoder;
}

/** The expected kind of a body. */
export interface Expected extends BodyKind {
  /** A body must name its kind: nothing is assumed of custom resources. */
  readonly isCustom: boolean;
}

/**
 * Reads the object of a create or an update: the bytes and what they say of their kind. Whether the object fits is the registry's to say.
 *
 * @throws StatusError 400 in the server's words
 */
export function readObject(
  bytes: Buffer,
  format: BodyFormat,
  { expected, reader }: { expected: Expected; reader: BodyReader },
): ParsedBody {
  try {
    const body = parseBody(bytes, format, { kind: expected, reader });
    const { kind } = readTypeMeta(body.value);
    if (kind === '' && expected.isCustom) throw new BodyProblem(`Object 'Kind' is missing in '${bytes.toString('utf8')}'`);
    return body;
  } catch (error) {
    throw refusal(error, bytes, expected);
  }
}

/** JSON, YAML or protobuf. @throws BodyProblem, GoDecodeError */
function parseBody(bytes: Buffer, format: BodyFormat, { kind, reader }: { kind: BodyKind; reader: BodyReader }): ParsedBody {
  switch (format) {
    case 'json':
      return parseJson(bytes);
    case 'yaml':
      return parseYamlOrJson(bytes);
    case 'protobuf': {
      if (reader.protobuf === undefined) throw unsupportedBody(Object.keys(FORMATS).slice(0, 2));
      return reader.protobuf.decode(bytes, kind);
    }
  }
}

/** Clients send JSON as YAML (`kubectl apply --server-side`); a text that JSON reads without a problem means the same in YAML, and is read much sooner. */
function parseYamlOrJson(bytes: Buffer): ParsedBody {
  if (bytes[0] !== OPENING_BRACE) return parseYaml(bytes);
  try {
    const body = parseJson(bytes);
    if (body.strictProblems.length === 0) return body;
  } catch (error) {
    if (!BodyProblem.isBodyProblem(error)) throw error;
  }
  return parseYaml(bytes);
}

function refusal(error: unknown, bytes: Buffer, { kind, isCustom }: Expected): unknown {
  if (!BodyProblem.isBodyProblem(error) && !GoDecodeError.isGoDecodeError(error)) return error;
  const { message } = error as Error;
  const given = BodyProblem.isBodyProblem(error) && error.kind === 'value' ? givenKind(bytes) : undefined;
  if (given !== undefined && (given.kind !== '' || !isCustom))
    return badRequest(`${given.kind || kind} in version ${JSON.stringify(given.version)} cannot be handled as a ${kind}: ${message}`);
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${syntaxText(error, message)} (${summary(bytes)})`);
}

/** JSON that cannot be read fails where the server looks for the kind. */
function syntaxText(error: unknown, message: string): string {
  const isJsonSyntax = BodyProblem.isBodyProblem(error) && /^(?:invalid character|unexpected end of JSON)/.test(message);
  return isJsonSyntax ? `couldn't get version/kind; json parse error: ${message}` : message;
}

/** For a well-formed text whose values cannot be kept. */
function givenKind(bytes: Buffer): { readonly kind: string; readonly version: string } | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const { kind, apiVersion } = readTypeMeta(value);
    return { kind, version: groupVersionOf(apiVersion).version };
  } catch {
    // A YAML text, or a kind that is not a string: nothing is known of it, and the message does without.
    return undefined;
  }
}

function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const text = bytes.subarray(0, SUMMARY_BYTES).toString(bytes[0] === OPENING_BRACE ? 'utf8' : 'hex');
  return bytes.length > SUMMARY_BYTES ? `${text} ...` : text;
}

/** A DeleteOptions body. @throws StatusError 400 */
export function readOptions(bytes: Buffer, format: BodyFormat, reader: BodyReader): Json {
  try {
    const { value } = parseBody(bytes, format, { kind: { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' }, reader });
    readTypeMeta(value);
    return value;
  } catch (error) {
    if (BodyProblem.isBodyProblem(error)) throw badRequest(syntaxText(error, error.message));
    if (GoDecodeError.isGoDecodeError(error)) throw badRequest(error.message);
    throw error;
  }
}

const YAML_CONVERSION = 'error converting YAML to JSON: ';

/** A patch. @throws StatusError 400 */
export function readPatch(bytes: Buffer, format: PatchFormat): ParsedBody {
  try {
    if (format !== 'apply') return parseJson(bytes);
    const { value, strictProblems } = parseYamlOrJson(bytes);
    if (!isObject(value) && value !== null) throw new BodyProblem(`error unmarshaling JSON: ${notAnObject(value)}`, { kind: 'value' });
    return { value, strictProblems: strictProblems.map((problem) => `${YAML_CONVERSION}${problem}`) };
  } catch (error) {
    if (!BodyProblem.isBodyProblem(error)) throw error;
    if (error.kind !== 'syntax') throw badRequest(`error decoding patch: ${error.message}`);
    // The words of a syntax error are ours: what a client may depend on is that it gets a 400, before the server looks for the object.
    throw badRequest(format === 'apply' ? `error encoding patch: ${error.message}` : 'invalid JSON patch');
  }
}

function notAnObject(value: Json): string {
  const found = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : typeof value;
  return `while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
}

/** The expected kind of a resource's body; a subresource may have a kind of its own. */
export function expectedKind(
  { resource, version }: Served,
  subresource?: { readonly group?: string; readonly version?: string; readonly kind: string },
): Expected {
  return {
    group: subresource?.group ?? resource.group,
    version: subresource?.version ?? version.version,
    kind: subresource?.kind ?? resource.kind,
    isCustom: resource.isCustom,
  };
}
