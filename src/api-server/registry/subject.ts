import { apiVersionOf, goQuote, groupVersionOf, type Json, OperatorError } from '@keelson/kubernetes/apimachinery';
import { type Decoded, type Draft, isObject, type JsonObject, servedGroupVersion, type Target } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import type { Endpoint, GoTypes, PatchType } from '../values/index.js';
import { draftMetadata } from './metadata.js';

/** The bodies of an endpoint: objects of the resource (at its status too), or their Scales. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  decode(body: Json): Decoded;
  /** See `Strategy.unstructuredProblem`. */
  unstructuredProblem?(result: Json): string | undefined;
  setDefaults(draft: Draft): void;
  /** The zero value, with its type. */
  readonly empty: JsonObject;
  readonly endpoint: Endpoint;
  /** Undefined: no strategic merge patch. */
  readonly patchType?: PatchType | undefined;
  /** @throws StatusError 400 when a body is of another type */
  checkType(body: Json): void;
}

/**
 * Reads a body as an object of the built-in kind that it names itself. False: there is no such kind.
 * @throws GoDecodeError when it is not an object of it
 */
export type DecodesOther = (kind: { readonly group: string; readonly version: string; readonly kind: string }, body: Json) => boolean;

/** Reads what is of a built-in kind by the table of its Go types. */
export function decoderOfOthers(typesOf: () => GoTypes): DecodesOther {
  return (kind, body) => {
    const types = typesOf();
    const struct = types.typeOf(kind);
    if (struct !== undefined) types.decodeJson(struct, body);
    return struct !== undefined;
  };
}

/** The object itself, at its own endpoint or its status. */
export function objectSubject({ served, subresource }: Target, decodesOther: DecodesOther): Subject {
  const { resource, version } = served;
  const { strategy } = version;
  const type = { kind: resource.kind, apiVersion: apiVersionOf(servedGroupVersion(served)) };
  return {
    ...type,
    decode: (body) => (resource.isCustom ? strategy.decode(body) : keptReset(strategy.decode(body), body)),
    ...(strategy.unstructuredProblem && { unstructuredProblem: (result: Json) => strategy.unstructuredProblem?.(result) }),
    setDefaults: (draft) => strategy.setDefaults(draft),
    get empty() {
      return strategy.empty['kind'] === undefined ? { ...type, ...strategy.empty } : strategy.empty;
    },
    get endpoint() {
      return version.endpoint(subresource);
    },
    get patchType() {
      return version.patchType;
    },
    // The kind of a custom resource is a matter of its validation.
    checkType: (body) => (resource.isCustom ? checkApiVersion(type, typeOf(body, type)) : checkType(type, body, decodesOther)),
  };
}

/** A client that sends an empty list wants the managed fields to begin anew: for Go it differs from a missing one. */
function keptReset(decoded: Decoded, body: Json): Decoded {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  const entries = isObject(metadata) ? metadata['managedFields'] : undefined;
  if (Array.isArray(entries) && entries.length === 0) draftMetadata(decoded.draft).managedFields = [];
  return decoded;
}

interface Type {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The kind that a body names; missing parts are those that the endpoint expects. */
export function typeOf(body: Json, expected: Type): Type {
  const textOf = (field: 'apiVersion' | 'kind'): string => {
    const value = isObject(body) ? body[field] : undefined;
    return typeof value === 'string' && value !== '' ? value : expected[field];
  };
  return { apiVersion: textOf('apiVersion'), kind: textOf('kind') };
}

/** @throws StatusError 400 when the body is of a type that the server cannot make the expected one of. Source: apimachinery `pkg/runtime/codec.go` */
export function checkType(expected: Type, body: Json, decodesOther: DecodesOther): void {
  const given = typeOf(body, expected);
  if (given.kind === expected.kind && given.apiVersion === expected.apiVersion) return;
  const { group, version } = groupVersionOf(given.apiVersion);
  const { group: expectedGroup } = groupVersionOf(expected.apiVersion);
  const refuse = (cause: string): never => {
    throw badRequest(`${given.kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${cause}`);
  };
  try {
    if (!decodesOther({ group, version, kind: given.kind }, body)) {
      refuse(
        `no kind ${goQuote(given.kind)} is registered for version ${goQuote(given.apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
      );
    }
  } catch (error) {
    if (!OperatorError.isOperatorError(error) || error.code !== 'KEELSON_GO_DECODE') throw error;
    refuse(error.message);
  }
  if (given.kind !== expected.kind || group !== expectedGroup) {
    refuse(`converting (${version}.${given.kind}) to (${goPackage(expectedGroup)}.${expected.kind}): unknown conversion`);
  }
  checkApiVersion(expected, given);
}

function checkApiVersion({ apiVersion }: Type, given: Type): void {
  if (given.apiVersion === apiVersion) return;
  throw badRequest(`the API version in the data (${given.apiVersion}) does not match the expected API version (${apiVersion})`);
}

/** For the server's own form of a group's kinds. */
function goPackage(group: string): string {
  if (group === 'internal.apiserver.k8s.io') return 'apiserverinternal';
  return group === '' ? 'core' : (group.split('.')[0] ?? group);
}
