import type { Json, StructuralSchema } from '@keelson/kubernetes/apimachinery';
import { createKeywordJudge, type KeywordJudge } from '@keelson/kubernetes/structural';
import type { ControllerModel } from 'keelson/internal/definition';
import type { StoredObject } from '../cache/index.js';
import { objectProblems, problemsOf, schemaOf } from './schema-fit.js';

/** More are not shown: the first ones say it. */
const MOST = 5;

/** Checked by the API server itself, for every kind. */
const OF_THE_SERVER: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** By schema: a judge compiles the patterns of its schema. */
const judges = new WeakMap<StructuralSchema, KeywordJudge>();

/**
 * Where a stored object does not fit its definition, which a typed reconciler relies on (H21): its types, and bounds that became narrower after it was stored.
 *
 * The API server accepts such a value as long as no client changes it. Rules in CEL are not evaluated. A status that the controller writes is not judged here, see
 * {@link unfitStatus}; of a status that others write only the types are. Metadata is not judged either: the API server never stores another form of it.
 */
export function unfitFields(controller: ControllerModel, object: StoredObject): string[] {
  const schema = schemaOf(controller);
  if (schema === undefined) return [];
  const { status, ...others } = schema.properties ?? {};
  const judged = controller.writesStatus || status === undefined ? others : { ...others, status };
  const properties = Object.fromEntries(Object.entries(judged).filter(([name]) => !OF_THE_SERVER.includes(name)));
  const types = objectProblems({ ...schema, properties }, object, '');
  // A value of a wrong type is out of every bound as well.
  const problems = types.length > 0 ? types : Object.entries(others).flatMap(([name, within]) => boundProblems(within, object[name], name));
  return problems.slice(0, MOST);
}

function boundProblems(schema: StructuralSchema, value: unknown, path: string): readonly string[] {
  if (value === undefined || OF_THE_SERVER.includes(path)) return [];
  const judge = judges.get(schema) ?? createKeywordJudge(schema);
  judges.set(schema, judge);
  return judge(value as Json, path);
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
