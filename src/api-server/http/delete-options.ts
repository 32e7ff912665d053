import { type FieldError, goQuote, invalid, type Json, notSupported } from '@keelson/kubernetes/apimachinery';
import { type DeleteOptions, isObject, type JsonObject, type Preconditions } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import { integerParameter, plainParameter, truthParameter } from './query.js';
import { dryRunErrors, invalidOptions } from './write-options.js';

const POLICIES = ['Foreground', 'Background', 'Orphan'] as const;
type Policy = (typeof POLICIES)[number];

export interface DeleteRequestOptions {
  readonly options: DeleteOptions;
  readonly isDryRun: boolean;
  /** Answered with 202 where the object has not gone yet. */
  readonly isOrphaningForbidden: boolean;
}

interface RawDeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly orphanDependents?: boolean | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly preconditions?: Preconditions | undefined;
  readonly dryRun: readonly string[];
}

/** @throws StatusError 400 or 422 */
export function deleteOptionsOfQuery(query: URLSearchParams): DeleteRequestOptions {
  const gracePeriodSeconds = integerParameter(query, 'gracePeriodSeconds');
  const uid = plainParameter(query, 'uid') ?? '';
  const resourceVersion = plainParameter(query, 'resourceVersion') ?? '';
  const preconditions =
    uid === '' && resourceVersion === '' ? undefined : { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  return checked({
    gracePeriodSeconds,
    orphanDependents: truthParameter(query, 'orphanDependents'),
    propagationPolicy: plainParameter(query, 'propagationPolicy'),
    preconditions,
    dryRun: query.getAll('dryRun'),
  });
}

/**
 * DeleteOptions of a body. Unknown fields are left out, as the server does whatever `fieldValidation` says.
 *
 * @throws StatusError 400 for a wrong type or kind, 422 for wrong values
 */
export function deleteOptionsOfBody(body: Json): DeleteRequestOptions {
  const fields: JsonObject = isObject(body) ? body : {};
  checkKind(fields);
  const read = new FieldReader(fields);
  return checked({
    gracePeriodSeconds: read.integer('gracePeriodSeconds'),
    orphanDependents: read.boolean('orphanDependents'),
    propagationPolicy: read.string('propagationPolicy', '', 'v1.DeletionPropagation'),
    preconditions: read.preconditions(),
    dryRun: read.strings('dryRun'),
  });
}

/** DeleteOptions are registered under every group; the kind alone counts. */
function checkKind({ kind, apiVersion }: JsonObject): void {
  if (kind === undefined || kind === null || kind === '' || kind === 'DeleteOptions') return;
  const version = typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'meta.k8s.io/v1';
  throw badRequest(`no kind ${goQuote(String(kind))} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`);
}

class FieldReader {
  readonly #fields: JsonObject;

  constructor(fields: JsonObject) {
    this.#fields = fields;
  }

  integer(name: string): number | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value))) return value;
    throw wrongType(typeof value === 'number' ? `number ${value}` : kindOf(value), `DeleteOptions.${name}`, 'int64');
  }

  boolean(name: string): boolean | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    throw wrongType(kindOf(value), `DeleteOptions.${name}`, 'bool');
  }

  string(name: string, path: string, goType: string): string | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw wrongType(kindOf(value), path === '' ? `DeleteOptions.${name}` : `${path}.${name}`, goType);
  }

  strings(name: string): readonly string[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value)) throw wrongType(kindOf(value as Json), `DeleteOptions.${name}`, '[]string');
    const other = (value as readonly Json[]).find((item) => typeof item !== 'string' && item !== null);
    if (other !== undefined) throw wrongType(kindOf(other), `DeleteOptions.${name}`, 'string');
    return (value as readonly (string | null)[]).map((item) => item ?? '');
  }

  preconditions(): Preconditions | undefined {
    const value = this.#fields['preconditions'] ?? undefined;
    if (value === undefined) return undefined;
    if (!isObject(value)) throw wrongType(kindOf(value), 'DeleteOptions.preconditions', 'v1.Preconditions');
    const reader = new FieldReader(value);
    const uid = reader.string('uid', 'Preconditions.preconditions', 'types.UID');
    const resourceVersion = reader.string('resourceVersion', 'Preconditions.preconditions', 'string');
    return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  }
}

function kindOf(value: Json): string {
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : typeof value;
}

function wrongType(found: string, field: string, goType: string): Error {
  return badRequest(`json: cannot unmarshal ${found} into Go struct field ${field} of type ${goType}`);
}

function checked(raw: RawDeleteOptions): DeleteRequestOptions {
  const { gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions, dryRun } = raw;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(invalid('propagationPolicy', propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'));
  if (propagationPolicy !== undefined && !isPolicy(propagationPolicy))
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']));
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  const policy = policyOf(propagationPolicy, orphanDependents);
  return {
    options: {
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      ...(policy === undefined ? {} : { propagationPolicy: policy }),
      ...(preconditions === undefined ? {} : { preconditions }),
    },
    isDryRun: dryRun.length > 0,
    isOrphaningForbidden: orphanDependents === false,
  };
}

function isPolicy(text: string): text is Policy {
  return (POLICIES as readonly string[]).includes(text);
}

/** The old field in the new one's words. */
function policyOf(policy: string | undefined, orphanDependents: boolean | undefined): Policy | undefined {
  if (policy !== undefined && isPolicy(policy)) return policy;
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}
