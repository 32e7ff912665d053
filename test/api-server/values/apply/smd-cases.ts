import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { decodeFieldsV1, type FieldSet, type TypeRef, typesFromSmd } from '../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

const FILE = '../shared/data/smd-merge-cases.json';

export interface SmdOperation {
  readonly op: 'apply' | 'forceApply' | 'update' | 'extractApply' | 'fixture.ChangeParser';
  readonly manager: string;
  readonly apiVersion: string;
  readonly object: string;
  readonly conflicts?: readonly { readonly manager: string; readonly path: string }[];
}

export interface SmdCase {
  readonly test: string;
  readonly types: Readonly<Record<string, string>>;
  readonly converter: string;
  readonly parser: string;
  readonly ignoreFilter: boolean;
  readonly ops: readonly SmdOperation[];
  readonly object?: string;
  readonly objectVersion?: string;
  readonly managed?: Readonly<Record<string, { readonly apiVersion: string; readonly fieldsV1: Json }>>;
}

export interface SmdData {
  readonly schemas: Readonly<Record<string, string>>;
  readonly cases: readonly SmdCase[];
}

/** Structured-merge cases recorded from structured-merge-diff's own tests. */
export function readSmdData(): SmdData {
  return JSON.parse(readFileSync(FILE, 'utf8')) as SmdData;
}

/** The root types of the schemas, by the keys that the cases use. */
export function rootTypes({ schemas }: SmdData): ReadonlyMap<string, TypeRef> {
  return new Map(
    Object.entries(schemas).map(([key, text]) => {
      const schema = parse(text) as { typeRef: { namedType: string } } & Record<string, Json>;
      return [key, typesFromSmd(schema)(schema.typeRef.namedType)];
    }),
  );
}

export function setOf(fieldsV1: Json): FieldSet {
  return decodeFieldsV1(fieldsV1);
}
