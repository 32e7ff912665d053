import type { ControllerModel } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { objectProblems, problemsOf, schemaOf } from './schema-fit.js';

/** More are not shown: the first ones say it. */
const MOST = 5;

/** Checked by the API server itself, for every kind. */
const OF_THE_SERVER: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/**
 * Where a stored object has not the types of its definition, which a typed reconciler relies on (H21): in the spec, and in fields beside it.
 *
 * Values are not judged: an object that breaks a rule which is younger than itself is still its owner's, as the API server sees it too. A status that the
 * controller writes is not judged here, see {@link unfitStatus}. Metadata is not judged either: the API server never stores another form of it.
 */
export function unfitFields(controller: ControllerModel, object: StoredObject): string[] {
  const schema = schemaOf(controller);
  if (schema === undefined) return [];
  const { status, ...others } = schema.properties ?? {};
  const judged = controller.writesStatus || status === undefined ? others : { ...others, status };
  const properties = Object.fromEntries(Object.entries(judged).filter(([name]) => !OF_THE_SERVER.includes(name)));
  return objectProblems({ ...schema, properties }, object, '').slice(0, MOST);
}

/** The part of a stored status that does not fit. */
export interface UnfitStatus {
  /** The fields of the status that hold something of a wrong type. */
  readonly fields: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Where the stored status has not the types of its definition, for a status that the controller writes: an earlier release of it wrote another form.
 *
 * @returns `undefined` if it fits
 */
export function unfitStatus(controller: ControllerModel, object: StoredObject): UnfitStatus | undefined {
  const schema = schemaOf(controller)?.properties?.['status'];
  const { status } = object;
  if (!controller.writesStatus || schema === undefined || status === undefined) return undefined;
  const problems = problemsOf(schema, status, 'status').slice(0, MOST);
  if (problems.length === 0) return undefined;
  const isObject = typeof status === 'object' && status !== null && !Array.isArray(status);
  const fields = Object.entries(isObject ? status : {}).filter(([name, value]) => {
    const within = schema.properties?.[name];
    return within !== undefined && problemsOf(within, value, name).length > 0;
  });
  return { fields: fields.map(([name]) => name), problems };
}
